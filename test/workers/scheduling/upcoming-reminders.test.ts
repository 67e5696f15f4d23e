import { describe, expect } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { remindOfBookings } from '../../../src/shared/scheduling/reservations/remind-upcoming.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { notifyingTest } from '../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../support/flights.ts'

const test = notifyingTest()
  /** Goes to an instant, reminds, and answers the bookings that the student of a school was reminded of so far. */
  .extend('remindedAt', ({ env, school }) => async (instant: string, at: School = school): Promise<number[]> => {
    const { api, workers } = env
    api.clock.now = new Date(instant)
    await workers.run(remindOfBookings)
    const rows = await api.core.database.db
      .selectFrom('notification')
      .select('data')
      .where('membership_id', '=', at.student.orgUserId)
      .where('kind', '=', 'reservation_upcoming')
      .orderBy('id')
      .execute()
    return rows.map(({ data }) => (data as { reservationId: number }).reservationId)
  })
  /** Books Thursday's 10:00 on Saturday. */
  .extend('bookThursday', ({ env, school }) => (at: School = school): Promise<number> => {
    env.api.clock.now = new Date('2026-11-21T12:00:00Z')
    return bookDual(env.api, at, { start: '2026-11-26T10:00:00Z', end: '2026-11-26T12:00:00Z' })
  })

