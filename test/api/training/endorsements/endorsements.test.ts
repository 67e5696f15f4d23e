import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { asOwner } from '../../../support/database.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

interface Given {
  api: TestApp
  school: School
  endorse: (extra?: Record<string, unknown>) => Promise<LightMyRequestResponse>
}

const test = sharedSchoolTest({ school: { timeZoneName: 'America/New_York' } })
  .extend('elsewhere', { scope: 'file', auto: true }, ({ api }) => buildSchool(api))
  .extend('student', ({ api, school }) => buildMember(api, school.organizationId, ['student']))
  .extend(
    'endorse',
    ({ api, school, student }) =>
      (extra: Record<string, unknown> = {}, who: Member = school.instructor) =>
        api.as(who).post('/training/endorsements', {
          orgUserId: student.orgUserId,
          renderedText: 'Ready for solo.',
          templateCode: 'A.6',
          ...extra,
        }),
  )
  .extend(
    'list',
    ({ api }) =>
      (who: Member, query = '') =>
        expectOk<{ id: number; title: string }[]>(api, who, 'GET', `/training/endorsements${query}`),
  )
  .extend(
    'sign',
    ({ api, school, student }) =>
      (extra: Record<string, unknown> = {}) =>
        api.as(school.instructor).post('/training/endorsements/batch', {
          orgUserId: student.orgUserId,
          trainingAt: '2026-11-20T18:00:00Z',
          parameters: { makeAndModel: 'Cessna 172S', limitations: 'none', route: 'KPAO KSQL' },
          items: [{ templateCode: 'A.3' }, { templateCode: 'A.6' }],
          ...extra,
        }),
  )

