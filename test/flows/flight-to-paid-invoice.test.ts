import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { closedOutFlight, expectOk } from '../support/flights.ts'

describe.each(testedBackends())(
  'a flight from booking to a paid invoice, queues in %s (§Reservation lifecycle, §Invoices)',
  (kind) => {
    let env: BillingEnv
    beforeAll(async () => {
      env = await startBilling(kind)
    })
    afterAll(() => env.close())

    test('is billed in the amounts of the breakdown, paid through the pay link, and shown as revenue', async () => {
      const { api, school, workers } = env
      const id = await closedOutFlight(api, school)
      const totals = await expectOk<{ totalCents: number }>(
        api,
        school.admin,
        'GET',
        `/invoices/reservation/${id}/invoiceTotals`,
      )
      // 1.4 h × $180 wet + 1.4 h × $60 instruction
      expect(totals.totalCents).toBe(25_200 + 8_400)

      const response = await api.call('POST', `/reservations/${id}/invoices`, { token: school.admin.token })
      expect(response.statusCode, response.body).toBe(201)
      const [invoice] = response.json().data
      expect(response.json().data).toHaveLength(1)
      expect(invoice).toMatchObject({ status: 'open', number: 1, totalCents: 33_600, amountDueCents: 33_600 })
      expect(invoice.customer.orgUserId).toBe(school.student.orgUserId)

      const again = await api.call('POST', `/reservations/${id}/invoices`, { token: school.admin.token })
      expect(again.statusCode).toBe(400)

      // The mail shows the pay link of what is not paid when it is written.
      await workers.settled()
      await fetch(invoice.payUrl, { method: 'POST', redirect: 'manual' })
      const look = () => expectOk<{ paid: boolean }>(api, school.student, 'GET', `/invoices/${invoice.id}`)
      const paid = await eventually(look, (one) => one.paid)
      expect(paid).toMatchObject({ status: 'paid', amountPaidCents: 33_600, amountDueCents: 0, paymentMethod: 'card' })

      expect(await expectOk(api, school.owner, 'GET', '/invoices/summary')).toEqual({
        revenueCents: 33_600,
        outstandingCents: 0,
        overdueCents: 0,
        creditedCents: 0,
        refundedCents: 0,
        paidCount: 1,
        outstandingCount: 0,
        overdueCount: 0,
        voidedCount: 0,
      })
      const reservation = await expectOk<{ status: string }>(api, school.student, 'GET', `/reservations/${id}`)
      expect(reservation.status).toBe('invoiced')
      await workers.settled()
      expect(workers.mails(school.student.email).some((mail) => mail.text.includes(invoice.payUrl))).toBe(true)
    })
  },
)
