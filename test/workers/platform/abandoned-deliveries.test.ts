import { describe, expect } from 'vitest'
import { sendWebhook } from '../../../src/shared/communication/webhooks/webhooks.jobs.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { closeAbandonedDeliveries } from '../../../src/shared/platform/deliveries/deliveries.jobs.ts'
import { claimDeliveries } from '../../../src/shared/platform/deliveries/delivery.access.ts'
import { endClaims } from '../../support/deliveries.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'

const test = schoolWorkersTest()
  .extend('query', ({ api }) => async (text: string, values: unknown[] = []) => {
    const { rows } = await api.core.database.pool.query<Record<string, unknown>>(text, values)
    return rows
  })
  .extend(
    'close',
    ({ workers }) =>
      () =>
        workers.run((tx) => tx.enqueue(closeAbandonedDeliveries, {})),
  )
  .extend('left', ({ api, school, query }) => {
    // A worker that is killed during its call leaves the claim behind.
    return async (availableAt: Date) => {
      const { organizationId } = school
      const attempt = { organizationId, deliveryId: 2_000_000_000, attempt: 1 }
      const { result: jobId, enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) =>
        tx.enqueue(sendWebhook, attempt, { availableAt }),
      )
      const subject = `left/${jobId}`
      await claimDeliveries(api.core.database.db, { kind: 'webhook', subjects: [subject], organizationId, jobId })
      const state = async () => {
        const [row] = await query('select outcome, claimed_until is null as ended from delivery where subject = $1', [
          subject,
        ])
        return row
      }
      return { jobId, state, publish: () => api.core.relay.publish(enqueued) }
    }
  })

const later = (now: Date) => new Date(now.getTime() + 3_600_000)

describe('a delivery that a killed worker left open (decision 15)', () => {
  test('is closed once its job has found nothing to send', async ({ api, workers, left, close }) => {
    const { state, publish } = await left(api.core.clock())
    // The claim of the killed worker ends; its job runs again, and the delivery is no longer wanted.
    await endClaims(api.core.database.pool)
    publish()
    await workers.settled()
    expect(await state()).toEqual({ outcome: null, ended: false })
    await close()
    expect(await state()).toEqual({ outcome: 'given_up', ended: true })
  })

  test('is left alone while its job is due again, or its claim holds', async ({ api, query, left, close }) => {
    const due = await left(later(api.core.clock()))
    await endClaims(api.core.database.pool)
    const called = await left(later(api.core.clock()))
    await query('delete from outbox where id = $1', [called.jobId])
    await close()
    expect(await due.state()).toEqual({ outcome: null, ended: false })
    expect(await called.state()).toEqual({ outcome: null, ended: false })
    await query('delete from outbox where id = $1', [due.jobId])
  })

  test('is closed when its job was given up', async ({ api, query, left, close }) => {
    const { jobId, state } = await left(later(api.core.clock()))
    await endClaims(api.core.database.pool)
    await query('update outbox set failed_at = now() where id = $1', [jobId])
    await close()
    expect(await state()).toEqual({ outcome: 'given_up', ended: true })
  })

  test('is closed after a day when no job of the outbox claimed it', async ({ query, close }) => {
    const add = (subject: string, age: string, claimed: string | null) =>
      query(
        `insert into delivery (kind, subject, attempts, created_at, claimed_until)
         values ('mail', $1, 1, now() - $2::interval, now() + $3::interval)`,
        [subject, age, claimed],
      )
    await add('old-claimed', '3 days', '-2 days')
    await add('old-open', '25 hours', null)
    await add('old-claimed-again', '3 days', '30 seconds')
    await add('old-waits', '10 hours', null)
    await close()
    expect(await query(`select subject, outcome from delivery where subject ~ '^old' order by subject`)).toEqual([
      { subject: 'old-claimed', outcome: 'given_up' },
      { subject: 'old-claimed-again', outcome: null },
      { subject: 'old-open', outcome: 'given_up' },
      { subject: 'old-waits', outcome: null },
    ])
  })
})
