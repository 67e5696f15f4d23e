import { describe, expect } from 'vitest'
import { remindLate } from '../../../src/shared/dispatch/close-out.jobs.ts'
import { notifyingTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'

const test = notifyingTest()
  /** A dual from ten to twelve on Monday. */
  .extend('id', { auto: true }, ({ env, school }) => {
    env.api.clock.now = new Date('2026-11-21T12:00:00Z')
    return bookDual(env.api, school)
  })
  .extend('leave', ({ env, school, id }) => async (instant: string, body: object = {}): Promise<void> => {
    env.api.clock.now = new Date(instant)
    const out = { hobbsTimeOut: 1000, tachTimeOut: 900, ...body }
    await expectOk(env.api, school.instructor, 'POST', `/reservations/${id}/rampOut`, out)
  })
  /** Goes to an instant, lets the schedule run, and answers how many alarms each got so far. */
  .extend('alarmsAt', ({ env, school }) => async (instant: string) => {
    const { api, workers } = env
    api.clock.now = new Date(instant)
    await workers.run((tx) => tx.enqueue(remindLate, {}))
    const rows = await api.core.database.db
      .selectFrom('notification')
      .select('membership_id')
      .where('organization_id', '=', school.organizationId)
      .where('kind', '=', 'flight_overdue')
      .execute()
    const of = (who: 'dispatcher' | 'instructor' | 'student') =>
      rows.filter((row) => row.membership_id === school[who].orgUserId).length
    return { dispatcher: of('dispatcher'), instructor: of('instructor'), student: of('student') }
  })

const told = (times: number) => ({ dispatcher: times, instructor: times, student: 0 })

describe('a flight that is not back (interface §Dispatch)', () => {
  test('is told to the desk and its instructor 15, 30 and 60 minutes after it was expected, until it is in', async ({
    env,
    school,
    id,
    leave,
    alarmsAt,
  }) => {
    await leave('2026-11-23T10:05:00Z')
    expect(await alarmsAt('2026-11-23T12:14:59Z')).toEqual(told(0))
    expect(await alarmsAt('2026-11-23T12:15:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T12:29:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T12:30:00Z')).toEqual(told(2))
    const back = { hobbsTimeIn: 1002.4, tachTimeIn: 902 }
    await expectOk(env.api, school.instructor, 'POST', `/reservations/${id}/rampIn`, back)
    expect(await alarmsAt('2026-11-23T13:00:00Z')).toEqual(told(2))
  })

  test('is told once of stages that passed while nothing ran', async ({ leave, alarmsAt }) => {
    await leave('2026-11-23T10:05:00Z')
    expect(await alarmsAt('2026-11-23T14:00:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T14:01:00Z')).toEqual(told(1))
  })

  test('is expected when somebody says so, also while it is out', async ({ env, school, id, leave, alarmsAt }) => {
    await leave('2026-11-23T10:05:00Z', { expectedBackAt: '2026-11-23T11:30:00Z' })
    expect(await alarmsAt('2026-11-23T11:45:00Z')).toEqual(told(1))
    const later = { expectedBackAt: '2026-11-23T12:30:00Z' }
    await expectOk(env.api, school.student, 'PATCH', `/reservations/${id}`, later)
    expect(await alarmsAt('2026-11-23T12:44:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T12:45:00Z')).toEqual(told(2))
  })

  test('raises no alarm when it is entered more than a day after its end', async ({ leave, alarmsAt }) => {
    await leave('2026-11-24T12:00:01Z')
    expect(await alarmsAt('2026-11-24T13:00:00Z')).toEqual(told(0))
  })
})
