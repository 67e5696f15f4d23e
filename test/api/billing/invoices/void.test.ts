import { describe, expect } from 'vitest'
import { voidAtGateway } from '../../../../src/shared/billing/invoices/invoices.jobs.ts'
import { followMoneyAtGateway } from '../../../../src/shared/billing/payments/payments.jobs.ts'
import { startBilling } from '../../../support/billing.ts'
import { buildSchool } from '../../../support/builders.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk, setRates } from '../../../support/flights.ts'
import { startTestWorkers } from '../../../support/workers.ts'

interface Invoice {
  id: number
  number: number
  status: string
  payUrl: string
  processor: { invoiceId: string | null }
}

const books = [{ description: 'Books', unitPrice: 4500 }]

const test = billingTest()
  .extend('school', { auto: true }, async ({ env }) => {
    const school = await buildSchool(env.api)
    await setRates(env.api, school)
    return school
  })

  .extend(
    'raise',
    ({ env, school }) =>
      (): Promise<Invoice> =>
        expectOk<Invoice>(env.api, school.admin, 'POST', '/invoices', {
          customer: { orgUserId: school.student.orgUserId },
          items: books,
        }),
  )

  .extend(
    'end',
    ({ school, env }) =>
      (id: number, body: object = { reason: 'Wrong person' }, who = school.admin) =>
        env.api.as(who).post(`/invoices/${id}/void`, body),
  )

  .extend('atGateway', ({ env }) => async (id: string | null) => {
    const { invoices } = await env.simulator.everything()
    return invoices.find((invoice) => invoice.id === id)
  })

test.afterEach(({ env }) => env.simulator.clearFaults())

