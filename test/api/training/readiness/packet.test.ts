import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../../support/flights.ts'
import { pdfText } from '../../../support/pdf-text.ts'
import { buildTraining, enrol, gradeAndSign } from '../../../support/training.ts'

const test = sharedSchoolTest()
  .extend('pupil', { scope: 'file' }, async ({ api, school }) => {
    const { admin, instructor, student, plane } = school
    const course = await buildTraining(api, school)
    await expectOk(api, admin, 'PATCH', `/training/courses/${course.courseId}`, {
      certificateSought: 'private',
      ratingId: 1,
    })
    const instructorOrgUserId = instructor.orgUserId
    const enrollmentId = await enrol(api, school, course, student, { instructorOrgUserId })
    const path = `/training/enrollments/${enrollmentId}`
    const plannedTest = { at: '2026-12-10T10:00:00Z', applicationAt: '2026-12-08T10:00:00Z', resourceId: plane.id }
    await expectOk(api, instructor, 'PATCH', path, { plannedTest: { ...plannedTest, examiner: 'Ada Okafor, DPE' } })
    await fly(api, school, await bookDual(api, school, { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' }))
    await gradeAndSign(api, instructor, enrollmentId, course.lesson)
    await expectOk(api, instructor, 'POST', '/training/endorsements', {
      orgUserId: student.orgUserId,
      templateCode: 'A.1',
      renderedText: 'I certify that the applicant is prepared.',
      signerCertificateNumber: '3141592CFI',
    })
    await expectOk(api, instructor, 'POST', '/training/tests', {
      enrollmentId,
      kind: 'knowledge',
      code: 'PAR',
      takenAt: '2026-10-05',
      result: 'passed',
      score: 92,
    })
    return { path, packet: `${path}/packet` }
  })
  .extend('textOf', ({ api, pupil }) => async (who: Member, query = '') => {
    const { statusCode, headers, rawPayload } = await api.as(who).get(`${pupil.packet}${query}`)
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf'])
    return pdfText(rawPayload)
  })

/** As the text of a PDF is read: without spaces. */
const tight = (text: string) => text.replaceAll(/\s/g, '')

describe('the packet for a practical test (§28.3: GET /training/enrollments/{id}/packet)', () => {
  test('has the verdict and the items first, then what they rest on, and says on every page what it is', async ({
    api,
    school,
    pupil,
    textOf,
  }) => {
    const text = await textOf(school.student)
    const { open, items, edition } = await expectOk<{ open: number; items: { key: string }[]; edition: string }>(
      api,
      school.student,
      'GET',
      `${pupil.path}/readiness`,
    )
    expect(open).toBeGreaterThan(5)
    const [first = '', ...rest] = text.split('Itemsandevidence')
    expect(first).toContain(tight(`Not ready: ${open} items are open`))
    expect(first).toContain(tight('They are not the application for the test'))
    expect(first).toContain(tight('Examiner: Ada Okafor, DPE'))
    for (const { key } of items) expect(first, key).toContain(tight(key))
    const later = rest.join('')
    for (const words of [
      'Hours, in the columns of FAA Form 8710-1',
      `A.1, ${edition}`,
      'I certify that the applicant is prepared.',
      `Signed: ${school.instructor.name}, 3141592CFI, 2026-11-21`,
      'knowledge PAR',
      'passed, 92 %',
      'First flight',
      `Aircraft status: ${school.plane.name}`,
    ]) {
      expect(later, words).toContain(tight(words))
    }
    const note = tight(
      `The school’s records at Sat, Nov 21, 2026, 12:00 UTC · ${edition} · no application and no permission`,
    )
    const pages = Number(/page1of(\d+)/.exec(text)?.[1])
    expect(pages).toBeGreaterThan(2)
    expect(text.split(note)).toHaveLength(pages + 1)
  })

  test('is judged at the time that is asked for', async ({ api, school, pupil, textOf }) => {
    expect(await textOf(school.student, '?at=2027-02-01T10:00:00Z')).toContain(
      tight('Test: Mon, Feb 1, 2027, 10:00 UTC'),
    )
    const far = await api.as(school.student).get(`${pupil.packet}?at=2029-02-01T10:00:00Z`)
    expect(far.statusCode).toBe(400)
  })

  test('is for those who see the items, and its reading of another is in the audit log', async ({
    api,
    school,
    pupil,
    textOf,
  }) => {
    const reads = async () => (await expectOk<object[]>(api, school.admin, 'GET', '/audit?action=packet.read')).length
    await textOf(school.student)
    expect(await reads()).toBe(0)
    await textOf(school.instructor)
    await textOf(school.instructor)
    expect(await reads()).toBe(1)
    const stranger = await buildMember(api, school.organizationId, ['instructor'])
    const statusFor = async (who: Member) => (await api.as(who).get(pupil.packet)).statusCode
    expect(await statusFor(stranger)).toBe(403)
    expect(await statusFor(school.dispatcher)).toBe(403)
    expect(await statusFor(school.renter)).toBe(404)
    expect(await reads()).toBe(1)
  })

  test('does not say what its reader may not read', async ({ api, school, textOf }) => {
    const { student } = school
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, { birthDate: '2010-12-11' })
    const auditor = await buildMember(api, school.organizationId, ['renter'])
    await expectOk(api, school.admin, 'POST', '/training/grants', { orgUserId: auditor.orgUserId, grant: 'auditor' })
    expect(await textOf(student)).toMatch(/missing·age·student·[^·]*17/)
    expect(await textOf(auditor)).toContain('missing·age·student·notforthisreader')
  })
})
