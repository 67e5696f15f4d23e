import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvoice } from '../../../src/shared/billing/invoices/create-invoice.ts'
import { planInvoices } from '../../../src/shared/billing/invoices/invoice-flight.ts'
import { invoiceWaited } from '../../../src/shared/billing/invoices/invoices.jobs.ts'
import { findOwner } from '../../../src/shared/platform/authz/actor.queries.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember } from '../../support/builders.ts'
import { dualBody, expectOk, fly } from '../../support/flights.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres', { settings: { autoInvoice: 'signed_off' } })
})
afterAll(() => env.close())

test('12 times at once, the end of the 24 hours and other payers: the flight is invoiced as told, or not at all', async () => {
  const { api, school, workers } = env
  const { organizationId } = school
  const { pool } = api.core.database
  const [pilot, other] = [
    await buildMember(api, organizationId, ['renter']),
    await buildMember(api, organizationId, ['renter']),
  ]
  await pool.query("update membership set billing_mode = 'ledger' where id = $1", [other.orgUserId])
  for (let round = 1; round <= 12; round++) {
    const on = `2027-03-${String(round).padStart(2, '0')}`
    const people = [other, pilot].map(({ orgUserId }) => ({ orgUserId }))
    const made = { ...dualBody(school, { start: `${on}T10:00:00Z`, end: `${on}T12:00:00Z` }), type: 'shared' }
    const body = { ...made, personnel: { pilots: people } }
    const { id } = await expectOk<{ id: number }>(api, pilot, 'POST', '/reservations', body)
    await fly(api, school, id, pilot)
    await expectOk(api, pilot, 'POST', `/reservations/${id}/confirmReview`)
    await workers.settled()
    await pool.query(
      "update charge_notice set notified_at = notified_at - interval '25 hours' where reservation_id = $1",
      [id],
    )
    const payers = [{ orgUserId: pilot.orgUserId, percentage: 100 }]
    const put = () => api.as(school.dispatcher).put(`/reservations/${id}/payers`, { payers })
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const [answer] = await Promise.all([
      // Later each round, so that either one is first in some.
      wait(round * 8).then(put),
      ...[1, 2].map(() => workers.run((tx) => tx.enqueue(invoiceWaited, { organizationId, reservationId: id }))),
    ])
    await workers.settled()
    const { rows } = await pool.query(
      `select (select count(*)::int from invoice where reservation_id = $1) as invoices,
        (select count(*)::int from invoice where reservation_id = $1 and membership_id = $2) as theirs,
        (select count(*)::int from ledger_entry where reservation_id = $1 and membership_id = $2) as entries,
        (select count(*)::int from confirmation where reservation_id = $1) as signatures`,
      [id, other.orgUserId],
    )
    const isChanged = answer.statusCode === 200
    expect([isChanged, rows[0]], answer.body).toEqual(
      isChanged
        ? [true, { invoices: 0, theirs: 0, entries: 0, signatures: 0 }]
        : [false, { invoices: 1, theirs: 1, entries: 1, signatures: 1 }],
    )
  }
})

test.for(["billing_mode = 'ledger'", 'autopay = true'])(
  'a payer who did not sign and is asked to pay is asked, though somebody sets %s meanwhile',
  async (change) => {
    const { api, school } = env
    const { organizationId } = school
    const { pool } = api.core.database
    await pool.query('update organization set settings = settings || \'{"autoInvoice": "off"}\' where id = $1', [
      organizationId,
    ])
    const [pilot, other] = [
      await buildMember(api, organizationId, ['renter']),
      await buildMember(api, organizationId, ['renter']),
    ]
    const on = `2027-04-${change === 'autopay = true' ? '01' : '02'}`
    const made = { ...dualBody(school, { start: `${on}T10:00:00Z`, end: `${on}T12:00:00Z` }), type: 'shared' }
    const personnel = { pilots: [other, pilot].map(({ orgUserId }) => ({ orgUserId })) }
    const { id } = await expectOk<{ id: number }>(api, pilot, 'POST', '/reservations', { ...made, personnel })
    await fly(api, school, id, pilot)
    await expectOk(api, pilot, 'POST', `/reservations/${id}/confirmReview`)
    await inTransaction(api.core.database, api.core.clock, async (tx) => {
      const owner = await findOwner(tx.db, organizationId)
      const { planned } = await planInvoices(tx, owner!, id)
      await pool.query(`update membership set ${change} where id = $1`, [other.orgUserId])
      for (const plan of planned) await createInvoice(tx, owner!, plan)
    })
    const { rows } = await pool.query(
      `select i.settlement, i.status, (select count(*)::int from autopay_charge c where c.invoice_id = i.id) as charges
       from invoice i where reservation_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ settlement: 'processor', status: 'pending', charges: 0 }])
  },
)