describe('those on a booking are reminded (§Notifications)', () => {
  test('a day ahead, once', async ({ remindedAt, bookThursday }) => {
    const id = await bookThursday()
    expect(await remindedAt('2026-11-25T09:59:59Z')).toEqual([])
    expect(await remindedAt('2026-11-25T10:00:00Z')).toEqual([id])
    expect(await remindedAt('2026-11-25T10:01:00Z')).toEqual([id])
    expect(await remindedAt('2026-11-26T09:59:00Z')).toEqual([id])
  })

  test('as many hours ahead as the organization says, and never where it says none', async ({
    env,
    remindedAt,
    bookThursday,
  }) => {
    const late = await buildSchool(env.api, { settings: { upcomingReminderHours: 2 } })
    const id = await bookThursday(late)
    expect(await remindedAt('2026-11-26T07:59:00Z', late)).toEqual([])
    expect(await remindedAt('2026-11-26T08:00:00Z', late)).toEqual([id])
    const never = await buildSchool(env.api, { settings: { upcomingReminderHours: 0 } })
    await bookThursday(never)
    expect(await remindedAt('2026-11-26T09:59:59Z', never)).toEqual([])
  })

  test('also a guest whom the desk wrote in, by mail, and tells them of a move of many bookings at once', async ({
    env,
    school,
    remindedAt,
  }) => {
    const { api, workers } = env
    api.clock.now = new Date('2026-11-21T12:00:00Z')
    const email = `written.in.${school.organizationId}@example.com`
    const personnel = {
      instructors: [{ orgUserId: school.instructor.orgUserId }],
      guests: [{ name: 'Gus Ode', email, phone: '+1 510 555 0101' }],
    }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      type: 'guest',
      title: 'A flight',
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      personnel,
      start: '2026-11-26T10:00:00Z',
      end: '2026-11-26T12:00:00Z',
    })
    await workers.settled()
    const bulk = { ids: [id], action: { move: { minutes: 60 } } }
    await expectOk(api, school.dispatcher, 'POST', '/reservations/bulk', bulk)
    await workers.settled()
    await remindedAt('2026-11-25T11:00:00Z')
    await workers.settled()
    expect(workers.mails(email).map(({ subject }) => subject)).toEqual([
      'New booking: A flight',
      'Booking changed: A flight',
      'Coming up: A flight',
    ])
  })

  test('by mails that count for the student who booked, since a booking can be moved and reminded of again', async ({
    env,
    school,
    remindedAt,
  }) => {
    const { api, workers } = env
    const counted = async () => {
      await workers.settled()
      const { rows } = await api.core.database.pool.query<{ mails: number }>(
        "select coalesce(sum(mails), 0)::int as mails from mail_count where scope = 'by_member' and key = $1",
        [String(school.student.orgUserId)],
      )
      return rows[0]?.mails
    }
    api.clock.now = new Date('2026-11-21T12:00:00Z')
    const thursday = { start: '2026-11-26T10:00:00Z', end: '2026-11-26T12:00:00Z' }
    await expectOk(api, school.student, 'POST', '/reservations', dualBody(school, thursday))
    // The instructor is mailed of the booking, and both are reminded of it.
    expect(await counted()).toBe(1)
    await remindedAt('2026-11-25T10:00:00Z')
    expect(await counted()).toBe(3)
  })

  test('not of one that is cancelled', async ({ env, school, remindedAt, bookThursday }) => {
    const id = await bookThursday()
    const body = { reason: 'Fog', category: 'weather' }
    await env.api.call('DELETE', `/reservations/${id}`, { token: school.admin.token, body })
    expect(await remindedAt('2026-11-26T09:00:00Z')).toEqual([])
  })

  test('at the new time of one that is moved, and once more when they were reminded already', async ({
    env,
    school,
    remindedAt,
    bookThursday,
  }) => {
    const id = await bookThursday()
    const move = (start: string, end: string) =>
      expectOk(env.api, school.dispatcher, 'PATCH', `/reservations/${id}`, { start, end })
    await move('2026-11-28T10:00:00Z', '2026-11-28T12:00:00Z')
    expect(await remindedAt('2026-11-26T09:00:00Z')).toEqual([])
    expect(await remindedAt('2026-11-27T10:00:00Z')).toEqual([id])
    await move('2026-12-05T10:00:00Z', '2026-12-05T12:00:00Z')
    expect(await remindedAt('2026-12-04T09:00:00Z')).toEqual([id])
    expect(await remindedAt('2026-12-04T10:00:00Z')).toEqual([id, id])
  })

  test('not of one that was booked or moved within those hours: they are told of it just then', async ({
    env,
    school,
    remindedAt,
  }) => {
    env.api.clock.now = new Date('2026-11-25T12:00:00Z')
    const soon = { start: '2026-11-26T10:00:00Z', end: '2026-11-26T12:00:00Z' }
    await bookDual(env.api, school, soon)
    expect(await remindedAt('2026-11-26T09:00:00Z')).toEqual([])
  })

  test('not of one that has begun or has left the ramp', async ({ env, remindedAt, bookThursday }) => {
    const id = await bookThursday()
    await env.api.core.database.db
      .updateTable('reservation')
      .set({ ramped_out_at: new Date('2026-11-25T09:00:00Z') })
      .where('id', '=', id)
      .execute()
    expect(await remindedAt('2026-11-25T12:00:00Z')).toEqual([])
  })

  test('not late: a reminder that waited until the booking was cancelled or moved away is dropped', async ({
    env,
    school,
    remindedAt,
    bookThursday,
  }) => {
    const { api, workers } = env
    const id = await bookThursday()
    api.clock.now = new Date('2026-11-25T10:00:00Z')
    const { enqueued } = await inTransaction(api.core.database, api.core.clock, remindOfBookings)
    expect(enqueued).toHaveLength(1)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${id}`, {
      start: '2027-01-05T10:00:00Z',
      end: '2027-01-05T12:00:00Z',
    })
    api.core.relay.publish(enqueued)
    await workers.settled()
    expect(await remindedAt('2026-11-25T10:05:00Z')).toEqual([])
  })
})

test('a thousand bookings are reminded of in batches, each once, by two at a time', async ({ env, school }) => {
  const { api } = env
  const { organizationId, dispatcher } = school
  api.clock.now = new Date('2026-12-30T00:00:00Z')
  await api.core.database.pool.query(
    `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by)
     select $1, 'Lesson', 'ground', timestamptz '2026-12-30T10:00:00Z', timestamptz '2026-12-30T11:00:00Z', 'UTC', $2
     from generate_series(1, 1000)`,
    [organizationId, dispatcher.orgUserId],
  )
  const run = async () => {
    let owed = 0
    for (;;) {
      const batch = await inTransaction(api.core.database, api.core.clock, remindOfBookings)
      owed += batch.enqueued.length
      if (!batch.result) return owed
    }
  }
  const [a, b] = await Promise.all([run(), run()])
  expect(a + b).toBe(1000)
})
