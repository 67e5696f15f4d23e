import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { remindLate } from '../../../src/shared/dispatch/close-out.jobs.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { type NotificationStand, startNotifying } from '../../support/domain-events.ts'
import { bookDual, must } from '../../support/flights.ts'

let stand: NotificationStand
let school: School
let id: number
beforeAll(async () => {
  stand = await startNotifying('postgres')
})
afterAll(() => stand.close())
/** A dual from ten to twelve on Monday. */
beforeEach(async () => {
  school = await buildSchool(stand.api)
  stand.api.clock.now = new Date('2026-11-21T12:00:00Z')
  id = await bookDual(stand.api, school)
})

async function leave(instant: string, body: object = {}): Promise<void> {
  stand.api.clock.now = new Date(instant)
  const out = { hobbsTimeOut: 1000, tachTimeOut: 900, ...body }
  await must(stand.api, school.instructor, 'POST', `/reservations/${id}/rampOut`, out)
}

/** Goes to an instant, lets the schedule run, and answers how many alarms each got so far. */
async function alarmsAt(instant: string): Promise<Record<'dispatcher' | 'instructor' | 'student', number>> {
  const { api, workers } = stand
  api.clock.now = new Date(instant)
  const { enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) => {
    tx.enqueue(remindLate, {})
  })
  api.core.relay.publish(enqueued)
  await workers.settled()
  const rows = await api.core.database.db
    .selectFrom('notification')
    .select('membership_id')
    .where('organization_id', '=', school.organizationId)
    .where('kind', '=', 'flight_overdue')
    .execute()
  const of = (who: 'dispatcher' | 'instructor' | 'student') =>
    rows.filter((row) => row.membership_id === school[who].orgUserId).length
  return { dispatcher: of('dispatcher'), instructor: of('instructor'), student: of('student') }
}

const told = (times: number) => ({ dispatcher: times, instructor: times, student: 0 })

describe('a flight that is not back (interface §Dispatch)', () => {
  test('is told to the desk and its instructor 15, 30 and 60 minutes after it was expected, until it is in', async () => {
    await leave('2026-11-23T10:05:00Z')
    expect(await alarmsAt('2026-11-23T12:14:59Z')).toEqual(told(0))
    expect(await alarmsAt('2026-11-23T12:15:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T12:29:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T12:30:00Z')).toEqual(told(2))
    const back = { hobbsTimeIn: 1002.4, tachTimeIn: 902 }
    await must(stand.api, school.instructor, 'POST', `/reservations/${id}/rampIn`, back)
    expect(await alarmsAt('2026-11-23T13:00:00Z')).toEqual(told(2))
  })

  test('is told once of stages that passed while nothing ran', async () => {
    await leave('2026-11-23T10:05:00Z')
    expect(await alarmsAt('2026-11-23T14:00:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T14:01:00Z')).toEqual(told(1))
  })

  test('is expected when somebody says so, also while it is out', async () => {
    await leave('2026-11-23T10:05:00Z', { expectedBackAt: '2026-11-23T11:30:00Z' })
    expect(await alarmsAt('2026-11-23T11:45:00Z')).toEqual(told(1))
    const later = { expectedBackAt: '2026-11-23T12:30:00Z' }
    await must(stand.api, school.student, 'PATCH', `/reservations/${id}`, later)
    expect(await alarmsAt('2026-11-23T12:44:00Z')).toEqual(told(1))
    expect(await alarmsAt('2026-11-23T12:45:00Z')).toEqual(told(2))
  })

  test('raises no alarm when it is entered more than a day after its end', async () => {
    await leave('2026-11-24T12:00:01Z')
    expect(await alarmsAt('2026-11-24T13:00:00Z')).toEqual(told(0))
  })
})
