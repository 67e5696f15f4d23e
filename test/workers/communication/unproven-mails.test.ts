import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailOfLedgerPayment } from '../../../src/shared/billing/payments/ledger-payments.jobs.ts'
import { hashOfAddress } from '../../../src/shared/communication/notifications/unproven-mail.access.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { expectOk } from '../../support/flights.ts'
import { giveDesk } from '../../support/grants.ts'
import { buildManaged } from '../../support/managed.ts'
import { buildGuest, buildInvoice } from '../../support/records.ts'

describe('mails to an address that never confirmed anything', () => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling('postgres', { env: { RATE_LIMIT_FACTOR: '1' } })
  })
  afterAll(() => env.close())

  const address = 'mia@example.com'
  const toMia = () => env.workers.mails(address)

  test('are three a day, each with a link that ends all of the organization’s at once', async () => {
    const { api, school, workers } = env
    const mia = { name: 'Mia Managed', email: address, student: true }
    const { id: orgUserId } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/orgUsers', mia)
    const bill = async (memo: string) => {
      const items = [{ description: 'Books', unitPrice: 5_000 }]
      await expectOk(api, school.admin, 'POST', '/invoices', { customer: { orgUserId }, memo, items })
      await workers.settled()
    }
    for (const memo of ['One', 'Two', 'Three', 'Four']) await bill(memo)
    expect(toMia()).toHaveLength(3)
    const { rows } = await api.core.database.pool.query<{ given_up: number }>(
      "select count(*)::int as given_up from delivery where kind = 'mail' and outcome = 'given_up'",
    )
    expect(rows[0]?.given_up).toBe(1)
    const [mail] = toMia()
    const link = new URL(/<([^>]+)>/.exec(mail?.unsubscribe ?? '')?.[1] ?? '').pathname
    expect(mail?.text).toContain('No more mails from this organization')
    const page = await api.app.inject({ method: 'GET', url: link })
    expect(page.body).toContain('Do you want to turn off mails from this organization?')
    const forged = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`
    expect((await api.app.inject({ method: 'POST', url: forged })).statusCode).toBe(404)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.app.inject({ method: 'POST', url: link, headers, payload: '' })).statusCode).toBe(200)
    // A mail program may send the form in parts (RFC 8058).
    const parts = {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    }
    expect((await api.app.inject({ method: 'POST', url: link, ...parts })).statusCode).toBe(200)
    await api.core.database.pool.query('delete from mail_count')
    await bill('Five')
    expect(toMia()).toHaveLength(3)
  })

  test('are also receipts, and notices that a ledger pays', async () => {
    const { api, school, workers } = env
    const { pool } = api.core.database
    const links = (email: string) =>
      workers
        .mails(email)
        .filter(({ subject }) => /receipt|ledger/.test(subject))
        .map(({ text }) => text.includes('No more mails from this organization'))
    await giveDesk(api, school, school.dispatcher, 'cashier')
    const managed = async (email: string) =>
      (await buildManaged(api, school, { name: 'Max Managed', email, renter: true })).orgUserId
    const pay = async (id: number) => {
      const payment = { amountCents: 1_000, method: 'cash' }
      await expectOk(api, school.dispatcher, 'POST', `/invoices/${id}/payments`, payment)
      await workers.settled()
    }
    const deposit = { kind: 'deposit', amountCents: 9_000 }
    const max = await managed('max@example.com')
    for (const _ of [1, 2, 3, 4]) {
      await expectOk(api, school.dispatcher, 'POST', `/orgUsers/${max}/ledger`, deposit)
      await workers.settled()
    }
    expect(links('max@example.com')).toEqual([true, true, true])
    const row = await pool.query('select reason from undelivered_mail where membership_id = $1', [max])
    expect(row.rows).toEqual([{ reason: 'address_limit' }])
    const guestId = await buildGuest(api, school, 'gia@example.com')
    const toGuest = await buildInvoice(api, school, { payer: { guestId }, number: 32 })
    await pay(toGuest)
    const ended = 'insert into ended_mail (organization_id, address_hash) values ($1, $2)'
    await pool.query(ended, [school.organizationId, hashOfAddress('gia@example.com')])
    await pay(toGuest)
    expect(links('gia@example.com')).toEqual([true])
    const last = await pool.query('select reason from undelivered_mail where guest_id = $1', [guestId])
    expect(last.rows).toEqual([{ reason: 'unsubscribed' }])

    const ned = await managed('ned@example.com')
    await expectOk(api, school.admin, 'POST', `/orgUsers/${ned}/ledger`, deposit)
    const announced = async (number: number) => {
      const invoiceId = await buildInvoice(api, school, { payer: { ...school.student, orgUserId: ned }, number })
      await pool.query('update invoice set auto_ledger = true where id = $1', [invoiceId])
      const { organizationId } = school
      await workers.run((tx) => tx.enqueue(mailOfLedgerPayment, { organizationId, invoiceId }))
      await workers.settled()
      return (await pool.query('select ledger_from from invoice where id = $1', [invoiceId])).rows[0].ledger_from
    }
    expect(await announced(33)).not.toBe(null)
    // The receipt of the deposit, and the notice.
    expect(links('ned@example.com')).toEqual([true, true])
    await pool.query(ended, [school.organizationId, hashOfAddress('ned@example.com')])
    expect(await announced(34)).toBe(null)
    expect(links('ned@example.com')).toHaveLength(2)
  })
})
