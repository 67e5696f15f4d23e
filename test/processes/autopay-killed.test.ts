import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { payerByCard, paymentsMade } from '../support/cards.ts'
import { endClaims } from '../support/deliveries.ts'
import { eventually } from '../support/eventually.ts'
import { closedOutFlight, expectOk } from '../support/flights.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { expectSameFigures } from '../support/reconcile.ts'

describe.each(testedBackends())('a worker that is killed while it charges a card, queues in %s', (kind) => {
  let env: BillingEnv
  let worker: TestProcess | undefined
  beforeAll(async () => {
    env = await startBilling(kind, { workers: false })
  })
  afterEach(async () => {
    await worker?.kill()
    await env.simulator.clearFaults()
  })
  afterAll(() => env.close())

  const startWorker = () => startWorkerProcess(env.api.config, { SMTP_URL: env.workers.mailCatcher.smtpUrl })
  const read = async (query: string, id: number) => (await env.api.core.database.pool.query(query, [id])).rows
  const charge = (id: number) => read('select state, attempts from autopay_charge where invoice_id = $1', id)
  const status = async (id: number) => (await read('select status from invoice where id = $1', id))[0].status
  let day = 0

  test.for([
    ['has not heard of', 'after'],
    ['has heard of meanwhile', 'before'],
  ] as const)(
    'after the processor took a payment that the service %s: it is taken once, and told once',
    async ([, heard]) => {
      const made = await paymentsMade(env)
      const payer = await payerByCard(env, 'ok')
      const hours = { start: `2026-10-0${++day}T10:00:00Z`, end: `2026-10-0${day}T12:00:00Z` }
      const flight = await closedOutFlight(env.api, env.school, { students: [payer], ...hours })
      await env.simulator.hold()
      // Only the answer is late: the payment is made before.
      await env.simulator.fault({ match: 'POST /v1/invoices/:id/pay', kind: 'hang_after_work', seconds: 30 })
      const bill = await expectOk<{ id: number }[]>(
        env.api,
        env.school.admin,
        'POST',
        `/reservations/${flight}/invoices`,
      )
      const { id } = bill[0]!
      worker = await startWorker()
      await eventually(
        () => paymentsMade(env),
        (now) => now === made + 1,
      )
      // The window: paid there, and neither the job nor an event has said so here.
      expect([await status(id), await charge(id)]).toEqual(['open', [{ state: 'charging', attempts: 1 }]])
      // A mail under way would go out again after its claim is ended: a worker that is killed while it mails has tests of its own.
      await eventually(
        () => env.api.core.database.pool.query(`select 1 from delivery where kind = 'mail' and outcome is null`),
        ({ rows }) => rows.length === 0,
      )
      await worker.kill()
      expect([await status(id), await charge(id)]).toEqual(['open', [{ state: 'charging', attempts: 1 }]])

      const hear = () => env.simulator.release('oldest_first')
      if (heard === 'before') await hear()
      await endClaims(env.api.core.database.pool)
      worker = await startWorker()
      await env.workers.settled()
      if (heard === 'after') await hear()
      await env.workers.settled()

      expect(await paymentsMade(env)).toBe(made + 1)
      expect(await charge(id)).toEqual([{ state: 'paid', attempts: 1 }])
      expect(await status(id)).toBe('paid')
      const payments = 'select way, amount_cents, reversed_at from payment where invoice_id = $1'
      expect(await read(payments, id)).toEqual([{ way: 'processor', amount_cents: 33_600, reversed_at: null }])
      const about = env.workers.mails(payer.email).flatMap(({ subject = '' }) => (/\$/.test(subject) ? [subject] : []))
      expect(about).toEqual([expect.stringMatching(/^Invoice \d+: \$336\.00$/)])
      const events = `select kind from event where subject_kind = 'invoice' and subject_id = $1 order by kind`
      // Whichever is first, the charge or the event of the processor, records the payment, and the other adds nothing.
      expect((await read(events, id)).map((event) => event.kind)).toEqual([
        'invoice.paid',
        'invoice.payment_recorded',
        'invoice.raised',
      ])
      await expectSameFigures(env)
    },
  )
})
