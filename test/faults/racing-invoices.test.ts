import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { flownBy } from '../support/flights.ts'
import { expectSameFigures } from '../support/reconcile.ts'

const AT_ONCE = 20

describe.each(testedBackends())('calls to invoice one flight at the same time, queues in %s', (kind) => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling(kind)
  })
  afterAll(() => env.close())

  function billAtOnce(flight: number, headers: Record<string, string> = {}) {
    const { token } = env.school.admin
    const call = () => env.api.call('POST', `/reservations/${flight}/invoices`, { token, headers })
    return Promise.all(Array.from({ length: AT_ONCE }, call))
  }

  test('make one invoice: one call gets it, the others hear that it stands', async () => {
    const { id, student } = await flownBy(env.api, env.school, 0)
    const answers = await billAtOnce(id)
    const [won, ...others] = answers.filter(({ statusCode }) => statusCode === 201)
    expect(others).toEqual([])
    expect(won?.json().data).toMatchObject([{ status: 'open', customer: { orgUserId: student.orgUserId } }])
    const refused = answers.filter((answer) => answer !== won).map((answer) => [answer.statusCode, answer.json().code])
    expect(refused).toEqual(Array(AT_ONCE - 1).fill([400, 'ALREADY_INVOICED']))
    await expectSameFigures(env)
  })

  test('under one Idempotency-Key get one answer, the first and its repeats', async () => {
    const { id } = await flownBy(env.api, env.school, 1)
    const answers = await billAtOnce(id, { 'idempotency-key': 'bill-the-flight' })
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(AT_ONCE - 1)
    await expectSameFigures(env)
  })

  test('and the pay link used many times at once make one payment', async () => {
    const { id } = await flownBy(env.api, env.school, 2)
    const [first] = (await billAtOnce(id)).flatMap((answer) => (answer.statusCode === 201 ? answer.json().data : []))
    const paid = Array.from({ length: AT_ONCE }, () => fetch(first.payUrl, { method: 'POST', redirect: 'manual' }))
    await Promise.all(paid)
    const look = async () => {
      const { rows } = await env.api.core.database.pool.query(
        `select status, amount_paid_cents, (select count(*)::int from notification where kind = 'invoice_paid'
           and membership_id = $2 and data ->> 'invoiceId' = invoice.id::text) as told
           from invoice where id = $1`,
        [first.id, env.school.admin.orgUserId],
      )
      return rows
    }
    await eventually(look, ([invoice]) => invoice?.status === 'paid')
    await env.workers.settled()
    expect(await look()).toEqual([{ status: 'paid', amount_paid_cents: 33_600, told: 1 }])
    await expectSameFigures(env)
  })
})
