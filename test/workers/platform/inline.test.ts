import type { Job } from 'bullmq'
import { describe, expect } from 'vitest'
import { asOwner } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { billingTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

const test = billingTest({ env: { PROCESSOR_WAIT_MS: '5000' } })

  /** Invoices books: the processor's answer is an event of the worker, and the payer is notified of it. */
  .extend(
    'invoice',
    ({ env }) =>
      (): Promise<{ id: number }> =>
        expectOk(env.api, env.school.admin, 'POST', '/invoices', {
          customer: { orgUserId: env.school.student.orgUserId },
          items: [{ description: 'Books', unitPrice: 4500 }],
        }),
  )

  .extend('notices', ({ env }) => async (invoice: { id: number }): Promise<number> => {
    const { rows } = await env.api.core.database.pool.query(
      `select count(*)::int as count from notification where kind = 'invoice_raised' and (data ->> 'invoiceId')::int = $1`,
      [invoice.id],
    )
    return rows[0].count
  })

  .extend('queue', ({ env }) => env.api.core.queues.queue('notifications'))

  /** Returns the jobs that fan out events, in any state. */
  .extend('queued', ({ queue }) => async (): Promise<Job[]> => {
    const jobs: Job[] = await queue.getJobs(['waiting', 'active', 'delayed', 'completed', 'failed'])
    return jobs.filter(({ name }) => name === 'events.fan-out-events')
  })

describe('what follows from a job of a worker (decision 35)', () => {
  test('is done by the same worker, without its queue', async ({ env, invoice, notices, queued }) => {
    const before = (await queued()).length
    const raised = await invoice()
    await env.workers.settled()
    expect(await notices(raised)).toBe(1)
    expect(env.workers.mails(env.school.student.email).filter(({ subject }) => /invoice/i.test(subject))).toHaveLength(
      1,
    )
    expect(await queued()).toHaveLength(before)
  })

  test('waits in its queue while that is paused', async ({ env, invoice, notices, queue, queued }) => {
    await env.workers.settled()
    const before = (await queued()).length
    await queue.pause()
    // The worker asks again four times a second whether a queue is paused.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const raised = await invoice()
    await eventually(queued, (jobs) => jobs.length > before)
    expect(await notices(raised)).toBe(0)
    await queue.resume()
    await env.workers.settled()
    expect(await notices(raised)).toBe(1)
  })

  test('is done from its queue after it failed, once', async ({ env, invoice, notices, queued }) => {
    await asOwner(
      env.api,
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no notices now'; end $$;
       create trigger refused before insert on notification execute function refuse()`,
    )
    const before = (await env.api.core.queues.queue('notifications').getDelayedCount()) ?? 0
    const raised = await invoice()
    await eventually(
      () => env.api.core.queues.queue('notifications').getDelayedCount(),
      (delayed) => delayed > before,
    )
    expect(await notices(raised)).toBe(0)
    await asOwner(env.api, 'drop trigger refused on notification; drop function refuse()')
    await env.workers.settled()
    expect(await notices(raised)).toBe(1)
    expect((await queued()).filter(({ finishedOn }) => finishedOn === undefined)).toEqual([])
  })
})
