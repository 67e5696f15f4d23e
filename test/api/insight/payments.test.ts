import { describe, expect } from 'vitest'
import { buildSchool } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { must } from '../../support/flights.ts'
import { buildBill } from '../../support/reports.ts'

const test = apiTest({ env: { PROCESSOR_WAIT_MS: '0' } })

describe('GET /reports/payments (§Reports)', () => {
  test('adds up what each person took in on a day, and gave back on a day, by method, with what was taken back', async ({
    api,
  }) => {
    const school = await buildSchool(api)
    const { admin, owner, student, dispatcher } = school
    const lines = [{ kind: 'other', amountCents: 30_000 }]
    const invoices = [
      await buildBill(api, school, { payer: student, lines }),
      await buildBill(api, school, { payer: student, lines }),
    ]
    const pay = (who: typeof admin, at: number, amountCents: number, method: string) =>
      must<{ payments: { id: number }[] }>(api, who, 'POST', `/invoices/${invoices[at]}/payments`, {
        ...{ amountCents, method, receivedAt: '2026-11-20T18:00:00Z' },
      })
    await pay(admin, 0, 10_000, 'cash')
    await pay(admin, 0, 20_000, 'cash')
    const { payments } = await pay(owner, 1, 30_000, 'check')
    await must(api, owner, 'POST', `/invoices/${invoices[1]}/payments/${payments[0]!.id}/reverse`, {
      reason: 'Bounced',
    })
    await must(api, owner, 'POST', `/invoices/${invoices[0]}/credits`, {
      ...{ amountCents: 4_000, reason: 'One book was missing', refund: 'offline' },
    })
    await must(api, owner, 'POST', `/invoices/${invoices[0]}/credits`, {
      ...{ amountCents: 1_000, reason: 'Late', refund: 'ledger' },
    })
    const path = '/reports/payments?startDate=2026-11-01&endDate=2026-11-30'
    const none = { payments: 0, amountCents: 0, reversedCents: 0 }
    const of = (who: typeof admin) => ({ orgUserId: who.orgUserId, name: who.name, date: '2026-11-20' })
    expect(await must(api, admin, 'GET', path)).toEqual(
      [
        { ...of(owner), method: 'check', payments: 1, amountCents: 30_000, reversedCents: 30_000, refundedCents: 0 },
        { ...of(owner), date: '2026-11-21', method: 'offline', ...none, refundedCents: 4_000 },
        { ...of(admin), method: 'cash', payments: 2, amountCents: 30_000, reversedCents: 0, refundedCents: 0 },
      ].sort((a, b) => a.date.localeCompare(b.date) || a.orgUserId - b.orgUserId),
    )
    const csv = await api.as(admin).get(`${path}&format=csv`)
    expect(csv.body.split('\r\n')[0]).toContain(
      'date,orgUserId,name,method,payments,amountCents,reversedCents,refundedCents',
    )
    expect((await api.as(dispatcher).get(path)).statusCode).toBe(403)
    const elsewhere = await buildSchool(api)
    expect(await must(api, elsewhere.admin, 'GET', path)).toEqual([])
  })
})