describe('an endorsement (§Training)', () => {
  test('is kept word for word, with title, edition and expiry of its template', async ({
    school,
    student,
    endorse,
  }) => {
    const words = '  I certify that\n\tAna “Ruiz” …  '
    const response = await endorse({ renderedText: words, signerCertificateNumber: '3141592CFI' })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      orgUserId: student.orgUserId,
      person: { name: student.name },
      templateCode: 'A.6',
      templateEdition: 'AC 61-65K',
      edition: 'AC 61-65K',
      title: 'Solo flight, first 90 days',
      renderedText: words,
      // The end of February 19 in New York: 90 days after November 21.
      expiresAt: '2027-02-20T04:59:59.999Z',
      signedBy: { orgUserId: school.instructor.orgUserId, certificateNumber: '3141592CFI' },
      recordedBy: { orgUserId: school.instructor.orgUserId },
      unsigned: false,
      signerCertificateNumber: '3141592CFI',
      supersedesId: null,
    })
  })

  test('expires at the given instant, or never with null', async ({ endorse }) => {
    const said = await endorse({ expiresAt: '2026-12-24T18:00:00-05:00' })
    expect(said.json().data.expiresAt).toBe('2026-12-24T23:00:00.000Z')
    expect((await endorse({ expiresAt: null })).json().data.expiresAt).toBeNull()
    expect((await endorse({ templateCode: 'A.75' })).json().data.expiresAt).toBeNull()
  })

  test('counts from the day of the training, and keeps what fills in the template', async ({ endorse }) => {
    const { data } = (
      await endorse({
        trainingAt: '2026-11-11T18:00:00Z',
        parameters: { makeAndModel: 'Cessna 172S', trainedOn: '2026-11-11' },
      })
    ).json()
    // November 11 and 90 days more is February 9.
    expect(data).toMatchObject({
      trainingAt: '2026-11-11T18:00:00.000Z',
      parameters: { makeAndModel: 'Cessna 172S', trainedOn: '2026-11-11' },
      expiresAt: '2027-02-10T04:59:59.999Z',
    })
  })

  test('for a single flight ends with its day', async ({ endorse }) => {
    const { data } = (await endorse({ templateCode: 'A.10', parameters: { date: '2026-11-23' } })).json()
    expect(data.expiresAt).toBe('2026-11-24T04:59:59.999Z')
  })

  test('by an admin who is no instructor is unsigned, and says so', async ({ school, endorse }) => {
    const answer = (await endorse({}, school.admin)).json()
    expect(answer.warning).toMatch(/^The endorsement is unsigned/)
    expect(answer.data).toMatchObject({
      signedBy: null,
      unsigned: true,
      recordedBy: { orgUserId: school.admin.orgUserId },
    })
  })

  test('is not recorded in the name of the member whom it is for', async ({ school, endorse }) => {
    const { orgUserId } = school.instructor
    const refused = await endorse({ orgUserId, signedBy: { orgUserId } }, school.admin)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'signedBy.orgUserId: must not be the endorsed member',
    ])
  })

  test('is recorded by an admin in the name of another signer, under the edition of its day', async ({
    school,
    endorse,
  }) => {
    const signedBy = { name: 'Chuck Dee', certificateNumber: '2718281CFI' }
    const early = { signedBy, signedAt: '2025-11-13T12:00:00-05:00', edition: 'AC 61-65H', templateCode: 'A.71' }
    const { data } = (await endorse(early, school.admin)).json()
    expect(data).toMatchObject({
      title: 'Pilot in command of a tailwheel airplane',
      edition: 'AC 61-65H',
      signedAt: '2025-11-13T17:00:00.000Z',
      signedBy: { orgUserId: null, ...signedBy },
      unsigned: false,
      recordedBy: { orgUserId: school.admin.orgUserId },
    })
    const late = await endorse({ ...early, signedAt: '2025-11-14T12:00:00-05:00' }, school.admin)
    expect([late.statusCode, late.json().message]).toEqual([
      400,
      'edition: was not in force when the endorsement was signed',
    ])
    const refused = await endorse({ signedBy })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'SIGNER_NOT_ALLOWED'])
    const test = await endorse({ signedBy, templateCode: 'A.21' })
    expect(test.json().data).toMatchObject({ signedBy: { orgUserId: null, name: 'Chuck Dee' } })
  })

  test('needs no template when it has a title', async ({ endorse }) => {
    const own = await endorse({ templateCode: null, title: 'Mountain checkout' })
    expect(own.json().data).toMatchObject({ title: 'Mountain checkout', templateCode: null, templateEdition: null })
  })

  test.for<[string, (given: Given) => Promise<Record<string, unknown>>, string]>([
    ['no text', async () => ({ renderedText: undefined }), 'renderedText'],
    ['a blank text', async () => ({ renderedText: ' \n ' }), 'renderedText'],
    ['neither template nor title', async () => ({ templateCode: null }), 'title'],
    ['a template that there is not', async () => ({ templateCode: 'B.1' }), 'templateCode'],
    [
      'an enrollment of somebody else',
      async ({ api, school }) => {
        const course = await buildTraining(api, school)
        return { enrollmentId: await enrol(api, school, course, school.student) }
      },
      'enrollmentId',
    ],
    [
      'an endorsement of somebody else',
      async ({ school, endorse }) => {
        const other = await endorse({ orgUserId: school.renter.orgUserId })
        return { supersedesId: other.json().data.id }
      },
      'supersedesId',
    ],
    [
      'a parameter that the template does not have',
      async () => ({ parameters: { route: 'KPAO' } }),
      'parameters.route',
    ],
    [
      'an airplane for a proficiency check',
      async () => ({ templateCode: 'A.18', parameters: { category: 'airplane', class: 'single-engine land' } }),
      'parameters.category',
    ],
    ['no day for a single flight', async () => ({ templateCode: 'A.10' }), 'parameters.date'],
    ...['tomorrow', '2026-02-30'].map((date): [string, () => Promise<Record<string, unknown>>, string] => [
      `the day ${date} for a single flight`,
      async () => ({ templateCode: 'A.10', parameters: { date } }),
      'parameters.date',
    ]),
    ['a training that lies ahead', async () => ({ trainingAt: '2026-11-23T12:00:00Z' }), 'trainingAt'],
    ['a training that is too old', async () => ({ trainingAt: '2026-08-01T12:00:00Z' }), 'trainingAt'],
    ['a signature of their own that is dated', async () => ({ signedAt: '2026-11-01T12:00:00Z' }), 'signedAt'],
    ['an edition that is not current', async () => ({ edition: 'AC 61-65H' }), 'edition'],
    ['a bare time', async () => ({ expiresAt: '2026-12-24T18:00:00' }), 'expiresAt'],
  ])('with %s is refused', async ([_, extra, field], { api, school, endorse }) => {
    const response = await endorse(await extra({ api, school, endorse }))
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })

  test('that is one’s own is kept and counts for nothing', async ({ api, school, endorse, list }) => {
    const { orgUserId } = school.instructor
    const own = await endorse({ orgUserId })
    expect(own.json().data).toMatchObject({ unproven: true, unsigned: false, signedBy: { orgUserId } })
    expect(await list(school.instructor, `?orgUserId=${orgUserId}`)).toMatchObject([{ id: own.json().data.id }])
    const { rows } = await api.core.database.pool.query(
      'select count(*)::int as counts from endorsement e where membership_id = $1 and signed_by <> membership_id',
      [orgUserId],
    )
    expect(rows).toEqual([{ counts: 0 }])
    const both = {
      items: [{ templateCode: 'A.3' }],
      parameters: { makeAndModel: 'C172' },
      trainingAt: '2026-11-20T18:00:00Z',
    }
    const batch = await api.as(school.instructor).post('/training/endorsements/batch', { orgUserId, ...both })
    expect(batch.json().data).toMatchObject([{ unproven: true }])
  })

  test('has the number of the body, else of the profile, else a warning and counts for nothing', async ({
    api,
    school,
    student,
    endorse,
    sign,
  }) => {
    const none = (await endorse()).json()
    expect(none.data).toMatchObject({ unproven: true, unprovenReason: 'no_number', signerCertificateNumber: null })
    expect(none.warning).toMatch(/no certificate number/)
    const batch = (await sign()).json()
    expect([batch.warning, batch.data[0].unprovenReason]).toEqual([none.warning, 'no_number'])
    const given = (await endorse({ signerCertificateNumber: '31CFI' })).json()
    expect(given).not.toHaveProperty('warning')
    expect(given.data).toMatchObject({ unproven: false, unprovenReason: null, signerCertificateNumber: '31CFI' })
    const profile = `/orgUsers/${school.instructor.orgUserId}/profile`
    const write = (who: Member, body: object) => expectOk(api, who, 'PATCH', profile, body)
    await write(school.instructor, { instructorCertificate: { number: '31CFI' } })
    expect((await endorse()).json().data).toMatchObject({ unproven: false, signerCertificateNumber: '31CFI' })
    expect((await endorse({ signerCertificateNumber: '7CFI' })).json().data).toMatchObject({ unproven: false })
    await write(school.admin, { verify: ['instructorCertificate'] })
    const because = async (extra: Record<string, unknown> = {}) => (await endorse(extra)).json().data.unprovenReason
    expect([await because(), await because({ signerCertificateNumber: '7CFI' })]).toEqual([null, 'other_number'])
    // The caller may name themself as the signer.
    const signedBy = { orgUserId: school.instructor.orgUserId, certificateNumber: '7CFI' }
    expect(await because({ signedBy })).toBe('other_number')
    await write(school.admin, { instructorCertificate: { validUntil: '2026-11-01' } })
    expect(await because()).toBe('certificate_ended')
    // One's own without a number: the number is named first.
    await write(school.admin, { instructorCertificate: null })
    expect(await because({ orgUserId: school.instructor.orgUserId })).toBe('no_number')
    expect(await because({ orgUserId: school.instructor.orgUserId, signerCertificateNumber: '1' })).toBe('own')
    await api.core.database.pool.query(
      `insert into endorsement (organization_id, membership_id, title, rendered_text, signed_by)
       values ($1, $2, 'Signed before', 'May fly.', $3)`,
      [school.organizationId, student.orgUserId, school.instructor.orgUserId],
    )
    const all = await expectOk<{ title: string; unproven: boolean }[]>(api, student, 'GET', '/training/endorsements')
    expect(all.find(({ title }) => title === 'Signed before')).toMatchObject({ unproven: false })
  })

  test('is unproven while the certificate is ended in one of several currencies, and not once another renews it', async ({
    api,
    school,
    endorse,
  }) => {
    const { admin, owner, instructor } = school
    const made = async (name: string, completedAt: string) => {
      const body = { name, kind: 'instructor_certificate', roles: ['instructor'] }
      const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', body)
      const path = `/orgUsers/${instructor.orgUserId}/currencies/${id}`
      await expectOk(api, admin, 'PUT', path, { completedAt })
      return path
    }
    const because = async () => {
      const signed = await endorse({ signerCertificateNumber: '31CFI' })
      return signed.json().data.unprovenReason
    }
    const airplanes = await made('Airplanes', '2026-06-01T12:00:00Z')
    await made('Instruments', '2026-06-02T12:00:00Z')
    await expectOk(api, owner, 'POST', `${airplanes}/end`, { on: '2026-11-10', because: 'suspended' })
    expect(await because()).toBe('certificate_ended')
    await made('Helicopters', '2026-11-12T12:00:00Z')
    expect(await because()).toBe(null)
  })

  test('replaces another once, which is then hidden from the list', async ({ student, endorse, list }) => {
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

  test('is replaced once by two replacements at once', async ({ school, endorse }) => {
    const first = (await endorse()).json().data.id
    const both = await Promise.all([endorse({ supersedesId: first }), endorse({ supersedesId: first }, school.admin)])
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 409])
  })

  test('never changes, not even with SQL', async ({ api, endorse }) => {
    const id = (await endorse()).json().data.id
    const run = (sql: string) => asOwner(api, sql, [id])
    for (const change of ["rendered_text = 'x'", 'expires_at = null', 'signed_by = membership_id']) {
      await expect(run(`update endorsement set ${change} where id = $1`)).rejects.toThrow('cannot change')
    }
    await expect(run('delete from endorsement where id = $1')).rejects.toThrow('cannot change')
  })
})

