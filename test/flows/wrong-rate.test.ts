import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { closedOutFlight, expectOk } from '../support/flights.ts'

interface Invoice {
  id: number
  number: number
  status: string
  paid: boolean
  payUrl: string
  totalCents: number
  creditedCents: number
  refundedCents: number
  amountDueCents: number
}

interface Statement {
  openingBalanceCents: number
  closingBalanceCents: number
  rows: { kind: string; amountCents: number; balanceCents: number }[]
}

describe.each(testedBackends())('a wrong rate that is discovered after payment, queues in %s (§Invoices)', (kind) => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling(kind)
  })
  afterAll(() => env.close())

  test('is credited, refunded to the card, and the flight is billed again at the right rate', async () => {
    const { api, school, workers } = env
    const asAdmin = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
      expectOk<T>(api, school.admin, method, path, body)
    const flight = await closedOutFlight(api, school)
    const statusOf = async () => (await asAdmin<{ status: string }>('GET', `/reservations/${flight}`)).status
    const uninvoiced = async () =>
      (
        await asAdmin<{ id: number }[]>(
          'GET',
          '/reservations?uninvoiced=true&startDate=2026-01-01T00:00:00Z&endDate=2027-12-31T00:00:00Z',
        )
      ).map(({ id }) => id)
    const bill = async () => (await asAdmin<Invoice[]>('POST', `/reservations/${flight}/invoices`))[0]!
    const read = (id: number) => asAdmin<Invoice>('GET', `/invoices/${id}`)
    const pay = async ({ id, payUrl }: Invoice) => {
      await fetch(payUrl, { method: 'POST', redirect: 'manual' })
      return eventually(
        () => read(id),
        ({ paid }) => paid,
      )
    }

    // 1.4 h × $180 wet + 1.4 h × $60 instruction: the aircraft has been $165 since the first of the month.
    const wrong = await bill()
    expect(wrong.totalCents).toBe(25_200 + 8_400)
    await pay(wrong)
    expect(await uninvoiced()).not.toContain(flight)

    const credit = await asAdmin<{ number: number; refundStatus: string }>(
      'POST',
      `/invoices/${wrong.id}/creditNotes`,
      {
        amountCents: 33_600,
        reason: 'The rate of N172FL was wrong',
        refund: 'processor',
      },
    )
    expect(credit).toMatchObject({ number: 1, refundStatus: 'pending' })
    await workers.settled()
    const credits = await asAdmin<unknown[]>('GET', `/invoices/${wrong.id}/creditNotes`)
    expect(credits).toMatchObject([{ refundStatus: 'succeeded', refundedCents: 33_600 }])
    expect(await read(wrong.id)).toMatchObject({
      status: 'paid',
      creditedCents: 33_600,
      refundedCents: 33_600,
      amountDueCents: 0,
    })
    expect([await statusOf(), await uninvoiced()]).toEqual(['signed_off', expect.arrayContaining([flight])])

    await asAdmin('PATCH', `/resources/${school.plane.id}`, {
      type: { plane: { engines: 1, fuelUnits: 'gallons' } },
      cost: { wetRate: 16_500 },
    })
    const right = await bill()
    // 1.4 h × $165 wet + 1.4 h × $60 instruction
    expect(right).toMatchObject({ status: 'open', number: wrong.number + 1, totalCents: 23_100 + 8_400 })
    expect(await statusOf()).toBe('invoiced')
    const again = await api.as(school.admin).post(`/reservations/${flight}/invoices`, {})
    expect(again.json().code).toBe('ALREADY_INVOICED')
    await workers.settled()
    await pay(right)

    // What came in is both payments less the refund; nobody owes anything.
    expect(await expectOk(api, school.owner, 'GET', '/invoices/summary')).toMatchObject({
      revenueCents: 31_500,
      outstandingCents: 0,
      creditedCents: 33_600,
      refundedCents: 33_600,
    })

    // The student reads the story on the statement, to the cent, and owes nothing.
    const { orgUserId } = school.student
    const statement = await expectOk<Statement>(api, school.student, 'GET', `/orgUsers/${orgUserId}/statement`)
    expect(statement.rows.map(({ kind, amountCents, balanceCents }) => [kind, amountCents, balanceCents])).toEqual([
      ['invoice', 33_600, 33_600],
      ['payment', -33_600, 0],
      ['credit', -33_600, -33_600],
      ['refund', 33_600, 0],
      ['invoice', 31_500, 31_500],
      ['payment', -31_500, 0],
    ])
    expect(statement).toMatchObject({ openingBalanceCents: 0, closingBalanceCents: 0 })
    const balances = await asAdmin<{ orgUserId: number; balanceCents: number }[]>('GET', '/reports/balances')
    expect(balances.find((row) => row.orgUserId === orgUserId)?.balanceCents).toBe(0)

    // The processor took in and gave back the same.
    const { invoices, refunds } = await env.simulator.everything()
    const ours = invoices.filter(({ metadata }) => [wrong.id, right.id].includes(Number(metadata?.invoiceId)))
    expect(ours.map(({ status, total, amount_paid }) => [status, total, amount_paid])).toEqual([
      ['paid', 33_600, 33_600],
      ['paid', 31_500, 31_500],
    ])
    expect(refunds.map(({ amount }) => amount)).toEqual([33_600])
  })
})
