import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeLeftAtGateway } from '../../../../src/shared/billing/invoices/invoices.jobs.ts'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import type { JobTools } from '../../../../src/shared/platform/jobs/job-tools.ts'
import { closeLeftAtGatewayProcessor } from '../../../../src/workers/billing/invoices/close-left-at-gateway.processor.ts'
import { type BillingEnv, startBilling } from '../../../support/billing.ts'
import { buildSchool, type School } from '../../../support/builders.ts'
import { eventually } from '../../../support/eventually.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { startTestWorkers, type TestWorkers } from '../../../support/workers.ts'

interface Invoice {
  id: number
  payUrl: string
  processor: { invoiceId: string }
}

let env: BillingEnv
let workers: TestWorkers
let school: School
beforeAll(async () => {
  env = await startBilling('postgres', { workers: false, env: { PROCESSOR_WAIT_MS: '1500' } })
  workers = await startTestWorkers(env.api)
})
afterAll(async () => {
  await workers.stop()
  await env.close()
})

const books = { description: 'Books', unitPrice: 4500 }
const raise = () =>
  expectOk<Invoice>(env.api, school.admin, 'POST', '/invoices', {
    customer: { orgUserId: school.student.orgUserId },
    items: [books],
  })
const pay = ({ payUrl }: Pick<Invoice, 'payUrl'>) => fetch(payUrl, { method: 'POST', redirect: 'manual' })

async function removeSchool(): Promise<void> {
  expect((await env.api.call('DELETE', '/organizations', { token: school.owner.token })).statusCode).toBe(204)
}

/** The school's invoices at the gateway: their statuses, and the refunds. */
async function left() {
  const { invoices, refunds } = await env.simulator.everything()
  const ours = invoices.filter(({ metadata }) => metadata?.organizationId === String(school.organizationId))
  return { statuses: ours.map(({ status }) => status).sort(), refunded: refunds.map(({ amount }) => amount).sort() }
}

test('a deleted organization leaves nothing to pay at the processor, and what it owes back is refunded', async () => {
  school = await buildSchool(env.api)
  const { api } = env
  await raise()
  const [voided, replaced, kept] = [await raise(), await raise(), await raise()]
  const package_ = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 }
  const booking = await bookDual(api, school, {
    start: '2031-11-23T10:00:00Z',
    end: '2031-11-23T12:00:00Z',
    extra: package_,
  })
  const { invoices } = await expectOk<{ invoices: Invoice[] }>(api, school.admin, 'GET', `/reservations/${booking}`)
  const look = (id: number) => expectOk<{ paid: boolean }>(api, school.admin, 'GET', `/invoices/${id}`)
  for (const one of [kept, invoices[0]!]) {
    await pay(one)
    await eventually(
      () => look(one.id),
      ({ paid }) => paid,
    )
  }

  // Without workers, every closure and refund is still in the outbox when the school is deleted.
  await workers.stop()
  await env.simulator.hold()
  await pay(voided)
  await expectOk(api, school.admin, 'POST', `/invoices/${voided.id}/void`, { reason: 'Wrong person' })
  await expectOk(api, school.admin, 'PATCH', `/invoices/${replaced.id}`, { items: [{ ...books, unitPrice: 5000 }] })
  const cancelling = { token: school.admin.token, body: { reason: 'Fog', category: 'weather' } }
  expect((await api.call('DELETE', `/reservations/${booking}`, cancelling)).statusCode).toBe(204)
  const credit = { amountCents: 1_500, reason: 'Wrong books', refund: 'processor' }
  await expectOk(api, school.admin, 'POST', `/invoices/${kept.id}/creditNotes`, credit)
  await removeSchool()
  workers = await startTestWorkers(api)
  await workers.settled()
  await env.simulator.release('oldest_first')
  expect(await left()).toEqual({ statuses: ['paid', 'paid', 'paid', 'void', 'void'], refunded: [1_500, 25_000, 4_500] })
})