describe('a package of endorsements', () => {
  test('is signed in one request, each text filled in with what its template has', async ({
    school,
    student,
    sign,
  }) => {
    const response = await sign()
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json().data).toMatchObject([
      { templateCode: 'A.3', parameters: { makeAndModel: 'Cessna 172S' }, expiresAt: null },
      {
        templateCode: 'A.6',
        parameters: { makeAndModel: 'Cessna 172S', limitations: 'none', trainedOn: '2026-11-20' },
        renderedText:
          `${student.name} has received the training that solo flight in the Cessna 172S requires, the latest of it on ` +
          '2026-11-20, and has met 14 CFR 61.87. I find them prepared for solo flight in it. Limitations: none.',
        // November 20 and 90 days more is February 18.
        expiresAt: '2027-02-19T04:59:59.999Z',
        signedBy: { orgUserId: school.instructor.orgUserId },
      },
    ])
  })

  test.for<[string, Record<string, unknown>, string]>([
    [
      'an open placeholder',
      { parameters: { makeAndModel: 'Cessna 172S' } },
      'items.1.parameters.limitations: is required',
    ],
    ['an unknown template', { items: [{ templateCode: 'A.3' }, { templateCode: 'B.1' }] }, 'items.1.templateCode'],
    ['no items', { items: [] }, 'items'],
  ])('with %s writes none of them', async ([_, extra, message], { student, list, sign }) => {
    const response = await sign(extra)
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message).toContain(message)
    expect(await list(student)).toEqual([])
  })

  test('takes a text that the instructor edited', async ({ sign }) => {
    const { data } = (await sign({ items: [{ templateCode: 'A.6', renderedText: 'Ready for solo.' }] })).json()
    expect(data).toMatchObject([{ renderedText: 'Ready for solo.' }])
  })
})

