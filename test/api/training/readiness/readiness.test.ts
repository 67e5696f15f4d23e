import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect } from 'vitest'
import { judgeReadiness } from '../../../../src/shared/training/readiness/readiness.rules.ts'
import { findReadinessFacts } from '../../../../src/shared/training/readiness/readiness-facts.queries.ts'
import { NOW } from '../../../support/app.ts'
import { buildMember, buildSimulator, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'
import { buildTraining, enrol, gradeAndSign } from '../../../support/training.ts'

interface Item {
  key: string
  status: string
  owner: string
  message: string | null
  evidence: { kind: string; id: number }[]
  dueAt: string | null
  [key: string]: unknown
}
interface Readiness {
  verdict: string
  at: string
  applicationAt: string
  open: number
  items: Item[] | null
  hours: object | null
}

const AT = '2026-12-10T10:00:00.000Z'
const APPLICATION = '2026-12-08T10:00:00.000Z'

const test = sharedSchoolTest()
  /** A student of a private course with a planned test, and nothing else on record. */
  .extend('pupil', { scope: 'file' }, async ({ api, school }) => {
    const course = await buildTraining(api, school, { hours: { minDeciHours: 10 } })
    const { courseId } = course
    await expectOk(api, school.admin, 'PATCH', `/training/courses/${courseId}`, {
      certificateSought: 'private',
      ratingId: 1,
    })
    const instructorOrgUserId = school.instructor.orgUserId
    const id = await enrol(api, school, course, school.student, { instructorOrgUserId })
    const path = `/training/enrollments/${id}`
    const plannedTest = {
      at: AT,
      applicationAt: APPLICATION,
      resourceId: school.plane.id,
      examiner: 'Ada Okafor, DPE',
      location: 'KHWD',
    }
    await expectOk(api, school.instructor, 'PATCH', path, { plannedTest })
    return { ...course, id, path }
  })
  .extend(
    'read',
    ({ api, school, pupil }) =>
      (by: Member = school.instructor, query = '') =>
        expectOk<Readiness>(api, by, 'GET', `${pupil.path}/readiness${query}`),
  )
  .extend(
    'statusOf',
    ({ read }) =>
      async (key: string) =>
        (await read()).items?.find((item) => item.key === key)?.status,
  )

describe('a planned test (§28.1: PATCH /training/enrollments/{id})', () => {
  test('has its application, aircraft, examiner and place, in both ways to say its time', async ({
    api,
    school,
    pupil,
  }) => {
    const read = () => expectOk<Record<string, unknown>>(api, school.student, 'GET', pupil.path)
    expect(await read()).toMatchObject({
      plannedTestAt: AT,
      plannedApplicationAt: APPLICATION,
      plannedTest: {
        at: AT,
        applicationAt: APPLICATION,
        resourceId: school.plane.id,
        examiner: 'Ada Okafor, DPE',
        location: 'KHWD',
      },
    })
    // Fields that are left out stay; the old field moves the same test.
    await expectOk(api, school.instructor, 'PATCH', pupil.path, { plannedTest: { at: AT, location: null } })
    await expectOk(api, school.instructor, 'PATCH', pupil.path, { plannedTestAt: '2026-12-11T10:00:00.000Z' })
    expect(await read()).toMatchObject({
      plannedTest: {
        at: '2026-12-11T10:00:00.000Z',
        applicationAt: APPLICATION,
        examiner: 'Ada Okafor, DPE',
        location: null,
      },
    })
    await expectOk(api, school.instructor, 'PATCH', pupil.path, { plannedTest: { at: null } })
    expect(await read()).toMatchObject({ plannedTestAt: null, plannedApplicationAt: null, plannedTest: null })
    const back = { at: AT, applicationAt: APPLICATION, resourceId: school.plane.id }
    await expectOk(api, school.instructor, 'PATCH', pupil.path, { plannedTest: back, plannedTestAt: AT })
    expect(await read()).toMatchObject({ plannedTest: { ...back, examiner: null, location: null } })
    const { rows } = await sql<{
      after: object
    }>`select after from event where kind = 'enrollment.test_planned' order by at desc, id limit 9`.execute(
      api.core.database.db,
    )
    expect(rows).toContainEqual({
      after: { plannedTestAt: AT, plannedApplicationAt: APPLICATION, resourceId: school.plane.id },
    })
  })

  test('is refused when it contradicts itself or names no aircraft', async ({ api, school, pupil }) => {
    const refusal = async (body: object) => {
      const answer = await api.as(school.instructor).patch(pupil.path, body)
      return [answer.statusCode, answer.json().message]
    }
    const simulator = await buildSimulator(api, school)
    expect(await refusal({ plannedTest: { at: AT }, plannedTestAt: APPLICATION })).toEqual([
      400,
      'plannedTestAt: differs from plannedTest',
    ])
    expect(await refusal({ plannedTest: { at: APPLICATION, applicationAt: AT } })).toEqual([
      400,
      'plannedTest.applicationAt: must not be after the test',
    ])
    for (const resourceId of [simulator.id, 999_999]) {
      expect(await refusal({ plannedTest: { at: AT, resourceId } })).toEqual([
        400,
        'plannedTest.resourceId: there is no such aircraft',
      ])
    }
  })
})

describe('readiness (§28.2: GET /training/enrollments/{id}/readiness)', () => {
  test('is unknown and not ready where nothing is on record', async ({ read }) => {
    const { verdict, open, items, hours, ...days } = await read()
    expect({ verdict, days }).toMatchObject({ verdict: 'not_ready', days: { at: AT, applicationAt: APPLICATION } })
    expect(items?.map(({ key, status }) => `${key} ${status}`)).toEqual([
      'age unknown',
      'identity unknown',
      'certificate_held missing',
      'medical missing',
      'knowledge_test missing',
      'experience:HOURS missing',
      'experience:LANDINGS missing',
      'endorsement:A.1 missing',
      'endorsement:A.37 missing',
      'record:signed met',
      'record:countersigned met',
      'aircraft:class met',
      'aircraft:grounded met',
      'aircraft:annual unknown',
      'aircraft:elt unknown',
      'aircraft:transponder unknown',
      'aircraft:registration missing',
      'aircraft:airworthiness missing',
      'aircraft:weight_and_balance missing',
      'aircraft:poh missing',
      'aircraft:booked missing',
    ])
    expect(open).toBe(17)
    expect(hours).toEqual({ byCategory: [], brought: {} })
    expect(items?.find(({ key }) => key === 'endorsement:A.1')).toMatchObject({
      group: 'endorsements',
      message: 'A.1 is not signed.',
      rule: '14 CFR 61.39(a)(6)(i)',
      needs: { action: 'sign_endorsement', code: 'A.1' },
      owner: 'instructor',
      dueAt: APPLICATION,
    })
  })

  test('moves the test and its application by the same time, within two years', async ({
    api,
    school,
    pupil,
    read,
  }) => {
    const { at, applicationAt } = await read(school.student, '?at=2027-02-01T10:00:00Z')
    expect({ at, applicationAt }).toEqual({ at: '2027-02-01T10:00:00.000Z', applicationAt: '2027-01-30T10:00:00.000Z' })
    // The planned test is at ten by the school's clock.
    expect(await read(school.student, '?at=2027-02-01')).toMatchObject({ at, applicationAt })
    const far = await api.as(school.student).get(`${pupil.path}/readiness?at=2028-11-22T12:00:00Z`)
    expect([far.statusCode, far.json().message]).toEqual([400, 'at: must be within two years from now'])
  })

  test('follows each source at once, to ready', async ({ api, school, pupil, read, statusOf }) => {
    const { admin, instructor, student, technician, plane, organizationId } = school
    const { db } = api.core.database
    const becomes = async (key: string, status: string, write: () => Promise<unknown>) => {
      expect(await statusOf(key), key).not.toBe(status)
      await write()
      expect(await statusOf(key), key).toBe(status)
    }
    const own = { birthDate: '2008-12-11', pilotCertificate: { grade: 'student', number: '4711' } }
    await expectOk(api, student, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, own)
    expect(await statusOf('certificate_held')).toBe('unknown')
    const byStaff = { ...own, birthDate: '2009-12-11' }
    // 17 years old the day after the test.
    await becomes('age', 'missing', () =>
      expectOk(api, admin, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, byStaff),
    )
    await becomes('age', 'met', () =>
      expectOk(api, admin, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, { birthDate: '2009-12-10' }),
    )
    expect(await statusOf('certificate_held')).toBe('met')

    await becomes('identity', 'met', () =>
      db
        .insertInto('document')
        .values({
          organization_id: organizationId,
          title: 'Passport',
          category: 'identification',
          membership_id: student.orgUserId,
          roles: sql`'[]'::jsonb`,
          form_opened_at: NOW,
          file_name: 'passport.pdf',
          content_type: 'application/pdf',
          storage_key: `${organizationId}/passport.pdf`,
          uploaded_by: student.orgUserId,
          upload: 'stored',
          status: 'verified',
          verified_by: admin.orgUserId,
          verified_at: NOW,
        })
        .execute(),
    )
    const rule = await db
      .insertInto('currency')
      .values({
        organization_id: organizationId,
        name: 'Medical',
        kind: 'medical',
        privilege: 'private',
        roles: sql`'[]'`,
        reservation_types: sql`'[]'`,
        resource_ids: sql`'[]'`,
        overridable_by: sql`'["owner", "admin"]'`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const medical = (recordedBy: Member) =>
      db
        .insertInto('currency_record')
        .values({
          organization_id: organizationId,
          currency_id: rule.id,
          membership_id: student.orgUserId,
          completed_at: new Date('2026-05-04T12:00:00Z'),
          medical_class: 'third',
          recorded_by: recordedBy.orgUserId,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'currency_id', 'membership_id'])
            .doUpdateSet({ recorded_by: recordedBy.orgUserId }),
        )
        .execute()
    await becomes('medical', 'unknown', () => medical(student))
    await becomes('medical', 'met', () => medical(admin))

    const passed = { enrollmentId: pupil.id, kind: 'knowledge', takenAt: '2026-10-05', result: 'passed', score: 92 }
    const knowledge = await expectOk<{ id: number; code: null }>(api, instructor, 'POST', '/training/tests', passed)
    expect([knowledge.code, await statusOf('knowledge_test')]).toEqual([null, 'unknown'])
    await becomes('knowledge_test', 'met', () =>
      expectOk(api, instructor, 'PATCH', `/training/tests/${knowledge.id}`, { code: 'par' }),
    )
    const failed = { enrollmentId: pupil.id, kind: 'practical', takenAt: '2026-11-02', result: 'failed' }
    await becomes('retest', 'missing', () => expectOk(api, instructor, 'POST', '/training/tests', failed))

    const certificate = { number: '3141592CFI', ratings: ['CFI-ASE'] }
    await expectOk(api, admin, 'PATCH', `/orgUsers/${instructor.orgUserId}/profile`, {
      instructorCertificate: certificate,
    })
    const endorse = (templateCode: string, extra: object = {}) => {
      const body = { orgUserId: student.orgUserId, enrollmentId: pupil.id, templateCode, renderedText: 'Prepared.' }
      return expectOk<{ id: number }>(api, instructor, 'POST', '/training/endorsements', { ...body, ...extra })
    }
    for (const code of ['A.1', 'A.2', 'A.37']) await becomes(`endorsement:${code}`, 'met', () => endorse(code))
    await becomes('retest', 'met', () => endorse('A.77'))

    const credit = (requirementId: number, amount: object, source: string, notes: string | null = 'Logbook') =>
      expectOk<{ id: number }>(api, admin, 'POST', '/training/credits', {
        enrollmentId: pupil.id,
        requirementId,
        source,
        notes,
        ...amount,
      })
    const byHand = await credit(pupil.hours, { deciHours: 10 }, 'manual')
    expect(await statusOf('experience:HOURS')).toBe('unknown')
    await expectOk(api, admin, 'POST', `/training/credits/${byHand.id}/reverse`, { reason: 'Flown here' })
    const unnoted = await credit(pupil.hours, { deciHours: 10 }, 'simulator', null)
    expect((await read()).items?.find(({ key }) => key === 'experience:HOURS')).toMatchObject({
      status: 'unknown',
      why: 'without_proof',
    })
    await expectOk(api, admin, 'POST', `/training/credits/${unnoted.id}/reverse`, { reason: 'Without a note' })
    await becomes('experience:LANDINGS', 'met', async () => {
      for (let flight = 0; flight < 3; flight++) await gradeAndSign(api, instructor, pupil.id, pupil.lesson)
    })
    await credit(pupil.hours, { deciHours: 2 }, 'transfer_61')
    expect(await statusOf('experience:HOURS')).toBe('met')
    expect(await statusOf('record:countersigned')).toBe('missing')
    await becomes('record:countersigned', 'met', async () => {
      const { rows } = await sql<{
        id: number
      }>`select id from training_record where enrollment_id = ${pupil.id}`.execute(db)
      for (const { id } of rows) await expectOk(api, student, 'POST', `/training/records/${id}/countersign`, {})
    })

    const reminder = (name: string, extra: object = {}) =>
      expectOk<{ id: number; kind: string }>(api, technician, 'POST', '/maintenance/reminders', {
        resource: { id: plane.id },
        name,
        basis: 'calendar',
        intervalMonths: 12,
        lastDoneAt: '2025-12-01',
        ...extra,
      })
    for (const [name, kind] of [
      ['Annual inspection', 'annual'],
      ['ELT inspection', 'elt'],
      ['Transponder test', 'transponder'],
    ] as const) {
      await becomes(`aircraft:${kind}`, 'met', async () => expect(await reminder(name)).toMatchObject({ kind }))
    }
    // 9.8 hours are left, and the booking of the test takes four.
    const hundred = await reminder('100-hour inspection', {
      basis: 'hobbs',
      intervalMonths: null,
      lastDoneAt: null,
      intervalHours: 100,
      dueReading: 1009.8,
    })
    expect(await statusOf('aircraft:hundred_hour')).toBe('met')
    for (const category of ['registration', 'airworthiness', 'weight_and_balance', 'poh'] as const) {
      await becomes(`aircraft:${category}`, 'met', () =>
        db
          .insertInto('resource_file')
          .values({
            organization_id: organizationId,
            resource_id: plane.id,
            category,
            visibility: 'bookers',
            file_name: `${category}.pdf`,
            content_type: 'application/pdf',
            storage_key: `${organizationId}/${category}.pdf`,
            uploaded_by: admin.orgUserId,
            upload: 'stored',
          })
          .execute(),
      )
    }
    await becomes('aircraft:booked', 'met', () =>
      bookDual(api, school, { start: '2026-12-10T08:00:00Z', end: '2026-12-10T12:00:00Z' }),
    )

    const ready = await read()
    expect(ready.items?.filter(({ status }) => status !== 'met')).toEqual([])
    expect(ready).toMatchObject({ verdict: 'ready', open: 0 })
    expect(ready.hours).toEqual({ byCategory: [], brought: { HOURS: 44, LANDINGS: 3 } })

    await becomes('aircraft:hundred_hour', 'ends_before', () =>
      expectOk(api, technician, 'PATCH', `/maintenance/reminders/${hundred.id}`, { dueReading: 1003 }),
    )
    await becomes('aircraft:grounded', 'missing', () =>
      expectOk(api, admin, 'PATCH', `/resources/${plane.id}/grounding`, { grounded: true, reason: 'Left brake' }),
    )
    expect((await read()).verdict).toBe('not_ready')
  })

  test('is read whole by who teaches, leads or audits, and by its verdict alone by other staff', async ({
    api,
    school,
    pupil,
    read,
  }) => {
    const { owner, admin, dispatcher, instructor, student, renter, technician } = school
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const words = async (by: Member) => {
      const { items } = await read(by)
      return (
        items &&
        ['age', 'identity', 'medical'].filter((key) => items.find((item) => item.key === key)?.message !== null)
      )
    }
    for (const by of [student, owner, admin]) expect(await words(by)).toEqual(['age', 'identity', 'medical'])
    expect(await words(instructor)).toEqual(['age', 'medical'])
    for (const by of [dispatcher, other]) {
      const { verdict, items, hours, open } = await read(by)
      expect({ verdict, items, hours }).toEqual({ verdict: expect.any(String), items: null, hours: null })
      expect(open).toBe((await read(admin)).open)
    }
    for (const by of [renter, technician]) {
      expect((await api.as(by).get(`${pupil.path}/readiness`)).statusCode).toBe(404)
    }
    await expectOk(api, admin, 'POST', '/training/grants', { orgUserId: renter.orgUserId, grant: 'auditor' })
    expect(await words(renter)).toEqual([])
    const withheld = (await read(renter)).items?.find(({ key }) => key === 'medical')
    expect(withheld).toEqual({
      key: 'medical',
      group: 'person',
      status: expect.any(String),
      rule: expect.any(String),
      owner: expect.any(String),
      message: null,
      evidence: [],
      dueAt: null,
    })
    await expectOk(api, admin, 'PATCH', `/training/courses/${pupil.courseId}`, {
      chiefInstructorOrgUserId: other.orgUserId,
    })
    expect(await words(other)).toEqual(['medical'])
    // Who teaches the student within 60 days.
    const substitute = await buildMember(api, school.organizationId, ['instructor'])
    expect(await words(substitute)).toBeNull()
    await bookDual(api, school, {
      start: '2026-12-01T08:00:00Z',
      end: '2026-12-01T09:00:00Z',
      extra: {
        personnel: { instructors: [{ orgUserId: substitute.orgUserId }], students: [{ orgUserId: student.orgUserId }] },
        resource: undefined,
        type: 'ground',
      },
    })
    expect(await words(substitute)).toEqual(['age', 'medical'])
  })

  test('asks for A.77 after a test that was failed in an earlier enrollment for the same certificate', async ({
    api,
    school,
    pupil,
  }) => {
    const member = await buildMember(api, school.organizationId, ['student'])
    const earlier = await enrol(api, school, pupil, member)
    const failed = { enrollmentId: earlier, kind: 'practical', takenAt: '2026-11-02', result: 'failed' }
    await expectOk(api, school.instructor, 'POST', '/training/tests', failed)
    await expectOk(api, school.admin, 'POST', `/training/enrollments/${earlier}/end`, { status: 'terminated' })
    const id = await enrol(api, school, pupil, member)
    const { items } = await expectOk<Readiness>(api, school.admin, 'GET', `/training/enrollments/${id}/readiness`)
    expect(items?.find(({ key }) => key === 'retest')?.status).toBe('missing')
  })

  test('takes a fixed number of statements, for many students as for one', async ({ api, school, pupil, read }) => {
    const { statements } = await countStatements(api, () => read(school.admin))
    expect(statements).toHaveLength(16)
    const scope = { organizationId: school.organizationId, zone: 'UTC', now: NOW }
    const second = await buildMember(api, school.organizationId, ['student'])
    const id = await enrol(api, school, pupil, second)
    const wanted = [pupil.id, id].map((one) => ({ id: one, at: new Date(AT), applicationAt: new Date(APPLICATION) }))
    const many = await countStatements(api, () => findReadinessFacts(api.core.database.db, scope, wanted))
    expect(many.statements).toHaveLength(13)
    expect([...many.result.keys()]).toEqual([pupil.id, id])
  })

  test('is unknown where a source fails, and reads the others', async ({ api, school, pupil }) => {
    const { db } = api.core.database
    const scope = { organizationId: school.organizationId, zone: 'UTC', now: NOW }
    const wanted = [{ id: pupil.id, at: new Date(AT), applicationAt: new Date(APPLICATION) }]
    const failedBy = async (table: string) => {
      const failing: KyselyPlugin = {
        transformQuery: ({ node }) => {
          if (JSON.stringify(node).includes(table)) throw new Error('canceling statement due to statement timeout')
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const facts = (await findReadinessFacts(db.withPlugin(failing), scope, wanted)).get(pupil.id)!
      const { verdict, items } = judgeReadiness(facts)
      expect(verdict).not.toBe('ready')
      return items.filter(({ why }) => why === 'source_failed').map(({ key }) => key)
    }
    expect(await failedBy('member_profile')).toEqual(['age', 'identity', 'certificate_held'])
    expect(await failedBy('currency_record')).toEqual(['medical'])
    expect(await failedBy('credit_entry')).toEqual(['experience'])
    expect(await failedBy('endorsement')).toEqual(['retest', 'endorsement:A.1', 'endorsement:A.37', 'endorsement:A.2'])
    expect(await failedBy('maintenance_limit')).toEqual(['aircraft'])
  })
})
