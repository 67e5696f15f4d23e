import type { TestApp } from './app.ts'
import type { School } from './builders.ts'
import { eventually } from './eventually.ts'
import { billingTest } from './fixtures.ts'
import { expectOk } from './flights.ts'

/** Sets the limit above which a refund waits, at once: through the interface a higher one, or none, waits a day. */
export async function setRefundLimit(api: TestApp, { organizationId }: School, limit: number | null): Promise<void> {
  await api.core.database.pool.query(
    `update organization set settings = jsonb_set(settings, '{refundApprovalCents}', $2) where id = $1`,
    [organizationId, JSON.stringify(limit)],
  )
}

/** What tests read of an invoice. */
export interface IssuedInvoice {
  id: number
  status: string
  payUrl: string
  totalCents: number
  items: { id: number }[]
}

/**
 * Returns a test with the services of billing, in which an admin invoices these lines to the student or another member
 * (`raise`), reads an invoice (`look`), and the payer pays it by card on the processor's page (`paidByCard`).
 */
export function invoicedTest(items: { description: string; unitPrice: number }[]) {
  return billingTest()
    .extend(
      'raise',
      ({ env: { api, school } }) =>
        (orgUserId = school.student.orgUserId) =>
          expectOk<IssuedInvoice>(api, school.admin, 'POST', '/invoices', { customer: { orgUserId }, items }),
    )
    .extend(
      'look',
      ({ env: { api, school } }) =>
        (id: number) =>
          expectOk<IssuedInvoice>(api, school.admin, 'GET', `/invoices/${id}`),
    )
    .extend('paidByCard', ({ raise, look }) => async () => {
      const { id, payUrl } = await raise()
      await fetch(payUrl, { method: 'POST', redirect: 'manual' })
      return eventually(
        () => look(id),
        ({ status }) => status === 'paid',
      )
    })
}