describe('the list of endorsements (§Training)', () => {
  test('shows instructors and admins everybody’s, and everybody else their own', async ({
    school,
    student,
    endorse,
    list,
  }) => {
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

  test('is filtered by signer, time of signature, number and expiry', async ({ school, student, endorse, list }) => {
    const solo = (await endorse()).json().data.id
    const tailwheel = (await endorse({ templateCode: 'A.75' })).json().data.id
    const ids = async (query: string) =>
      (await list(school.admin, `?orgUserId=${student.orgUserId}&${query}`)).map(({ id }) => id).sort((a, b) => a - b)
    expect(await ids(`signedBy=${school.instructor.orgUserId}`)).toEqual([solo, tailwheel])
    expect(await ids(`signedBy=${school.admin.orgUserId}`)).toEqual([])
    expect(await ids('startDate=2026-11-21T00:00:00Z')).toEqual([solo, tailwheel])
    expect(await ids('endDate=2026-11-20T00:00:00Z')).toEqual([])
    expect(await ids('code=a.75')).toEqual([tailwheel])
    expect(await ids('expiringBefore=2027-02-21T00:00:00Z')).toEqual([solo])
    expect(await ids('expiringBefore=2027-02-20T00:00:00Z')).toEqual([])
  })
})

describe('the templates of endorsements (§Training)', () => {
  test('are filled in with the name of a student', async ({ api, school, student }) => {
    const url = `/training/endorsements/templates?limit=1000&orgUserId=${student.orgUserId}`
    const templates = await expectOk<{ code: string; text: string; placeholders: string[] }[]>(
      api,
      school.student,
      'GET',
      url,
    )
    expect(templates).toHaveLength(96)
    const solo = templates.find(({ code }) => code === 'A.6')
    expect(solo?.text.startsWith(`${student.name} has received`)).toBe(true)
    expect(solo?.placeholders).toEqual(['makeAndModel', 'trainedOn', 'limitations'])
    const before = await expectOk<{ code: string; edition: string }[]>(
      api,
      school.student,
      'GET',
      '/training/endorsements/templates?limit=1000&edition=AC%2061-65H',
    )
    expect(before).toHaveLength(92)
    expect(new Set(before.map(({ edition }) => edition))).toEqual(new Set(['AC 61-65H']))
  })

  test('keep the placeholder without a student, and do not find a student of another organization', async ({
    api,
    school,
    elsewhere,
  }) => {
    const [first] = await expectOk<{ text: string }[]>(
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
