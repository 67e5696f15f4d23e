import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BillingEnv, startBilling } from '../../../support/billing.ts'
import { buildSchool, type Member } from '../../../support/builders.ts'
import { buildManaged } from '../../../support/managed.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres', { workers: false, env: { STRIPE_TIMEOUT_MS: '1000' } })
})
afterAll(() => env.close())

const at = (orgUserId: number) => `/orgUsers/${orgUserId}/paymentMethods`
const methods = async (of: number, who: Member) => (await env.api.as(who).get(at(of))).json().data

async function setUp(of: number, who: Member): Promise<string> {
  const response = await env.api.as(who).post(`${at(of)}/setup`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().data.url
}

describe('cards on file (§Invoices)', () => {
  test('are saved on the processor’s page, listed, and taken away, by the member', async () => {
    const { student } = env.school
    const url = await setUp(student.orgUserId, student)
    expect(url).toMatch(/\/c\/acct_simulator\/cs_test_/)
    expect((await env.simulator.saveCard(url, 'ok')).status).toBe(200)
    const [card, ...others] = await methods(student.orgUserId, student)
    expect(others).toEqual([])
    const expYear = new Date().getUTCFullYear() + 2
    expect(card).toEqual({
      id: expect.stringMatching(/^pm_/),
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear,
      isDefault: true,
    })
    const gone = () => env.api.as(student).delete(`${at(student.orgUserId)}/${card.id}`)
    expect((await gone()).statusCode).toBe(204)
    const again = await gone()
    expect([again.statusCode, again.json().message]).toEqual([404, 'There is no such payment method.'])
    expect(await methods(student.orgUserId, student)).toEqual([])
  })

  test('are in the audit log without what the card says, and no number is stored', async () => {
    const { admin, student } = env.school
    await env.simulator.saveCard(await setUp(student.orgUserId, admin), 'ok')
    const { data } = (await env.api.as(admin).get('/audit?action=payment_method.asked_for&limit=1')).json()
    expect(data[0]).toMatchObject({ subject: { kind: 'member', id: student.orgUserId }, after: { own: false } })
    // What was told, without ids and instants, which may hold any four digits.
    const dump = await env.api.core.database.pool.query(
      'select concat(e.before, e.after, e.reason, e.actor_name) as row from event e',
    )
    expect(dump.rows.some(({ row }) => /4242|pm_|cs_test/.test(row))).toBe(false)
  })

  test('of a managed member are saved by an admin', async () => {
    const { admin } = env.school
    const { orgUserId: id } = await buildManaged(env.api, env.school, { email: 'managed@skyway.example' })
    await env.simulator.saveCard(await setUp(id, admin), 'ok')
    expect(await methods(id, admin)).toHaveLength(1)
  })

  test('are 503 while the processor does not answer, and nothing is written', async () => {
    const { instructor } = env.school
    await env.simulator.fault({ match: 'POST /v1/checkout/sessions', kind: 'hang', seconds: 3 })
    const response = await env.api.as(instructor).post(`${at(instructor.orgUserId)}/setup`)
    expect([response.statusCode, response.json().message]).toEqual([
      503,
      'The payment processor gives no answer. Please try again in a moment.',
    ])
    expect(await methods(instructor.orgUserId, instructor)).toEqual([])
  })

  test('are 400 when the processor refuses', async () => {
    const { instructor } = env.school
    await env.simulator.fault({ match: 'POST /v1/checkout/sessions', kind: '402' })
    const response = await env.api.as(instructor).post(`${at(instructor.orgUserId)}/setup`)
    expect([response.statusCode, response.json().message]).toEqual([400, 'Your card was declined.'])
  })
})

describe('pages on which cards are saved (§Limits)', () => {
  test('are five a day for a member and twenty in an organization, whoever asks', async () => {
    const limited = await startBilling('postgres', { workers: false, env: { RATE_LIMIT_FACTOR: '1' } })
    try {
      const { api, school } = limited
      const { admin, owner } = school
      const statuses = async (of: Member, asked: Member[]) => {
        const found: number[] = []
        for (const who of asked) found.push((await api.as(who).post(`${at(of.orgUserId)}/setup`)).statusCode)
        return found
      }
      const five = Array.from({ length: 5 }, () => admin)
      expect(await statuses(school.student, [...five, school.student])).toEqual([200, 200, 200, 200, 200, 429])
      await statuses(school.renter, five)
      await statuses(school.instructor, five)
      expect(await statuses(school.dispatcher, five)).toEqual([200, 200, 200, 200, 200])
      const full = await api.as(owner).post(`${at(owner.orgUserId)}/setup`)
      expect([full.statusCode, Number(full.headers['retry-after']) > 3_600]).toEqual([429, true])

      // The owner founds another school: it has no pages of its own.
      const other = await buildSchool(api)
      await api.core.database.db
        .updateTable('membership')
        .set({ account_id: owner.accountId })
        .where('id', '=', other.owner.orgUserId)
        .execute()
      expect((await api.as(other.admin).post(`${at(other.student.orgUserId)}/setup`)).statusCode).toBe(429)
    } finally {
      await limited.close()
    }
  })
})
