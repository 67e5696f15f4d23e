import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { remindUnsigned } from '../../../src/shared/dispatch/close-out.jobs.ts'
import { remindOfUnsigned } from '../../../src/shared/dispatch/remind-unsigned.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { type NotificationStand, startNotifying } from '../../support/domain-events.ts'
import { bookDual, fly, must } from '../../support/flights.ts'

let stand: NotificationStand
let school: School
let id: number
beforeAll(async () => {
  stand = await startNotifying('postgres')
})
afterAll(() => stand.close())
/** A dual flight of Monday, ramped in at noon by its instructor. */
beforeEach(async () => {
  school = await buildSchool(stand.api)
  stand.api.clock.now = new Date('2026-11-21T12:00:00Z')
  id = await bookDual(stand.api, school)
  stand.api.clock.now = new Date('2026-11-23T12:00:00Z')
  await fly(stand.api, school, id)
  await stand.workers.settled()
})

/** Goes to an instant, lets the schedule run, and answers how often each was asked to confirm so far. */
async function askedAt(instant: string): Promise<{ instructor: number; student: number }> {
  const { api, workers } = stand
  api.clock.now = new Date(instant)
  const { enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) => {
    tx.enqueue(remindUnsigned, {})
  })
  api.core.relay.publish(enqueued)
  await workers.settled()
  const rows = await api.core.database.db
    .selectFrom('notification')
    .select('membership_id')
    .where('organization_id', '=', school.organizationId)
    .where('kind', '=', 'review_needed')
    .execute()
  const asked = (orgUserId: number) => rows.filter((row) => row.membership_id === orgUserId).length
  return { instructor: asked(school.instructor.orgUserId), student: asked(school.student.orgUserId) }
}

const confirm = (who: 'instructor' | 'student') =>
  must(stand.api, school[who], 'POST', `/reservations/${id}/confirmReview`)

describe('those whose signature is missing', () => {
  test('are reminded a day, three and seven days after the ramp-in, once each, and then no more', async () => {
    // The ramp-in itself notified the student, and not the instructor, who did it.
    expect(await askedAt('2026-11-24T11:59:59Z')).toEqual({ instructor: 0, student: 1 })
    expect(await askedAt('2026-11-24T12:00:00Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-11-26T11:59:59Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-11-26T12:00:00Z')).toEqual({ instructor: 2, student: 3 })
    expect(await askedAt('2026-11-30T12:00:00Z')).toEqual({ instructor: 3, student: 4 })
    expect(await askedAt('2026-12-05T12:00:00Z')).toEqual({ instructor: 3, student: 4 })
  })

  test('are reminded without those who have signed, and not at all once it is signed off', async () => {
    await confirm('instructor')
    expect(await askedAt('2026-11-24T12:00:00Z')).toEqual({ instructor: 0, student: 2 })
    await confirm('student')
    expect(await askedAt('2026-11-26T12:00:00Z')).toEqual({ instructor: 0, student: 2 })
  })

  test('are reminded once for stages that passed while nothing ran, and not of what was left for two weeks', async () => {
    expect(await askedAt('2026-12-02T12:00:00Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-12-02T13:00:00Z')).toEqual({ instructor: 1, student: 2 })
    const other = await buildSchool(stand.api)
    stand.api.clock.now = new Date('2026-11-21T12:00:00Z')
    const left = await bookDual(stand.api, other)
    await fly(stand.api, other, left)
    await stand.workers.settled()
    school = other
    expect(await askedAt('2026-12-05T12:00:00Z')).toEqual({ instructor: 0, student: 1 })
  })

  test('are reminded from the end of a ground lesson on, which has no ramp-in', async () => {
    const other = await buildSchool(stand.api)
    stand.api.clock.now = new Date('2026-11-21T12:00:00Z')
    const lesson = { type: 'ground', resource: undefined, title: 'Airspace' }
    await bookDual(stand.api, other, { extra: lesson })
    await stand.workers.settled()
    school = other
    expect(await askedAt('2026-11-24T11:59:59Z')).toEqual({ instructor: 0, student: 0 })
    expect(await askedAt('2026-11-24T12:00:00Z')).toEqual({ instructor: 1, student: 1 })
    expect(await askedAt('2026-11-26T12:00:00Z')).toEqual({ instructor: 2, student: 2 })
  })

  test('are reminded afresh when a reopening took their signatures off', async () => {
    await confirm('instructor')
    await confirm('student')
    stand.api.clock.now = new Date('2026-12-10T09:00:00Z')
    await must(stand.api, school.dispatcher, 'POST', `/reservations/${id}/reopen`, { reason: 'Wrong tach.' })
    expect(await askedAt('2026-12-10T10:00:00Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-12-11T09:00:00Z')).toEqual({ instructor: 2, student: 3 })
  })
})

test('a reminder is owed once by three workers at a time', async () => {
  const { api } = stand
  api.clock.now = new Date('2026-11-24T12:00:00Z')
  const run = async () => (await inTransaction(api.core.database, api.core.clock, remindOfUnsigned)).enqueued
  const owed = (await Promise.all([run(), run(), run()])).flat()
  expect(owed.filter(({ payload }) => (payload as { subjectId: number }).subjectId === id)).toHaveLength(1)
})
