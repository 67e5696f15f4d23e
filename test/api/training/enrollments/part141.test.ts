import { describe, expect } from 'vitest'
import { enrollmentCertificate, graduationCertificate } from '../../../../src/api/training/enrollments/certificates.ts'
import { findEnrollmentFile } from '../../../../src/api/training/enrollments/enrollment-detail.ts'
import type { Actor } from '../../../../src/shared/platform/authz/actor.ts'
import { roleFlags } from '../../../../src/shared/platform/authz/roles.ts'
import { localDate } from '../../../../src/shared/platform/kernel/zones.ts'
import { NOW } from '../../../support/app.ts'
import { buildMember } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Requirement {
  id: number
  code: string
  minDeciHours: number | null
  minCount: number | null
}

/** A student on the private course of Appendix B, made from the template. */
const test = sharedSchoolTest().extend('pupil', async ({ api, school }) => {
  const { admin } = school
  const made = await expectOk<{ versions: { id: number }[] }>(api, admin, 'POST', '/training/templates/private_141', {})
  const versionId = made.versions[0]?.id ?? 0
  await expectOk(api, admin, 'POST', `/training/versions/${versionId}/publish`, { approvalReference: 'FSDO, 3 March' })
  const { requirements } = await expectOk<{ requirements: Requirement[] }>(
    api,
    admin,
    'GET',
    `/training/versions/${versionId}`,
  )
  const student = await buildMember(api, school.organizationId, ['student'])
  const body = { versionId, orgUserId: student.orgUserId, enrollmentCertificateNumber: '2026-17' }
  const { id: enrollmentId } = await expectOk<{ id: number }>(api, admin, 'POST', '/training/enrollments', body)
  const path = `/training/enrollments/${enrollmentId}`
  const credit = (code: string, extra: Record<string, unknown> = {}) => {
    const { id: requirementId, minDeciHours, minCount } = requirements.find((one) => one.code === code)!
    const amount = minDeciHours === null ? { count: minCount } : { deciHours: minDeciHours }
    const entry = { enrollmentId, requirementId, source: 'manual', notes: 'Logbook', ...amount, ...extra }
    return expectOk<{ id: number }>(api, admin, 'POST', '/training/credits', entry)
  }
  const graduate = async () => {
    const answer = await api.as(admin).post(`${path}/graduate`, { graduationCertificateNumber: 'G-1' })
    const { details, data } = answer.json()
    return answer.statusCode === 200 ? data : details.obstacles.map(({ message }: { message: string }) => message)
  }
  return { ...student, enrollmentId, path, requirements, credit, graduate }
})

describe('a private student under Part 141 Appendix B', () => {
  test('graduates only when every requirement is met, the final test is passed and the record is certified', async ({
    api,
    school,
    pupil,
  }) => {
    const { path, requirements, credit, graduate } = pupil
    expect(await graduate()).toHaveLength(requirements.length + 2)
    for (const { code } of requirements.filter((one) => !/TOTAL|TEST_PREP/.test(one.code))) await credit(code)
    // 27.0 flown, and 8.0 in a simulator of which 20 % of 35 hours count: 34.0.
    await credit('PPL.TOTAL', { deciHours: 270 })
    await credit('PPL.TOTAL', { deciHours: 80, source: 'simulator', deviceKind: 'ffs' })
    const detail = await expectOk<{ devices: object[] }>(api, pupil, 'GET', path)
    expect(detail.devices).toContainEqual({
      deviceKinds: ['ffs'],
      allowedDeciHours: 70,
      credited: 70,
      disallowed: 10,
    })
    // The preparation is of 61 days before the planned test.
    await credit('PPL.TEST_PREP', { occurredAt: '2026-11-20T18:00:00Z' })
    await expectOk(api, school.instructor, 'PATCH', path, { plannedTestAt: '2027-01-20T18:00:00Z' })
    expect(await graduate()).toEqual([
      'Flight training is not met',
      'Practical-test preparation is not met',
      'the end-of-course test is not passed',
      'the training record is not certified',
    ])
    await credit('PPL.TOTAL', { deciHours: 10 })
    await expectOk(api, school.instructor, 'PATCH', path, { plannedTestAt: '2027-01-19T18:00:00Z' })
    const tested = (result: string, takenAt: string) =>
      expectOk(api, school.instructor, 'POST', '/training/tests', {
        enrollmentId: pupil.enrollmentId,
        kind: 'end_of_course',
        result,
        takenAt,
      })
    await tested('failed', '2026-11-20T18:00:00Z')
    await expectOk(api, school.admin, 'POST', `${path}/certify`)
    expect(await graduate()).toEqual(['the end-of-course test is not passed'])
    await tested('passed', '2026-11-21T10:00:00Z')
    expect(await graduate()).toEqual(['the training record is not certified'])
    await expectOk(api, school.admin, 'POST', `${path}/certify`)
    expect(await graduate()).toMatchObject({ status: 'graduated', endedAt: NOW.toISOString() })
    const certificate = await api.as(pupil).get(`${path}/certificates/graduation`)
    expect([certificate.statusCode, certificate.headers['content-type']]).toEqual([200, 'application/pdf'])
  })

  test('brings at most half of the course from another approved one, and a quarter otherwise (141.77(c))', async ({
    api,
    pupil,
  }) => {
    const standing = async () => {
      const detail = await expectOk<{ standing: { code: string }[] }>(api, pupil, 'GET', pupil.path)
      return detail.standing.find(({ code }) => code === 'PPL.TOTAL')
    }
    await pupil.credit('PPL.TOTAL', { deciHours: 300, source: 'transfer_141' })
    expect(await standing()).toMatchObject({ credited: 175, disallowed: { transfer: 125 } })
    await pupil.credit('PPL.TOTAL', { deciHours: 300, source: 'transfer_61' })
    // 8.75 hours, in whole tenths.
    expect(await standing()).toMatchObject({ credited: 175 + 87 })
  })

  test('has time in a device credited only when its kind is known', async ({ api, school, pupil }) => {
    const requirementId = pupil.requirements.find(({ code }) => code === 'PPL.TOTAL')!.id
    const refused = await api.as(school.admin).post('/training/credits', {
      enrollmentId: pupil.enrollmentId,
      requirementId,
      source: 'simulator',
      deciHours: 10,
    })
    expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, 'deviceKind'])
    const transferred = await api.as(school.admin).post('/training/credits', {
      enrollmentId: pupil.enrollmentId,
      requirementId,
      source: 'transfer_61',
      deciHours: 10,
      deviceKind: 'ffs',
    })
    expect(transferred.json().message).toBe('deviceKind: is for simulator credit only')
  })
})

