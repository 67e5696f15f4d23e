import { describe, expect } from 'vitest'
import type { Member } from '../../../support/builders.ts'
import { eventually } from '../../../support/eventually.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'

const test = billingTest()
  /** Books a flight for 250.00 in advance, in a week of its own. */
  .extend('prepaid', ({ env }) => async (): Promise<{ id: number; payUrl: string }> => {
    week += 1
    const day = new Date(Date.now() + week * 7 * 86_400_000).toISOString().slice(0, 10)
    const id = await bookDual(env.api, env.school, {
      start: `${day}T10:00:00Z`,
      end: `${day}T12:00:00Z`,
      extra: { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 },
    })
    const { invoices } = await expectOk<Booking>(env.api, env.school.student, 'GET', `/reservations/${id}`)
    expect(invoices).toMatchObject([{ paid: false, voided: false, payUrl: expect.stringMatching(/^http/) }])
    return { id, payUrl: invoices[0]!.payUrl! }
  })
  .extend('cancel', ({ env }) => async (id: number): Promise<void> => {
    const response = await env.api
      .as(env.school.dispatcher)
      .delete(`/reservations/${id}`, { reason: 'Fog', category: 'weather' })
    expect(response.statusCode, response.body).toBe(204)
    await env.workers.settled()
  })

interface Booking {
  status: string
  invoices: { id: number; paid: boolean; voided: boolean; payUrl: string | null }[]
}

let week = 0

describe('a booking whose package the processor refuses (§Reservations rule 7)', () => {
  test('is made all the same with a warning, and is charged when it is asked for again', async ({ env }) => {
    const { api, school, simulator } = env
    await simulator.fault({ match: 'POST /v1/invoices', kind: '402' })
    week += 1
    const day = new Date(Date.now() + week * 7 * 86_400_000).toISOString().slice(0, 10)
    const body = dualBody(school, {
      start: `${day}T10:00:00Z`,
      end: `${day}T12:00:00Z`,
      extra: { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 },
    })
    const response = await api.as(school.dispatcher).post('/reservations', body)
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      data: { status: 'booked', invoices: [] },
      warnings: [
        {
          rule: 'prepaid_charge',
          message: expect.stringMatching(
            /^The booking is made, but its prepaid price is not charged\. .+ could not be billed: /,
          ),
        },
      ],
    })
    const url = `/reservations/${response.json().data.id}/prepaid/ensure`
    expect(await expectOk<Booking>(api, school.dispatcher, 'POST', url)).toMatchObject({
      invoices: [{ paid: false, payUrl: expect.stringMatching(/^http/) }],
    })
  })
})

describe('cancelling a booking whose package is invoiced (§Reservation lifecycle, DELETE)', () => {
  test('voids an unpaid invoice in the service and at the processor', async ({ env, prepaid, cancel }) => {
    const { id, payUrl } = await prepaid()
    await cancel(id)
    const booking = await expectOk<Booking>(env.api, env.school.dispatcher, 'GET', `/reservations/${id}`)
    expect(booking).toMatchObject({ status: 'cancelled', invoices: [{ paid: false, voided: true }] })
    const { invoices } = await env.simulator.everything()
    expect(invoices.find((invoice) => invoice.hosted_invoice_url === payUrl)?.status).toBe('void')
  })

  test('refunds what was paid, once', async ({ env, prepaid, cancel }) => {
    const { id, payUrl } = await prepaid()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    const look = () => expectOk<Booking>(env.api, env.school.dispatcher, 'GET', `/reservations/${id}`)
    await eventually(look, ({ invoices }) => invoices[0]?.paid === true)
    const before = (await env.simulator.everything()).refunds.length
    await cancel(id)
    const { refunds } = await env.simulator.everything()
    expect(refunds.slice(before)).toMatchObject([{ amount: 25_000, status: 'succeeded' }])
    const row = await env.api.core.database.db
      .selectFrom('invoice')
      .select(['status', 'refunded_cents'])
      .where('reservation_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ status: 'paid', refunded_cents: 25_000 })
  })

  test('refunds it too when the payment is faster than the voiding', async ({ env, prepaid, cancel }) => {
    const { id, payUrl } = await prepaid()
    await env.simulator.hold()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    const before = (await env.simulator.everything()).refunds.length
    await cancel(id)
    await env.simulator.release('oldest_first')
    const look = async () => (await env.simulator.everything()).refunds
    expect((await eventually(look, (refunds) => refunds.length > before)).slice(before)).toMatchObject([
      { amount: 25_000 },
    ])
  })

  test('owes back what came by cash until a credit note gives it back by hand', async ({ env, prepaid, cancel }) => {
    const { api, school, simulator } = env
    const { id } = await prepaid()
    const owed = async (who: Member) =>
      (await expectOk<{ owedBackCents: number }>(api, who, 'GET', `/reservations/${id}`)).owedBackCents
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/prepaid/record-offline`, { method: 'cash' })
    expect(await owed(school.dispatcher)).toBe(0)
    const before = (await simulator.everything()).refunds.length
    await cancel(id)
    expect([await owed(school.dispatcher), await owed(school.student)]).toEqual([25_000, 25_000])
    const [invoice] = (await expectOk<Booking>(api, school.admin, 'GET', `/reservations/${id}`)).invoices
    const credit = { amountCents: 25_000, reason: 'Cancelled', refund: 'offline' }
    const tried = await api.as(school.dispatcher).post(`/invoices/${invoice!.id}/creditNotes`, credit)
    expect(tried.statusCode).toBe(403)
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice!.id}/creditNotes`, credit)
    expect(await owed(school.dispatcher)).toBe(0)
    expect((await simulator.everything()).refunds).toHaveLength(before)
  })
})
