import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Member, School } from '../../support/builders.ts'
import { buildCurrency } from '../../support/currencies.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, fly, setRates } from '../../support/flights.ts'
import { buildBooking } from '../../support/records.ts'
import { countStatements } from '../../support/statements.ts'
import { buildTraining, enrol, grade, insertEndorsement } from '../../support/training.ts'

interface Item {
  kind: string
  subject: { kind: string; id: number; title: string }
  since: string
  action: { method: string; path: string }
}

const test = schoolTest()
  .extend(
    'todo',
    ({ api }) =>
      (who: Member) =>
        expectOk<Item[]>(api, who, 'GET', '/todo/me'),
  )
  .extend(
    'kinds',
    ({ todo }) =>
      async (who: Member) =>
        (await todo(who)).map(({ kind }) => kind),
  )
  /** Sends what an item says. */
  .extend('act', ({ api, todo }) => async (who: Member, kind: string, body: object = {}) => {
    const { action } = (await todo(who)).find((item) => item.kind === kind)!
    return expectOk<{ id: number }>(api, who, action.method as 'POST', action.path, body)
  })
  /** A student of the instructor, enrolled in October. */
  .extend('course', async ({ api, school }) => {
    const course = await buildTraining(api, school)
    const instructorOrgUserId = school.instructor.orgUserId
    const enrollmentId = await enrol(api, school, course, school.student, { instructorOrgUserId })
    await sql`update enrollment set created_at = '2026-10-01' where id = ${enrollmentId}`.execute(api.core.database.db)
    return { ...course, enrollmentId }
  })

const past = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' }

