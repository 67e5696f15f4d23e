import { expect } from 'vitest'
import { findEnrollmentFile } from '../../../src/api/training/enrollments/enrollment-detail.ts'
import { recordSheet } from '../../../src/api/training/records/pdf/record-sheet.ts'
import type { Actor } from '../../../src/shared/platform/authz/actor.ts'
import { roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildTraining, enrol, grade, gradeAndSign, type TrainingCourse } from '../../support/training.ts'

const test = sharedSchoolTest({ school: { timeZoneName: 'America/New_York' } }).extend(
  'pdf',
  ({ api }) =>
    (who: Member) =>
      api.as(who).get(`/training/enrollments/${enrollment}?format=pdf`),
)

let course: TrainingCourse
let student: Member
let enrollment: number
test.beforeAll(async ({ api, school }) => {
  course = await buildTraining(api, school, { part141: true })
  student = await buildMember(api, school.organizationId, ['student'])
  enrollment = await enrol(api, school, course, student, { enrollmentCertificateNumber: '2026-17' })
  const id = await gradeAndSign(api, school.instructor, enrollment, course.lesson, { notes: 'Łukasz flew well' })
  await expectOk(api, student, 'POST', `/training/records/${id}/countersign`)
  await expectOk(api, school.instructor, 'POST', `/training/records/${id}/amend`, { reason: 'Wrong day' })
  await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
    orgUserId: student.orgUserId,
    enrollmentId: enrollment,
    templateCode: 'A.6',
    renderedText: 'Ready for solo.',
    signerCertificateNumber: '3141592CFI',
  })
})

test('the PDF of a training record says what the record says, in the dates of the school', async ({ api, school }) => {
  const { organizationId, instructor } = school
  const reader = { organizationId, orgUserId: instructor.orgUserId, roles: roleFlags({ instructor: true }) } as Actor
  const actor = { ...reader, organization: { timeZoneName: 'America/New_York' } } as Actor
  const file = await findEnrollmentFile(api.core.database.db, actor, api.clock.now, enrollment)
  const sheet = recordSheet(file, {
    name: 'Bay Flight Academy',
    zone: 'America/New_York',
    country: 'US',
  })
  expect(sheet.title).toBe(`Training record of ${student.name}`)
  expect(sheet.facts).toEqual([
    ['Course', 'Private pilot (Part 141)'],
    ['Syllabus', 'Rev A'],
    ['Enrolled', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
    ['Enrollment certificate', '2026-17'],
    ['Status', 'enrolled'],
    ['Lessons completed', '0 of 3'],
  ])
  expect(sheet.signers).toEqual([
    { role: 'Student', name: student.name },
    { role: 'Instructor', name: '' },
    { role: 'Chief instructor', name: '' },
  ])
  expect(sheet.standing).toEqual([
    { requirement: 'Flight time', required: '10.0', credited: '0.0', disallowed: '0.0', met: '10.0 missing' },
    { requirement: 'Landings', required: '3', credited: '0', disallowed: '0', met: '3 missing' },
  ])
  expect(sheet.records).toEqual([
    {
      date: '2026-11-21',
      lesson: 'First flight',
      note: 'Amended: Wrong day\nŁukasz flew well',
      grade: 'S',
      times: '1.4 flight',
      signatures: `Instructor: ${instructor.name}, 2026-11-21\nStudent: ${student.name}, 2026-11-21`,
    },
    {
      date: '2026-11-21',
      lesson: 'First flight',
      note: 'Łukasz flew well',
      grade: 'S',
      times: '1.4 flight',
      signatures: 'not signed',
    },
  ])
  expect(sheet.credits.map(({ amount, source, note }) => [amount, source, note])).toEqual([
    ['1.4', 'lesson', ''],
    ['1', 'lesson', ''],
    ['−1.4', 'reversal', 'Wrong day'],
    ['−1', 'reversal', 'Wrong day'],
  ])
  expect(sheet.endorsements).toEqual([
    {
      heading: 'Solo flight, first 90 days',
      text: 'Ready for solo.',
      signed: expect.stringMatching(/^Signed: instructor \w+, 3141592CFI, \d{4}-\d\d-\d\d; valid until 2027-02-19$/),
    },
  ])
})

test('the PDF of a training record has as many pages as it needs', async ({ api, school, pdf }) => {
  const pages = (body: Buffer) => body.toString('latin1').match(/\/Type \/Page\b/g)?.length
  const one = await pdf(student)
  expect([one.statusCode, one.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(one.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  // Its lessons and credits on the first page, the lines for signatures on the second.
  expect(pages(one.rawPayload)).toBe(2)
  for (let flight = 0; flight < 25; flight++) {
    await grade(api, school.instructor, enrollment, course.secondLesson, { notes: 'Again\nand\nagain' })
  }
  const many = (await pdf(student)).rawPayload
  expect(pages(many)).toBeGreaterThan(2)
  await grade(api, school.instructor, enrollment, course.secondLesson, { notes: 'A very long story. '.repeat(500) })
  expect(pages((await pdf(student)).rawPayload)).toBeGreaterThan((pages(many) ?? 0) + 1)
})

test('the PDF of a training record is readable by everyone who may read the enrollment', async ({ school, pdf }) => {
  const readers = [student, school.instructor, school.admin, school.student, school.dispatcher]
  expect(await Promise.all(readers.map(async (who) => (await pdf(who)).statusCode))).toEqual([200, 200, 200, 403, 403])
})
