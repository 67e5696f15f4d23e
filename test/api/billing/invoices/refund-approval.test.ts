import { describe, expect } from 'vitest'
import type { Member } from '../../../support/builders.ts'
import { eventually } from '../../../support/eventually.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { setRefundLimit } from '../../../support/invoiced.ts'
import { bulk } from '../../../support/operations.ts'

interface Invoice {
  id: number
  paid: boolean
  refundStatus: string | null
  refundedCents: number
}

interface Item {
  kind: string
  subject: { id: number }
  action: { path: string }
}

let week = 60

const test = billingTest()
  /** A booking of 250.00 or so that was paid ahead by card; refunds above a limit wait for an admin. */
  .extend('paidBooking', ({ env }) => async (limit: number | null, prepaidAmountCents = 25_000) => {
    const { api, school } = env
    await setRefundLimit(api, school, limit)
    week += 1
    const day = new Date(Date.now() + week * 7 * 86_400_000).toISOString().slice(0, 10)
    const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents }
    const id = await bookDual(api, school, { start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z`, extra })
    const invoice = await api.core.database.db
      .selectFrom('invoice')
      .select(['id', 'pay_url'])
      .where('reservation_id', '=', id)
      .executeTakeFirstOrThrow()
    const look = () => expectOk<Invoice>(api, school.admin, 'GET', `/invoices/${invoice.id}`)
    await fetch(invoice.pay_url ?? '', { method: 'POST', redirect: 'manual' })
    await eventually(look, ({ paid }) => paid)
    return { id, look }
  })
  .extend('cancel', ({ env }) => async (id: number, who: Member) => {
    const response = await env.api.as(who).delete(`/reservations/${id}`, { reason: 'Fog', category: 'weather' })
    expect(response.statusCode, response.body).toBe(204)
    await env.workers.settled()
  })
  .extend('toApprove', ({ env }) => async (who: Member) => {
    const items = await expectOk<Item[]>(env.api, who, 'GET', '/todo/me')
    return items.filter(({ kind }) => kind === 'approve_refund')
  })
  .extend(
    'refunds',
    ({ env }) =>
      async () =>
        (await env.simulator.everything()).refunds.length,
  )

describe('a refund to a card above the limit (§Invoices: refundApprovalCents)', () => {
  test('waits when a dispatcher cancels, until an admin approves it, once', async ({
    env,
    paidBooking,
    cancel,
    toApprove,
    refunds,
  }) => {
    const { api, school, workers } = env
    const { id, look } = await paidBooking(20_000)
    const before = await refunds()
    await cancel(id, school.dispatcher)
    expect(await look()).toMatchObject({ paid: true, refundStatus: 'waiting', refundedCents: 0 })
    expect(await toApprove(school.dispatcher)).toEqual([])
    const [item] = await toApprove(school.admin)
    expect(item?.subject.id).toBe((await look()).id)
    const path = item?.action.path ?? ''
    expect((await api.as(school.dispatcher).post(path, { approved: true })).statusCode).toBe(403)
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api.as(school.admin).post(path, { approved: true, reason: 'Fog all day' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409])
    await workers.settled()
    expect(await look()).toMatchObject({ refundStatus: 'refunded', refundedCents: 25_000 })
    expect(await refunds()).toBe(before + 1)
    expect(await toApprove(school.admin)).toEqual([])
  })

  test('is approved and declined at once: one decision counts, and the money follows it', async ({
    env,
    paidBooking,
    cancel,
    refunds,
  }) => {
    const { api, school, workers } = env
    for (let round = 0; round < 4; round++) {
      const { id, look } = await paidBooking(20_000)
      const before = await refunds()
      await cancel(id, school.dispatcher)
      const path = `/invoices/${(await look()).id}/refund`
      const decisions = [true, false, true, false].map((approved, nth) => ({
        approved,
        answer: api.as(nth < 2 ? school.admin : school.owner).post(path, { approved }),
      }))
      const codes = await Promise.all(decisions.map(async ({ answer }) => (await answer).statusCode))
      expect(codes.toSorted()).toEqual([200, 409, 409, 409])
      const { approved } = decisions[codes.indexOf(200)]!
      await workers.settled()
      expect(await look()).toMatchObject({
        refundStatus: approved ? 'refunded' : null,
        refundedCents: approved ? 25_000 : 0,
      })
      expect(await refunds()).toBe(before + (approved ? 1 : 0))
    }
  })

  test('is kept when an admin declines it', async ({ env, paidBooking, cancel, toApprove, refunds }) => {
    const { api, school, workers } = env
    const { id, look } = await paidBooking(20_000)
    const before = await refunds()
    await cancel(id, school.student)
    const [item] = await toApprove(school.admin)
    await expectOk(api, school.admin, 'POST', item?.action.path ?? '', { approved: false })
    await workers.settled()
    expect(await look()).toMatchObject({ paid: true, refundStatus: null, refundedCents: 0 })
    expect(await refunds()).toBe(before)
    expect(await toApprove(school.admin)).toEqual([])
  })

  test.for([
    ['an admin cancels', 'admin', 20_000],
    ['it is not above the limit', 'dispatcher', 25_000],
    ['the school has no limit', 'dispatcher', null],
  ] as const)('is given back at once when %s', async ([, who, limit], { env, paidBooking, cancel, refunds }) => {
    const { id, look } = await paidBooking(limit)
    const before = await refunds()
    await cancel(id, env.school[who])
    expect(await look()).toMatchObject({ refundStatus: 'refunded', refundedCents: 25_000 })
    expect(await refunds()).toBe(before + 1)
  })

  test('waits for each booking of a bulk by itself', async ({ env, paidBooking }) => {
    const { api, school, workers } = env
    const large = await paidBooking(20_000)
    const small = await paidBooking(20_000, 15_000)
    const reason = { reason: 'Fog', category: 'weather' }
    await bulk(api, school.dispatcher, { ids: [large.id, small.id], action: { cancel: reason } })
    await workers.settled()
    expect(await large.look()).toMatchObject({ refundStatus: 'waiting' })
    expect(await small.look()).toMatchObject({ refundStatus: 'refunded', refundedCents: 15_000 })
  })

  test.for([
    ['approved', true, 3_000, 22_000],
    ['declined', false, 0, 25_000],
  ] as const)(
    'is decided after the credit note that waited before the booking was cancelled and is %s',
    async ([, approved, noted, rest], { env, paidBooking, cancel, toApprove }) => {
      const { api, school, workers, simulator } = env
      const { id, look } = await paidBooking(1_000)
      const { id: invoiceId } = await look()
      const path = `/invoices/${invoiceId}`
      const credit = { amountCents: 3_000, reason: 'Billed too much', refund: 'processor' }
      await expectOk(api, school.admin, 'POST', `${path}/creditNotes`, credit)
      await cancel(id, school.dispatcher)
      const before = (await simulator.everything()).refunds.length
      await expectOk(api, school.owner, 'POST', `${path}/refund`, { approved })
      await workers.settled()
      expect(await look()).toMatchObject({ refundStatus: 'waiting', refundedCents: noted })
      expect((await toApprove(school.admin)).map(({ subject }) => subject.id)).toContain(invoiceId)
      await expectOk(api, school.owner, 'POST', `${path}/refund`, { approved: true })
      await workers.settled()
      expect(await look()).toMatchObject({ refundStatus: 'refunded', refundedCents: 25_000, creditedCents: 25_000 })
      expect((await simulator.everything()).refunds.slice(before).map(({ amount }) => amount)).toEqual(
        [noted, rest].filter((amount) => amount > 0),
      )
      expect((await api.as(school.owner).post(`${path}/refund`, { approved: true })).statusCode).toBe(409)
    },
  )

  test('is not caused by a change of the booking: its payment stays', async ({ env, paidBooking, refunds }) => {
    const { api, school, workers } = env
    const { id, look } = await paidBooking(20_000)
    const before = await refunds()
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${id}`, { notes: 'Bring a headset' })
    await workers.settled()
    expect(await look()).toMatchObject({ paid: true, refundStatus: null, refundedCents: 0 })
    expect(await refunds()).toBe(before)
  })

  test('waits when the member leaves, whose bookings end with that', async ({ env, paidBooking, toApprove }) => {
    const { api, school, workers } = env
    const { look } = await paidBooking(20_000)
    const left = await api.as(school.student).delete('/users')
    expect(left.statusCode, left.body).toBe(204)
    await workers.settled()
    expect(await look()).toMatchObject({ paid: true, refundStatus: 'waiting', refundedCents: 0 })
    expect((await toApprove(school.admin)).map(({ subject }) => subject.id)).toContain((await look()).id)
  })
})
