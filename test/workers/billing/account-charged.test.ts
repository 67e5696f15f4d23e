import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember } from '../../support/builders.ts'
import { expectOk } from '../../support/flights.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres')
})
afterAll(() => env.close())

interface Invoice {
  id: number
  status: string
  paymentMethod: string | null
}

test('an account is charged at once for what the desk sells that is no flight, its owner is mailed, and it is undone by a reversal', async () => {
  const { api, school, workers } = env
  const { admin, organizationId } = school
  const { pool } = api.core.database
  const [member, stranger] = [
    await buildMember(api, organizationId, ['renter']),
    await buildMember(api, organizationId, ['renter']),
  ]
  await pool.query("update membership set billing_mode = 'ledger' where id = $1", [member.orgUserId])
  const of = { orgUserId: member.orgUserId }
  const credit = { name: 'Credit', priceCents: 10_000, grant: { amountCents: 11_000 } }
  const sold = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', credit)
  const bought = await expectOk<{ invoice: Invoice }>(api, admin, 'POST', `/packages/${sold.id}/purchases`, of)
  const items = [{ description: 'Headset', unitPrice: 30_000 }]
  const billed = await expectOk<Invoice>(api, admin, 'POST', '/invoices', { customer: of, items })
  expect(bought.invoice).toMatchObject({ status: 'paid' })
  expect(billed).toMatchObject({ status: 'paid', paymentMethod: 'ledger' })
  await workers.settled()
  // Two jobs send them, in either order.
  expect(
    workers
      .mails(member.email)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual([expect.stringContaining('$100.00'), expect.stringContaining('$300.00')])
  // Nobody but the desk charges another one's account.
  const theft = await api.as(stranger).post(`/packages/${sold.id}/purchases`, of)
  expect(theft.statusCode).toBe(403)
  expect((await api.as(stranger).post('/invoices', { customer: of, items })).statusCode).toBe(403)

  const { rows } = await pool.query('select id from ledger_entry where invoice_id = $1', [billed.id])
  await expectOk(api, admin, 'POST', `/ledger/${rows[0].id}/reverse`, { reason: 'They have one' })
  expect(await expectOk(api, admin, 'GET', `/invoices/${billed.id}`)).toMatchObject({ status: 'void' })
  const balance = await pool.query(
    'select sum(amount_cents)::int as cents from ledger_entry where membership_id = $1',
    [member.orgUserId],
  )
  expect(balance.rows).toEqual([{ cents: -10_000 }])
})