describe('voiding an invoice (§Invoices)', () => {
  test('ends it in the service at once, and then at the processor', async ({ raise, end, env, atGateway, school }) => {
    const invoice = await raise()
    const answer = await end(invoice.id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      status: 'void',
      voided: true,
      paid: false,
      number: invoice.number,
      amountDueCents: 0,
    })
    await env.workers.settled()
    expect(await atGateway(invoice.processor.invoiceId)).toMatchObject({ status: 'void' })
    expect(await expectOk(env.api, school.admin, 'GET', `/invoices/${invoice.id}`)).toMatchObject({ status: 'void' })
  })

  test('allows its flight to be billed again', async ({ env, school, end }) => {
    const id = await closedOutFlight(env.api, school)
    const bill = () => expectOk<Invoice[]>(env.api, school.admin, 'POST', `/reservations/${id}/invoices`)
    const [first] = await bill()
    expect(await expectOk(env.api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({ status: 'invoiced' })
    await end(first?.id ?? 0)
    expect(await expectOk(env.api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({ status: 'signed_off' })
    const [second] = await bill()
    expect(second?.id).not.toBe(first?.id)
    expect(second?.status).toBe('open')
    await env.workers.settled()
    const { invoices } = await env.simulator.everything()
    const statuses = [first, second].map(
      (one) => invoices.find(({ id: at }) => at === one?.processor.invoiceId)?.status,
    )
    expect(statuses).toEqual(['void', 'open'])
  })

  test('while the processor is still raising it leaves nothing to pay there', async ({
    env,
    impatient,
    end,
    school,
  }) => {
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang' })
    const body = { customer: { orgUserId: school.student.orgUserId }, items: books }
    const pending = await expectOk<Invoice>(impatient, school.admin, 'POST', '/invoices', body)
    expect(pending.status).toBe('pending')
    await env.simulator.met()
    expect((await end(pending.id)).json().data.status).toBe('void')
    await env.workers.ended(voidAtGateway)
    await env.simulator.clearFaults()
    await env.workers.settled()
    const { invoices } = await env.simulator.everything()
    const ours = invoices.filter(({ metadata }) => metadata?.invoiceId === String(pending.id))
    expect(ours.every(({ status }) => status === 'void')).toBe(true)
    expect(await expectOk(env.api, school.admin, 'GET', `/invoices/${pending.id}`)).toMatchObject({ status: 'void' })
  })

  test('by twenty callers at once ends it once', async ({ raise, end }) => {
    const { id } = await raise()
    const answers = await Promise.all(Array.from({ length: 20 }, () => end(id)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...new Array(19).fill(409)])
  })
})

test('a payment of the void invoice of a flight that was billed again is refunded, and both sides agree', async () => {
  const own = await startBilling('postgres', { workers: false })
  try {
    const { api, simulator, school: here } = own
    const id = await closedOutFlight(api, here)
    const look = (invoice: number) => expectOk<Invoice>(api, here.admin, 'GET', `/invoices/${invoice}`)
    const bill = async () => (await expectOk<Invoice[]>(api, here.admin, 'POST', `/reservations/${id}/invoices`))[0]!.id
    const workers = await startTestWorkers(api)
    const billed = await bill()
    await workers.settled()
    const first = await look(billed)
    // Without workers, the voiding waits while the payer pays and the flight is billed again.
    await workers.stop()
    await expectOk(api, here.admin, 'POST', `/invoices/${first.id}/void`, { reason: 'Wrong tach' })
    await simulator.hold()
    await fetch(first.payUrl, { method: 'POST', redirect: 'manual' })
    const second = await look(await bill())
    expect(second.status).toBe('pending')
    const later = await startTestWorkers(api)
    await later.settled()
    await simulator.release('oldest_first')
    const { refunds } = await simulator.everything()
    expect(refunds.map(({ amount }) => amount)).toEqual([33_600])
    expect(await look(first.id)).toMatchObject({ status: 'void' })
    expect(await look(second.id)).toMatchObject({ status: 'open', totalCents: 33_600 })
    await later.stop()
  } finally {
    await own.close()
  }
})

test.for(['before', 'after'] as const)(
  'when the payer is faster and the event comes %s the refund, it is void in the end and its flight can be billed again',
  async (when, { env, school, end }) => {
    const { api, simulator, workers } = env
    const id = await closedOutFlight(api, school)
    const bill = () => expectOk<Invoice[]>(api, school.admin, 'POST', `/reservations/${id}/invoices`)
    const [first] = await bill()
    await simulator.hold()
    await fetch(first?.payUrl ?? '', { method: 'POST', redirect: 'manual' })
    if (when === 'before') {
      // The voiding fails until the event has come.
      await simulator.fault({ match: 'POST /v1/invoices/:id/void', kind: '500', times: 1_000 })
      await end(first?.id ?? 0)
      await simulator.release('oldest_first')
      await simulator.clearFaults()
      await workers.settled()
    } else {
      await end(first?.id ?? 0)
      await workers.settled()
      await simulator.release('oldest_first')
    }
    expect(await expectOk(api, school.admin, 'GET', `/invoices/${first?.id}`)).toMatchObject({
      status: 'void',
      amountPaidCents: 0,
      refundedCents: 33_600,
      processor: { error: null },
    })
    expect((await bill())[0]).toMatchObject({ status: 'open', totalCents: 33_600 })
    expect(await expectOk(api, school.admin, 'GET', `/invoices/${first?.id}`)).toMatchObject({ status: 'void' })
  },
)

describe('a part that the payer paid before an invoice is ended here (decision 11)', () => {
  test.for([
    ['before', 'void', { reason: 'Wrong person' }],
    ['after', 'void', { reason: 'Wrong person' }],
    ['after', 'creditNotes', { amountCents: 4_500, reason: 'Wrong person', refund: 'none' }],
  ] as const)(
    'goes back, and nobody can pay the rest, when the events come %s the refund: POST %s',
    async ([when, how, body], { env, raise, school, atGateway }) => {
      const { api, simulator, workers } = env
      const { id, processor } = await raise()
      const before = (await simulator.everything()).refunds.length
      await simulator.hold()
      await simulator.move(processor.invoiceId ?? '', 'pay', 1_000)
      if (when === 'before') await simulator.fault({ match: 'POST /v1/refunds', kind: '500', times: 1_000 })
      await expectOk(api, school.admin, 'POST', `/invoices/${id}/${how}`, body)
      const look = () => expectOk<Invoice>(api, school.admin, 'GET', `/invoices/${id}`)
      if (when === 'before') {
        await workers.ended(voidAtGateway)
        await simulator.release('oldest_first')
        await workers.ended(followMoneyAtGateway)
        expect(await look()).toMatchObject({ status: 'void', amountPaidCents: 0, refundedCents: 0, refundStatus: null })
        await simulator.clearFaults()
      }
      await workers.settled()
      await simulator.release('oldest_first')
      await workers.settled()
      expect(await look()).toMatchObject({
        status: 'void',
        amountPaidCents: 0,
        refundedCents: 1_000,
        refundStatus: 'refunded',
        processor: { error: null },
      })
      expect((await simulator.everything()).refunds.slice(before).map(({ amount }) => amount)).toEqual([1_000])
      expect(await atGateway(processor.invoiceId)).toMatchObject({ status: 'paid', amount_remaining: 0 })
    },
  )
})

describe('voiding one’s own invoice (§Invoices)', () => {
  test('mails the owners what was left of it after credits, which were told by themselves', async ({
    env: { api, workers },
    school: { admin, owner },
    end,
  }) => {
    const bill = { customer: { orgUserId: admin.orgUserId }, items: books }
    const { id } = await expectOk<Invoice>(api, admin, 'POST', '/invoices', bill)
    const credit = { amountCents: 1_000, reason: 'A page is missing', refund: 'none' }
    await expectOk(api, admin, 'POST', `/invoices/${id}/creditNotes`, credit)
    expect((await end(id)).json().data).toMatchObject({ status: 'void', creditedCents: 1_000, totalCents: 4_500 })
    await workers.settled()
    const told = workers.mails(owner.email).map(({ text }) => text)
    const words = [
      `${admin.name} credited an invoice of their own: $10.00.`,
      `${admin.name} voided an invoice of their own: $35.00.`,
    ]
    expect(words.map((sentence) => told.filter((text) => text.includes(sentence)).length)).toEqual([1, 1])
    const [event] = await expectOk<object[]>(api, owner, 'GET', '/audit?action=invoice.voided&limit=1')
    expect(event).toMatchObject({ subject: { id }, after: { own: true } })
  })
})

describe('voiding an invoice is refused (§Invoices)', () => {
  test.for([{}, { reason: '' }, { reason: '  ' }])('without a reason: %j', async (body, { raise, end }) => {
    const { id } = await raise()
    expect((await end(id, body)).statusCode).toBe(400)
  })

  test('once the invoice is paid or void', async ({ raise, env, school, end }) => {
    const paid = await raise()
    await expectOk(env.api, school.admin, 'PATCH', `/invoices/${paid.id}`, { paid: true })
    const first = await end(paid.id)
    expect([first.statusCode, first.json().code]).toEqual([409, 'NOT_PENDING'])
    const gone = await raise()
    await end(gone.id)
    expect((await end(gone.id)).statusCode).toBe(409)
  })
})