test('what is owed back of an invoice that was raised again goes to the cards that paid, by the copies that they paid', async () => {
  school = await buildSchool(env.api)
  const { api, simulator } = env
  const before = (await simulator.everything()).refunds.length
  const look = (id: number) =>
    expectOk<Invoice & { amountPaidCents: number }>(api, school.admin, 'GET', `/invoices/${id}`)
  const until = (id: number, cents: number) =>
    eventually(
      () => look(id),
      ({ amountPaidCents }) => amountPaidCents === cents,
    )
  const record = (id: number, amountCents: number) =>
    expectOk(api, school.admin, 'POST', `/invoices/${id}/payments`, { amountCents, method: 'cash' })

  // 4,500: 1,000 by card, 1,500 in cash, so that a second copy asks for 2,000, which a card pays.
  const [credited, kept, overpaid] = [await raise(), await raise(), await raise()]
  for (const one of [credited, kept, overpaid]) {
    await simulator.move(one.processor.invoiceId, 'pay', 1_000)
    await until(one.id, 1_000)
  }
  await record(credited.id, 1_500)
  await workers.settled()
  await pay(await look(credited.id))
  await until(credited.id, 4_500)
  await workers.settled()
  // 3,500 are paid by card while 500 of them are paid in cash: these are owed back, and the processor fails to return them.
  await simulator.fault({ match: 'POST /v1/refunds', kind: '500', times: 1_000 })
  await simulator.hold()
  await pay(overpaid)
  await record(overpaid.id, 500)
  await simulator.release('oldest_first')
  await until(overpaid.id, 5_000)

  await workers.stop()
  await simulator.clearFaults()
  await simulator.hold()
  // All of the 3,000 that came by card: 2,000 by the second copy, 1,000 by the first.
  const all = { amountCents: 3_000, reason: 'Wrong books', refund: 'processor' }
  await expectOk(api, school.admin, 'POST', `/invoices/${credited.id}/creditNotes`, all)
  // The copy that is paid in part is replaced: nobody may pay its rest any more, and what came by it stays.
  await record(kept.id, 500)
  await removeSchool()
  workers = await startTestWorkers(api)
  await workers.settled()
  await simulator.release('oldest_first')
  const { invoices, refunds } = await simulator.everything()
  const ours = invoices.filter(({ metadata }) => metadata?.organizationId === String(school.organizationId))
  expect(ours.map(({ status, amount_due }) => [status, amount_due])).toEqual([
    ['paid', 4_500],
    ['paid', 4_500],
    ['paid', 4_500],
    ['paid', 2_000],
    ['void', 3_000],
  ])
  const back = refunds.slice(before).map(({ amount }) => amount)
  // The two refunds of one invoice in their order, and that of the other before or after them.
  expect(back.filter((amount) => amount !== 500)).toEqual([2_000, 1_000])
  expect(back).toHaveLength(3)
})

test('an invoice that is being raised while its organization is deleted is looked for again when that call must have ended', async () => {
  school = await buildSchool(env.api)
  await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang', seconds: 1 })
  const raising = raise().catch(() => null)
  await eventually(env.simulator.faults, (faults) => faults.length === 0)
  const { pool } = env.api.core.database
  const { rows: raised } = await pool.query<{ key: string }>(
    'select gateway_keys[1] as key from invoice where organization_id = $1',
    [school.organizationId],
  )
  expect(raised).toHaveLength(1)
  await removeSchool()
  await raising
  expect(await eventually(left, ({ statuses }) => statuses.includes('open'))).toMatchObject({ statuses: ['open'] })
  const { rows } = await pool.query(
    `select payload, available_at > now() + interval '14 minutes' as later from outbox
      where job = $1 and payload::text like $2`,
    [closeLeftAtGateway.name, `%"${raised[0]?.key}"%`],
  )
  expect(rows.map(({ later }) => later)).toEqual([true])
  const { core } = workers
  const tools: JobTools = {
    ...core,
    log: env.api.log,
    transaction: async (work) => (await inTransaction(core.database, core.clock, work)).result,
  }
  await closeLeftAtGatewayProcessor(closeLeftAtGateway.payload.parse(rows[0]?.payload), tools, {
    id: 'later',
    organizationId: null,
    attempt: 1,
    attempts: 16,
    lastAttempt: false,
  })
  expect((await left()).statuses).toEqual(['void'])
})