describe('the device ceilings of a version (PUT deviceCeilings)', () => {
  test('are those of the appendix when left out, are copied with the version, and must not overlap', async ({
    api,
    school,
  }) => {
    const { admin } = school
    const made = await expectOk<{ id: number; versions: { id: number }[] }>(api, admin, 'POST', '/training/courses', {
      name: 'Instrument',
      regulatoryPart: 'part141',
    })
    const versionId = made.versions[0]?.id ?? 0
    const url = `/training/versions/${versionId}/deviceCeilings`
    const put = await expectOk<{ deviceCeilings: object[] }>(api, admin, 'PUT', url, { appendix: 'c' })
    expect(put).toMatchObject({ appendix: 'c' })
    expect(put.deviceCeilings).toContainEqual({ deviceKinds: ['batd'], bps: 2500 })
    const copy = await expectOk(api, admin, 'POST', `/training/courses/${made.id}/versions`, {
      label: 'Rev B',
      copyFromVersionId: versionId,
    })
    expect(copy).toMatchObject({ appendix: 'c', deviceCeilings: put.deviceCeilings })
    const overlapping = [
      { deviceKinds: ['ffs', 'ftd'], bps: 1000 },
      { deviceKinds: ['ftd', 'aatd'], bps: 1000 },
    ]
    const refused = await api.as(admin).put(url, { deviceCeilings: overlapping })
    expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, 'deviceCeilings'])
  })
})

describe('the certificates of an enrollment (14 CFR 141.93, 141.95)', () => {
  test('say what the regulation asks for, and that of graduation comes after it', async ({ api, school, pupil }) => {
    const refused = await api.as(pupil).get(`${pupil.path}/certificates/graduation`)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'NOT_GRADUATED'])
    const enrolled = await api.as(pupil).get(`${pupil.path}/certificates/enrollment`)
    expect([enrolled.statusCode, enrolled.headers['content-type']]).toEqual([200, 'application/pdf'])
    await expectOk(api, school.instructor, 'POST', '/training/tests', {
      enrollmentId: pupil.enrollmentId,
      kind: 'end_of_course',
      result: 'passed',
      takenAt: '2026-11-20T18:00:00Z',
    })
    const roles = roleFlags({ student: true })
    const actor = { ...pupil, roles, organization: { timeZoneName: 'America/Los_Angeles' } } as unknown as Actor
    const file = await findEnrollmentFile(api.core.database.db, actor, api.clock.now, pupil.enrollmentId)
    const bay = { name: 'Bay Flight Academy', number: 'BF4S617K', country: 'US' }
    const day = '2026-11-21'
    const facts = [
      ['Air agency certificate', 'BF4S617K'],
      ['Course', 'Private pilot, airplane (Part 141), Rev A'],
      ['Under', '14 CFR Part 141'],
      ['Approval', 'FSDO, 3 March'],
    ]
    expect(enrollmentCertificate(file, bay, 7)).toEqual({
      title: 'Certificate of enrollment',
      statements: [
        `${pupil.name} is enrolled in the course Private pilot, airplane (Part 141) as of ${localDate(file.enrollment.createdAt, file.zone)}.`,
      ],
      facts: [
        ...facts,
        ['Date of enrollment', localDate(file.enrollment.createdAt, file.zone)],
        ['Certificate number', 'E-7'],
        ['Number of the school', '2026-17'],
      ],
      signers: [{ role: 'Chief instructor', name: '' }],
    })
    const ended = { ...file, enrollment: { ...file.enrollment, endedAt: new Date(`${day}T20:00:00Z`) } }
    expect(graduationCertificate(ended, bay, 3)).toMatchObject({
      statements: [
        `${pupil.name} graduated from the course Private pilot, airplane (Part 141) on ${day}.`,
        'The graduate has satisfactorily completed each required stage of the course, including the tests for those stages.',
      ],
      facts: [
        ...facts,
        ['Date of graduation', day],
        ['Stages', expect.stringContaining('Ground school; Stage 1: to the first solo')],
        ['Tests passed', 'end of course, 2026-11-20'],
        ['Cross-country training received', '0.0 hours'],
        ['Certificate number', 'G-3'],
      ],
    })
  })
})
