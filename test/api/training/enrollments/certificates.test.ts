import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { pdfText } from '../../../support/pdf-text.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

interface Issued {
  kind: string
  number: string
  issuedAt: string
}

const test = schoolTest()
  .extend('student', ({ api, school }) => async (name?: string) => {
    const member = await buildMember(api, school.organizationId, ['student'])
    const { db } = api.core.database
    if (name) await db.updateTable('account').set({ name }).where('id', '=', member.accountId).execute()
    return member
  })
  .extend('paper', ({ api }) => async (who: Member, enrollment: number) => {
    const path = `/training/enrollments/${enrollment}/certificates/enrollment`
    const answer = await api.as(who).get(path)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.rawPayload
  })
  .extend('issued', ({ api, school }) => async (enrollment: number) => {
    const detail = `/training/enrollments/${enrollment}` as const
    return (await expectOk<{ certificates: Issued[] }>(api, school.admin, 'GET', detail)).certificates
  })

describe('a certificate of enrollment (14 CFR 141.93)', () => {
  test('is issued on enrollment at a Part 141 school, and its bytes stay when everybody is renamed', async ({
    api,
    school,
    student,
    issued,
    paper,
  }) => {
    const course = await buildTraining(api, school, { part141: true })
    const eve = await student('Eve Sommer')
    const id = await enrol(api, school, course, eve)
    expect(await issued(id)).toMatchObject([{ kind: 'enrollment', number: 'E-1', issuedAt: expect.any(String) }])
    await expectOk(api, eve, 'PATCH', '/users', { name: 'Eva Winter' })
    await expectOk(api, school.owner, 'PATCH', '/organizations', { name: 'Renamed Aviation' })
    const first = await paper(eve, id)
    expect(pdfText(first)).toContain('EveSommerisenrolledinthecourse')
    expect(pdfText(first)).toContain('Certificatenumber:E-1')
    expect(pdfText(first)).not.toContain('RenamedAviation')
    await expectOk(api, school.admin, 'PATCH', `/training/courses/${course.courseId}`, { name: 'Another name' })
    expect((await paper(school.instructor, id)).equals(first)).toBe(true)
  })

  test('is issued when it is first read under Part 61, once however many ask', async ({
    api,
    school,
    student,
    issued,
    paper,
  }) => {
    const course = await buildTraining(api, school)
    const eve = await student()
    const id = await enrol(api, school, course, eve)
    expect(await issued(id)).toEqual([])
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => paper(eve, id)))
    expect(others.every((other) => other.equals(first!))).toBe(true)
    expect(await issued(id)).toMatchObject([{ number: 'E-1' }])
  })

  test('is numbered without a gap when sixteen are issued at once, and when an enrollment is refused', async ({
    api,
    school,
    student,
    issued,
  }) => {
    const course = await buildTraining(api, school, { part141: true })
    const students = await Promise.all(Array.from({ length: 16 }, () => student()))
    const ids = await Promise.all(students.map((one) => enrol(api, school, course, one)))
    const again = { versionId: course.versionId, orgUserId: students[0]!.orgUserId }
    expect((await api.as(school.admin).post('/training/enrollments', again)).statusCode).toBe(409)
    await enrol(api, school, course, await student()).then((id) => ids.push(id))
    const numbers = (await Promise.all(ids.map((id) => issued(id)))).map(([one]) => Number(one?.number.slice(2)))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 17 }, (_, at) => at + 1))
  })

  test('prints what people wrote as it is, with its fonts, and without links, attachments or scripts', async ({
    api,
    school,
    student,
    paper,
  }) => {
    const course = await buildTraining(api, school)
    const name = 'Łu <b>x</b> [y](http://z.example) {{day}} %PDF)(/URI'
    const eve = await student(name)
    const pdf = await paper(eve, await enrol(api, school, course, eve))
    expect(pdfText(pdf)).toContain(name.replaceAll(' ', ''))
    const text = pdf.toString('latin1')
    expect(text).not.toMatch(/\/(URI|Annots?|JS|JavaScript|OpenAction|AA|Launch|EmbeddedFiles?|Filespec|GoToR)\b/)
    const fonts = text.match(/\/Type \/FontDescriptor/g) ?? []
    expect(fonts.length).toBeGreaterThan(0)
    expect(text.match(/\/FontFile2 /g)).toHaveLength(fonts.length)
  })
})
