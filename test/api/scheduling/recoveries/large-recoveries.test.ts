import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMembers, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { owedNotifications } from '../../../support/outbox.ts'
import { applied, buildTwin, ground, planned } from '../../../support/recoveries.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const week = { startDate: '2026-11-23', endDate: '2026-11-29' }
/** The plan stays with its days, so that a booking has few places. */
const reach = { days: 0 }

/** Inserts lessons of half an hour on the school's aircraft with its instructor, at most eight a day from Monday, by one student after another. */
async function insertLessons(api: TestApp, school: School, count: number, students: readonly number[]): Promise<void> {
  const { organizationId, plane, location, dispatcher, instructor } = school
  await api.core.database.pool.query(
    `with made as (
       insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id,
         created_by, reminded_for)
       select $1, n::text, 'dual', at, at + interval '30 minutes', 'UTC', $2, $3, $4, at
       from generate_series(0, $5::int - 1) n,
         lateral (select timestamptz '2026-11-23T08:00Z' + make_interval(days => n / 8, hours => n % 8) as at) t
       returning id, title::int as n, starts_at, ends_at)
     insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
     select $1, id, 'instructors', 0, $6, starts_at, ends_at from made
     union all
     select $1, id, 'students', 1, ($7::int[])[1 + n % cardinality($7::int[])], starts_at, ends_at from made`,
    [...[organizationId, plane.id, location.id, dispatcher.orgUserId, count], ...[instructor.orgUserId, students]],
  )
}

const toldOf = async (api: TestApp, id: number) =>
  (await owedNotifications(api)).filter(({ kind, subjectId }) => kind === 'recovery_large' && subjectId === id).length

describe('owners are told of a recovery (§Recovery)', () => {
  test.for([
    [20, 0],
    [21, 1],
  ] as const)('to which %i people are said to have agreed: %i times', async ([count, times], { api, school, twin }) => {
    const people = await buildMembers(api, school.organizationId, Array(count).fill(['student']))
    const students = people.map(({ orgUserId }) => orgUserId)
    await insertLessons(api, school, count, students)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { ...week, reach })
    expect(plan.rows.map(({ to }) => to?.resourceId)).toEqual(Array(count).fill(twin.id))
    const given = { consent: 'given', how: 'message', reservationIds: plan.rows.map((row) => row.reservationId) }
    await applied(api, school.dispatcher, plan.id, given)
    expect(await toldOf(api, plan.id)).toBe(times)
  })

  test.for([
    [50, 0],
    [51, 1],
  ] as const)('that moves %i bookings of an aircraft: %i times', async ([count, times], { api, school, twin }) => {
    await insertLessons(api, school, count, [school.student.orgUserId])
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { ...week, reach })
    expect(plan.rows).toHaveLength(count)
    for (const { to, consent } of plan.rows) expect([to?.resourceId, consent]).toEqual([twin.id, []])
    // Applied in two parts, which count together.
    const ids = plan.rows.map((row) => row.reservationId)
    await applied(api, school.dispatcher, plan.id, { reservationIds: ids.slice(0, 26) })
    expect(await toldOf(api, plan.id), 'after the first part').toBe(0)
    await applied(api, school.dispatcher, plan.id, { reservationIds: ids.slice(26) })
    expect(await toldOf(api, plan.id)).toBe(times)
  })
})
