import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { NOW } from '../../support/app.ts'
import { until } from '../../support/eventually.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildMaintenanceItem } from '../../support/maintenance.ts'

const test = schoolWorkersTest()
  /** Runs the review as its schedule does, and waits for the jobs that it enqueues. */
  .extend('review', ({ api, workers }) => async (): Promise<void> => {
    const queue = api.core.queues.queue('reminders')
    const job = await queue.add('maintenance.review-maintenance', {}, { jobId: randomUUID() })
    await until(async () => {
      if (await job.isFailed()) throw new Error('the review failed')
      return job.isCompleted()
    })
    await workers.settled()
  })
  .extend('told', ({ api, school }) => async (kind: string): Promise<string[]> => {
    const rows = await expectOk<{ kind: string; title: string }[]>(api, school.technician, 'GET', '/notifications')
    return rows.filter((row) => row.kind === kind).map(({ title }) => title)
  })
  .extend('isGrounded', ({ api, school }) => async (): Promise<boolean> => {
    return (await expectOk<{ grounded: boolean }>(api, school.student, 'GET', `/resources/${school.plane.id}`)).grounded
  })

const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000)

describe('the review of maintenance (§Maintenance)', () => {
  test('a calendar reminder is told of when it comes near and when it is overdue, once each, and then grounds', async ({
    api,
    school,
    review,
    told,
    isGrounded,
  }) => {
    await buildMaintenanceItem(api, school, { dueAt: days(40), grounding: true })
    const name = school.plane.name
    const steps: [number, string[], boolean][] = [
      [0, [], false],
      [9, [], false],
      [10, [`Annual of ${name} is due soon`], false],
      [39, [`Annual of ${name} is due soon`], false],
      [41, [`Annual of ${name} is overdue`, `Annual of ${name} is due soon`], true],
      [60, [`Annual of ${name} is overdue`, `Annual of ${name} is due soon`], true],
    ]
    for (const [day, titles, grounded] of steps) {
      api.clock.now = days(day)
      await review()
      // Tokens live for 30 days.
      api.clock.now = NOW
      expect([day, (await told('maintenance_due')).sort(), await isGrounded()]).toEqual([
        day,
        [...titles].sort(),
        grounded,
      ])
    }
  })

  test('the aircraft is free the moment the work is noted, and both are told to those booked on it', async ({
    api,
    workers,
    school,
    review,
    isGrounded,
  }) => {
    const id = await buildMaintenanceItem(api, school, { dueAt: days(-1), grounding: true })
    await review()
    expect(await isGrounded()).toBe(true)
    await expectOk(api, school.technician, 'POST', `/maintenance/reminders/${id}/complete`, {})
    expect(await isGrounded()).toBe(false)
    await workers.settled()
    const rows = await expectOk<{ kind: string }[]>(api, school.admin, 'GET', '/notifications')
    expect(rows.map(({ kind }) => kind)).toContain('resource_returned')
  })

  test('a squawk that is deferred holds the aircraft from the day after its last, once reviewed, until it is deferred again', async ({
    api,
    school,
    review,
    isGrounded,
    told,
  }) => {
    const report = { resource: { id: school.plane.id }, title: 'Landing light out' }
    const { id } = await expectOk<{ id: number }>(api, school.student, 'POST', '/maintenance/squawks', report)
    const defer = (deferredUntil: string) =>
      expectOk(api, school.technician, 'PATCH', `/maintenance/squawks/${id}`, { status: 'deferred', deferredUntil })
    await defer(days(3).toISOString().slice(0, 10))
    const groundedOn = async (day: number) => {
      api.clock.now = days(day)
      await review()
      await review()
      api.clock.now = NOW
      return isGrounded()
    }
    expect([await groundedOn(3), await groundedOn(4)]).toEqual([false, true])
    expect(await told('deferral_ended')).toEqual([`Deferral on ${school.plane.name} has ended: Landing light out`])
    await defer(days(9).toISOString().slice(0, 10))
    expect([await isGrounded(), await groundedOn(9), await groundedOn(10)]).toEqual([false, false, true])
  })

  test('two reviews at once notify once', async ({ api, school, review, told }) => {
    await buildMaintenanceItem(api, school, { dueAt: days(-1), grounding: true })
    await Promise.all([review(), review(), review()])
    expect(await told('maintenance_due')).toHaveLength(1)
  })
})
