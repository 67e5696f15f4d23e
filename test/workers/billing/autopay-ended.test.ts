import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargeByAutopay } from '../../../src/shared/billing/autopay/autopay.jobs.ts'
import { type AttemptResult, beginCharge, recordCharge } from '../../../src/shared/billing/autopay/start-charge.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { chargeableNow, payerByCard, paymentsMade, saveCard } from '../../support/cards.ts'
import { expectOk } from '../../support/flights.ts'
import { buildManaged } from '../../support/managed.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres')
})
afterAll(() => env.close())

/** Invoices a headset of 90.00, which waits for 24 hours before it is charged. */
async function bill({ orgUserId }: Pick<Member, 'orgUserId'>): Promise<number> {
  const given = { customer: { orgUserId }, items: [{ description: 'Headset', unitPrice: 9_000 }] }
  const { id } = await expectOk<{ id: number }>(env.api, env.school.admin, 'POST', '/invoices', given)
  await env.workers.settled()
  return id
}
const pool = () => env.api.core.database.pool
const chargeOf = async (id: number) =>
  (await pool().query('select state, amount_cents from autopay_charge where invoice_id = $1', [id])).rows[0]
const attemptNow = async (invoiceId: number, attempt: number) => {
  const { organizationId } = env.school
  await chargeableNow(env, invoiceId)
  await env.workers.run((tx) => tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt }))
  await env.workers.settled()
}
const switchTo = (member: Member, autopay: boolean) =>
  expectOk(env.api, member, 'PATCH', `/orgUsers/${member.orgUserId}`, { autopay })

describe('what an attempt that ended without an answer leaves (§Invoices)', () => {
  const begin = async (invoiceId: number) => {
    const attempt = { organizationId: env.school.organizationId, invoiceId, attempt: 1 }
    const { database, clock } = env.api.core
    await chargeableNow(env, invoiceId)
    await inTransaction(database, clock, (tx) => beginCharge(tx, attempt))
    return (outcome: AttemptResult) =>
      inTransaction(database, clock, (tx) => recordCharge(tx, attempt, outcome, { repeated: false }))
  }

  test.for<['no_card' | 'refused' | 'unknown', number | null]>([
    ['no_card', null],
    ['refused', null],
    ['unknown', 9_000],
  ])('stopped stays stopped after %s, and only what may have been charged counts', async ([outcome, cents]) => {
    const member = await payerByCard(env, null)
    const end = await begin(await bill(member))
    const { rows } = await pool().query('select invoice_id as id from autopay_charge where membership_id = $1', [
      member.orgUserId,
    ])
    await switchTo(member, false)
    await end({ outcome })
    expect(await chargeOf(rows[0].id)).toEqual({ state: 'stopped', amount_cents: cents })
  })

  test('is not made again above a limit that was lowered meanwhile: the payer is asked, and it counts', async () => {
    const member = await payerByCard(env, 'ok')
    const id = await bill(member)
    await begin(id)
    const path = `/orgUsers/${member.orgUserId}`
    await expectOk(env.api, member, 'PATCH', path, { autopayMaxCents: 8_999 })
    const made = await paymentsMade(env)
    await attemptNow(id, 1)
    expect([await chargeOf(id), await paymentsMade(env)]).toEqual([{ state: 'asked', amount_cents: 9_000 }, made])
  })

  test('asks the payer when the gateway never answered, and the amount counts for the day', async () => {
    const id = await bill(await payerByCard(env, null))
    await (await begin(id))({ outcome: 'unknown' })
    expect(await chargeOf(id)).toEqual({ state: 'asked', amount_cents: 9_000 })
  })
})

describe('what is never charged by itself (§Invoices)', () => {
  test('an invoice whose lines changed after a decline', async () => {
    const member = await payerByCard(env, 'declined')
    const id = await bill(member)
    await attemptNow(id, 1)
    expect((await chargeOf(id)).state).toBe('declined')
    const items = [{ description: 'Headset, used', unitPrice: 7_000 }]
    await expectOk(env.api, env.school.admin, 'PATCH', `/invoices/${id}`, { items })
    await env.workers.settled()
    await saveCard(env, member, 'ok', member)
    const made = await paymentsMade(env)
    await attemptNow(id, 2)
    expect([await chargeOf(id), await paymentsMade(env)]).toEqual([{ state: 'stopped', amount_cents: null }, made])
  })

  test('the card of a managed member', async () => {
    const member = await buildManaged(env.api, env.school, { email: 'mia@skyway.example' })
    await saveCard(env, member, 'ok', env.school.admin)
    const made = await paymentsMade(env)
    const path = `/orgUsers/${member.orgUserId}`
    expect((await env.api.as(env.school.admin).patch(path, { autopay: true })).statusCode).toBe(403)
    // Even if the row said so.
    await pool().query('update membership set autopay = true where id = $1', [member.orgUserId])
    const id = await bill(member)
    await attemptNow(id, 1)
    expect([await chargeOf(id), await paymentsMade(env)]).toEqual([undefined, made])
  })

  test('an invoice that was raised before autopay was switched on', async () => {
    const member = await buildMember(env.api, env.school.organizationId, ['student'])
    await saveCard(env, member, 'ok', member)
    const id = await bill(member)
    await switchTo(member, true)
    const made = await paymentsMade(env)
    await attemptNow(id, 1)
    expect([await chargeOf(id), await paymentsMade(env)]).toEqual([undefined, made])
  })
})
