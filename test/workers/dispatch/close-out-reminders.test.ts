import { describe, expect } from 'vitest'
import { remindUnsigned } from '../../../src/shared/dispatch/close-out.jobs.ts'
import { remindOfUnsigned } from '../../../src/shared/dispatch/remind-unsigned.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { notifyingTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../support/flights.ts'

const test = notifyingTest()
  /** A dual flight of Monday, ramped in at noon by its instructor. */
  .extend('id', { auto: true }, async ({ env, school }) => {
    env.api.clock.now = new Date('2026-11-21T12:00:00Z')
    const id = await bookDual(env.api, school)
    env.api.clock.now = new Date('2026-11-23T12:00:00Z')
    await fly(env.api, school, id)
    await env.workers.settled()
    return id
  })
  /** Goes to an instant, lets the schedule run, and answers how often each of a school was asked to confirm so far. */
  .extend('askedAt', ({ env, school }) => async (instant: string, at: School = school) => {
    const { api, workers } = env
    api.clock.now = new Date(instant)
    await workers.run((tx) => tx.enqueue(remindUnsigned, {}))
    const rows = await api.core.database.db
      .selectFrom('notification')
      .select('membership_id')
      .where('organization_id', '=', at.organizationId)
      .where('kind', '=', 'review_needed')
      .execute()
    const asked = (orgUserId: number) => rows.filter((row) => row.membership_id === orgUserId).length
    return { instructor: asked(at.instructor.orgUserId), student: asked(at.student.orgUserId) }
  })
  .extend('confirm', ({ env, school, id }) => async (who: 'instructor' | 'student') => {
    await expectOk(env.api, school[who], 'POST', `/reservations/${id}/confirmReview`)
  })

describe('those whose signature is missing (§Notifications)', () => {
  test('are reminded a day, three and seven days after the ramp-in, once each, and then no more', async ({
    askedAt,
  }) => {
    // The ramp-in itself notified the student, and not the instructor, who did it.
    expect(await askedAt('2026-11-24T11:59:59Z')).toEqual({ instructor: 0, student: 1 })
    expect(await askedAt('2026-11-24T12:00:00Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-11-26T11:59:59Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-11-26T12:00:00Z')).toEqual({ instructor: 2, student: 3 })
    expect(await askedAt('2026-11-30T12:00:00Z')).toEqual({ instructor: 3, student: 4 })
    expect(await askedAt('2026-12-05T12:00:00Z')).toEqual({ instructor: 3, student: 4 })
  })

  test('are reminded without those who have signed, and not at all once it is signed off', async ({
    askedAt,
    confirm,
  }) => {
    await confirm('instructor')
    expect(await askedAt('2026-11-24T12:00:00Z')).toEqual({ instructor: 0, student: 2 })
    await confirm('student')
    expect(await askedAt('2026-11-26T12:00:00Z')).toEqual({ instructor: 0, student: 2 })
  })

  test('are reminded once for stages that passed while nothing ran, and not of what was left for two weeks', async ({
    env,
    askedAt,
  }) => {
    expect(await askedAt('2026-12-02T12:00:00Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-12-02T13:00:00Z')).toEqual({ instructor: 1, student: 2 })
    const other = await buildSchool(env.api)
    env.api.clock.now = new Date('2026-11-21T12:00:00Z')
    const left = await bookDual(env.api, other)
    await fly(env.api, other, left)
    await env.workers.settled()
    expect(await askedAt('2026-12-05T12:00:00Z', other)).toEqual({ instructor: 0, student: 1 })
  })

  test('are reminded from the end of a ground lesson on, which has no ramp-in', async ({ env, askedAt }) => {
    const other = await buildSchool(env.api)
    env.api.clock.now = new Date('2026-11-21T12:00:00Z')
    const lesson = { type: 'ground', resource: undefined, title: 'Airspace' }
    await bookDual(env.api, other, { extra: lesson })
    await env.workers.settled()
    expect(await askedAt('2026-11-24T11:59:59Z', other)).toEqual({ instructor: 0, student: 0 })
    expect(await askedAt('2026-11-24T12:00:00Z', other)).toEqual({ instructor: 1, student: 1 })
    expect(await askedAt('2026-11-26T12:00:00Z', other)).toEqual({ instructor: 2, student: 2 })
  })

  test('are reminded afresh when a reopening took their signatures off', async ({
    env,
    school,
    id,
    askedAt,
    confirm,
  }) => {
    await confirm('instructor')
    await confirm('student')
    env.api.clock.now = new Date('2026-12-10T09:00:00Z')
    await expectOk(env.api, school.dispatcher, 'POST', `/reservations/${id}/reopen`, { reason: 'Wrong tach.' })
    expect(await askedAt('2026-12-10T10:00:00Z')).toEqual({ instructor: 1, student: 2 })
    expect(await askedAt('2026-12-11T09:00:00Z')).toEqual({ instructor: 2, student: 3 })
  })
})

test('a reminder is owed once by three workers at a time', async ({ env, id }) => {
  const { api } = env
  api.clock.now = new Date('2026-11-24T12:00:00Z')
  const run = async () => (await inTransaction(api.core.database, api.core.clock, remindOfUnsigned)).enqueued
  const owed = (await Promise.all([run(), run(), run()])).flat()
  expect(owed.filter(({ payload }) => (payload as { subjectId: number }).subjectId === id)).toHaveLength(1)
})
