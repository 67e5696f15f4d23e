import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { asOwner } from '../../../support/database.ts'
import { must } from '../../../support/flights.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

let api: TestApp
let school: School
let elsewhere: School
beforeAll(async () => {
  api = await startTestApp()
  school = await buildSchool(api, { timeZoneName: 'America/New_York' })
  elsewhere = await buildSchool(api)
})
afterAll(() => api.close())

let student: Member
beforeEach(async () => {
  student = await buildMember(api, school.organizationId, ['student'])
})

const endorse = (extra: Record<string, unknown> = {}, who: Member = school.instructor) =>
  api.as(who).post('/training/endorsements', {
    orgUserId: student.orgUserId,
    renderedText: 'Ready for solo.',
    templateCode: 'A.6',
    ...extra,
  })
const list = (who: Member, query = '') =>
  must<{ id: number; title: string }[]>(api, who, 'GET', `/training/endorsements${query}`)

describe('an endorsement (§Training)', () => {
  test('is kept word for word, with title, edition and expiry of its template', async () => {
    const words = '  I certify that\n\tAna “Ruiz” …  '
    const response = await endorse({ renderedText: words, signerCertificateNumber: '3141592CFI' })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      orgUserId: student.orgUserId,
      person: { name: student.name },
      templateCode: 'A.6',
      templateEdition: 'AC 61-65H',
      title: 'Solo flight, first 90 days',
      renderedText: words,
      // The end of February 19 in New York: 90 days after November 21.
      expiresAt: '2027-02-20T04:59:59.999Z',
      signedBy: { orgUserId: school.instructor.orgUserId },
      signerCertificateNumber: '3141592CFI',
      supersedesId: null,
    })
  })

  test('expires at the given instant, or never with null', async () => {
    const said = await endorse({ expiresAt: '2026-12-24T18:00:00-05:00' })
    expect(said.json().data.expiresAt).toBe('2026-12-24T23:00:00.000Z')
    expect((await endorse({ expiresAt: null })).json().data.expiresAt).toBeNull()
    expect((await endorse({ templateCode: 'A.71' })).json().data.expiresAt).toBeNull()
  })

  test('needs no template when it has a title', async () => {
    const own = await endorse({ templateCode: null, title: 'Mountain checkout' })
    expect(own.json().data).toMatchObject({ title: 'Mountain checkout', templateCode: null, templateEdition: null })
  })

  test.each<[string, () => Promise<Record<string, unknown>>, string]>([
    ['no text', async () => ({ renderedText: undefined }), 'renderedText'],
    ['a blank text', async () => ({ renderedText: ' \n ' }), 'renderedText'],
    ['neither template nor title', async () => ({ templateCode: null }), 'title'],
    ['a template that there is not', async () => ({ templateCode: 'B.1' }), 'templateCode'],
    ['a member of another organization', async () => ({ orgUserId: elsewhere.student.orgUserId }), 'orgUserId'],
    [
      'an enrollment of somebody else',
      async () => {
        const course = await buildTraining(api, school)
        return { enrollmentId: await enrol(api, school, course, school.student) }
      },
      'enrollmentId',
    ],
    [
      'an endorsement of somebody else',
      async () => {
        const other = await endorse({ orgUserId: school.renter.orgUserId })
        return { supersedesId: other.json().data.id }
      },
      'supersedesId',
    ],
    ['a bare time', async () => ({ expiresAt: '2026-12-24T18:00:00' }), 'expiresAt'],
  ])('with %s is refused', async (_, extra, field) => {
    const response = await endorse(await extra())
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })

  test('cannot be given to oneself', async () => {
    const refused = await endorse({ orgUserId: school.instructor.orgUserId })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'OWN_TRAINING'])
  })

  test('replaces another once, which is then hidden from the list', async () => {
    const first = (await endorse()).json().data.id
    const second = (await endorse({ templateCode: 'A.7', supersedesId: first })).json().data
    expect(second.supersedesId).toBe(first)
    const again = await endorse({ supersedesId: first })
    expect([again.statusCode, again.json().code]).toEqual([409, 'ALREADY_REPLACED'])
    expect((await list(student)).map(({ id }) => id)).toEqual([second.id])
    expect(await list(student, '?includeSuperseded=true')).toMatchObject([
      { id: second.id },
      { id: first, supersededById: second.id },
    ])
  })

  test('is replaced once by two replacements at once', async () => {
    const first = (await endorse()).json().data.id
    const both = await Promise.all([endorse({ supersedesId: first }), endorse({ supersedesId: first }, school.admin)])
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 409])
  })

  test('never changes, not even with SQL', async () => {
    const id = (await endorse()).json().data.id
    const run = (sql: string) => asOwner(api, sql, [id])
    for (const change of ["rendered_text = 'x'", 'expires_at = null', 'signed_by = membership_id']) {
      await expect(run(`update endorsement set ${change} where id = $1`)).rejects.toThrow('cannot change')
    }
    await expect(run('delete from endorsement where id = $1')).rejects.toThrow('cannot change')
  })
})

describe('the list of endorsements (§Training)', () => {
  test('shows instructors and admins everybody’s, and everybody else their own', async () => {
    const mine = (await endorse()).json().data.id
    const theirs = (await endorse({ orgUserId: school.renter.orgUserId })).json().data.id
    const ids = async (who: Member, query = '') => (await list(who, query)).map(({ id }) => id)
    for (const who of [school.owner, school.admin, school.instructor]) {
      expect(await ids(who)).toEqual(expect.arrayContaining([mine, theirs]))
      expect(await ids(who, `?orgUserId=${student.orgUserId}`)).toEqual([mine])
    }
    expect(await ids(student, `?orgUserId=${school.renter.orgUserId}`)).toEqual([mine])
    expect(await ids(school.dispatcher)).toEqual([])
  })
})

describe('the templates of endorsements (§Training)', () => {
  test('are filled in with the name of a student', async () => {
    const url = `/training/endorsements/templates?limit=1000&orgUserId=${student.orgUserId}`
    const templates = await must<{ code: string; text: string; placeholders: string[] }[]>(
      api,
      school.student,
      'GET',
      url,
    )
    expect(templates).toHaveLength(92)
    const solo = templates.find(({ code }) => code === 'A.6')
    expect(solo?.text.startsWith(`${student.name} has received`)).toBe(true)
    expect(solo?.placeholders).toEqual(['makeAndModel', 'limitations'])
  })

  test('keep the placeholder without a student, and do not find a student of another organization', async () => {
    const [first] = await must<{ text: string }[]>(
      api,
      school.student,
      'GET',
      '/training/endorsements/templates?limit=1',
    )
    expect(first?.text).toContain('{{student}}')
    const url = `/training/endorsements/templates?orgUserId=${elsewhere.student.orgUserId}`
    expect((await api.call('GET', url, { token: school.instructor.token })).statusCode).toBe(400)
  })
})
