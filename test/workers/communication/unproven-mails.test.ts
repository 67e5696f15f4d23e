import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { expectOk } from '../../support/flights.ts'

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
})