describe('what a member has to do (§Training: GET /todo)', () => {
  test('follows a flight from the ramp to the invoice', async ({ api, school, kinds, todo, act }) => {
    const { admin, dispatcher, instructor, student } = school
    await setRates(api, school)
    const id = await bookDual(api, school, past)
    expect(await todo(instructor)).toEqual([])
    await expectOk(api, instructor, 'POST', `/reservations/${id}/rampOut`, { hobbsTimeOut: 1000, tachTimeOut: 900 })
    expect(await todo(student)).toEqual([
      {
        kind: 'ramp_in',
        subject: { kind: 'reservation', id, title: 'Lesson 4: stalls' },
        since: api.clock.now.toISOString(),
        dueAt: null,
        action: { method: 'POST', path: `/reservations/${id}/rampIn` },
      },
    ])
    await act(instructor, 'ramp_in', { hobbsTimeIn: 1001.4, tachTimeIn: 901.2 })
    for (const who of [instructor, student]) {
      expect(await kinds(who)).toEqual(['confirm_review'])
      await act(who, 'confirm_review')
      expect(await kinds(who)).toEqual([])
    }
    expect(await kinds(dispatcher)).toEqual([])
    expect(await kinds(admin)).toEqual(['invoice_flight'])
    await sql`update membership set billing_mode = 'ledger' where id = ${student.orgUserId}`.execute(
      api.core.database.db,
    )
    await act(admin, 'invoice_flight')
    expect(await kinds(admin)).toEqual([])
  })

  test('follows a lesson from the flight to the countersignature', async ({
    api,
    school,
    course,
    kinds,
    todo,
    act,
  }) => {
    const { instructor, student } = school
    const id = await bookDual(api, school, past)
    await fly(api, school, id)
    expect(await kinds(instructor)).toEqual(['confirm_review', 'write_record'])
    const [, write] = await todo(instructor)
    expect(write).toMatchObject({ subject: { id }, action: { method: 'POST', path: '/training/records' } })
    await grade(api, instructor, course.enrollmentId, course.lesson, { reservationId: id })
    expect(await kinds(instructor)).toEqual(['confirm_review', 'sign_record'])
    const record = (await todo(instructor)).at(1)?.subject
    expect(record).toMatchObject({ kind: 'training_record', title: `First flight, ${student.name}` })
    expect(await kinds(student)).toEqual(['confirm_review'])
    await act(instructor, 'sign_record')
    expect(await kinds(instructor)).toEqual(['confirm_review'])
    expect(await kinds(student)).toContain('countersign_record')
    await act(student, 'countersign_record')
    expect(await kinds(student)).toEqual(['confirm_review'])
  })

  test('asks the student’s own instructor for the record of a solo flight, and nobody for a flight before the enrollment or more than 90 days ago', async ({
    api,
    school,
    course,
    kinds,
  }) => {
    const seats = [{ side: 'students' as const, member: school.student }]
    const ids = [
      await buildBooking(api, school, { seats, fromHour: -100 }),
      await buildBooking(api, school, { seats, fromHour: -2000 }),
      await buildBooking(api, school, { seats, fromHour: -91 * 24 }),
    ]
    const { db } = api.core.database
    await sql`update reservation set ramped_out_at = starts_at, ramped_in_at = ends_at where id = any(${ids})`.execute(
      db,
    )
    expect(await kinds(school.instructor)).toEqual(['write_record'])
    expect(await kinds(school.student)).toEqual(['confirm_review', 'confirm_review'])
    await grade(api, school.instructor, course.enrollmentId, course.lesson, { reservationId: ids[0] })
    expect(await kinds(school.instructor)).toEqual(['sign_record'])
  })

  test('has lessons without meters from their end on', async ({ api, school, kinds }) => {
    const ground = { extra: { type: 'ground', resource: null } }
    await bookDual(api, school, { start: '2026-11-22T10:00:00Z', end: '2026-11-22T12:00:00Z', ...ground })
    api.clock.now = new Date('2026-11-22T11:59:00Z')
    expect(await kinds(school.student)).toEqual([])
    api.clock.now = new Date('2026-11-22T12:00:00Z')
    expect(await kinds(school.student)).toEqual(['confirm_review'])
  })

  test('has endorsements and currencies from 30 days, and the warning, before their end on', async ({
    api,
    school,
    todo,
  }) => {
    const { student } = school
    const day = (days: number) => new Date(api.clock.now.getTime() + days * 86_400_000)
    const endorsement = await insertEndorsement(api, school, { expiresAt: day(20) })
    await insertEndorsement(api, school, { expiresAt: day(40) })
    const { currencyId } = await buildCurrency(api, school, { holder: student, expiresAt: day(10) })
    await buildCurrency(api, school, { holder: student, expiresAt: day(200) })
    const items = await todo(student)
    expect(items.map(({ kind, subject }) => [kind, subject.title])).toEqual([
      ['renew_currency', 'Medical'],
      ['renew_endorsement', 'Solo flight'],
    ])
    expect(items[1]).toMatchObject({ since: day(-10).toISOString(), subject: { id: endorsement } })
    const renewed = await insertEndorsement(api, school, { expiresAt: day(300) })
    await sql`update endorsement set superseded_at = now(), superseded_by_id = ${renewed} where id = ${endorsement}`.execute(
      api.core.database.db,
    )
    await expectOk(api, school.admin, 'PUT', `/orgUsers/${student.orgUserId}/currencies/${currencyId}`, {
      completedAt: day(0).toISOString(),
      expiresAt: day(300).toISOString(),
    })
    expect(await todo(student)).toEqual([])
  })

  test('has what is open before a practical test of the next 21 days, for its owner', async ({
    api,
    school,
    course,
    todo,
  }) => {
    const { admin, instructor, student, renter } = school
    const plan = (at: string) =>
      expectOk(api, instructor, 'PATCH', `/training/enrollments/${course.enrollmentId}`, { plannedTest: { at } })
    const titles = async (who: Member) => (await todo(who)).map(({ subject }) => subject.title)
    await plan('2026-12-12T12:00:01Z')
    for (const who of [student, instructor, admin]) expect(await titles(who)).toEqual([])
    await plan('2026-12-12T12:00:00Z')
    const [first] = await todo(student)
    expect(first).toMatchObject({
      kind: 'prepare_test',
      subject: { kind: 'enrollment', id: course.enrollmentId },
      since: '2026-11-21T12:00:00.000Z',
      dueAt: '2026-12-12T12:00:00.000Z',
    })
    const { items } = await expectOk<{ items: { key: string; status: string; owner: string }[] }>(
      api,
      student,
      'GET',
      `/training/enrollments/${course.enrollmentId}/readiness`,
    )
    const open = (owner: string) => items.filter((item) => item.owner === owner && item.status !== 'met').length
    for (const [who, owner] of [
      [student, 'student'],
      [instructor, 'instructor'],
      [admin, 'school'],
    ] as const) {
      expect(await titles(who), owner).toHaveLength(open(owner))
    }
    expect(await titles(student)).toContain(`medical (${student.name})`)
    expect(await titles(renter)).toEqual([])
    await plan('2026-11-21T12:00:00Z')
    expect(await titles(student)).toEqual([])
  })

  test('has requests for the desk and open squawks for who maintains aircraft', async ({ api, school, kinds, act }) => {
    const { admin, dispatcher, instructor, student, technician } = school
    await expectOk(api, student, 'POST', '/maintenance/squawks', {
      resource: { id: school.plane.id },
      title: 'Flat strut',
    })
    await insertRequest(school, api.core.database)
    expect(await kinds(dispatcher)).toEqual(['decide_request'])
    expect(await kinds(technician)).toEqual(['acknowledge_squawk'])
    expect((await kinds(admin)).toSorted()).toEqual(['acknowledge_squawk', 'decide_request'])
    for (const who of [student, instructor]) expect(await kinds(who)).toEqual([])
    await act(technician, 'acknowledge_squawk', { status: 'in_progress' })
    await sql`update booking_request set status = 'declined'`.execute(api.core.database.db)
    expect(await kinds(admin)).toEqual([])
  })

  test('is read of others by staff, with the kinds of that member’s roles', async ({ api, school }) => {
    const { instructor, student, technician } = school
    await expectOk(api, student, 'POST', '/maintenance/squawks', {
      resource: { id: school.plane.id },
      title: 'Flat strut',
    })
    const url = `/todo?orgUserId=${technician.orgUserId}`
    expect(await expectOk<Item[]>(api, instructor, 'GET', url)).toHaveLength(1)
    expect((await api.as(instructor).get('/todo')).statusCode).toBe(400)
  })

  test('takes as many statements for forty items as for one', async ({ api, school }) => {
    const seats = [{ side: 'instructors' as const, member: school.instructor }]
    const count = async () => (await countStatements(api, () => api.as(school.instructor).get('/todo/me'))).statements
    const first = await buildBooking(api, school, { seats, fromHour: -1000 })
    const { db } = api.core.database
    const flyAll = () =>
      sql`update reservation set ramped_out_at = starts_at, ramped_in_at = ends_at where id >= ${first}`.execute(db)
    await flyAll()
    const one = await count()
    for (let index = 1; index < 40; index++) await buildBooking(api, school, { seats, fromHour: -1000 + index * 4 })
    await flyAll()
    const answer = await api.as(school.instructor).get('/todo/me')
    expect(answer.json().data).toHaveLength(40)
    expect(await count()).toEqual(one)
  })
})

function insertRequest(school: School, { db }: { db: Parameters<ReturnType<typeof sql>['execute']>[0] }) {
  return sql`insert into booking_request (organization_id, type, title, time_zone_name, starts_at, ends_at, status, requester_id)
    values (${school.organizationId}, 'solo', 'Pattern work', 'UTC', '2026-12-01T10:00Z', '2026-12-01T12:00Z', 'pending',
      ${school.student.orgUserId})`.execute(db)
}
