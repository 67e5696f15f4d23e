import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargeByAutopay, detachCardsLeft } from '../../../src/shared/billing/autopay/autopay.jobs.ts'
import { recordCardSetup } from '../../../src/shared/billing/cards/record-card.ts'
import type { Actor } from '../../../src/shared/platform/authz/actor.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { cardPage, payerByCard, paymentsMade, saveCard } from '../../support/cards.ts'
import { closedOutFlight, expectOk } from '../../support/flights.ts'
import { buildManaged } from '../../support/managed.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres')
})
afterAll(() => env.close())

let flown = 0
/** Invoices a flight of 336.00 of the member. */
async function fly(member: Member): Promise<number> {
  const day = String(++flown).padStart(2, '0')
  const hours = { start: `2026-10-${day}T10:00:00Z`, end: `2026-10-${day}T12:00:00Z` }
  const id = await closedOutFlight(env.api, env.school, { students: [member], ...hours })
  const [invoice] = await expectOk<{ id: number }[]>(
    env.api,
    env.school.admin,
    'POST',
    `/reservations/${id}/invoices`,
    {},
  )
  await env.workers.settled()
  return invoice!.id
}
const chargeOf = async (id: number) =>
  (await env.api.core.database.pool.query('select state from autopay_charge where invoice_id = $1', [id])).rows[0]
const attemptNow = async (invoiceId: number, attempt: number) => {
  const { organizationId } = env.school
  await env.workers.run((tx) => tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt }))
  await env.workers.settled()
}
const detached = async (): Promise<number> =>
  (await env.simulator.everything()).events.filter(({ type }) => type === 'payment_method.detached').length

describe('the cards and charges of who leaves (§Invoices)', () => {
  test.for<[string, (member: Member) => Promise<{ statusCode: number }>]>([
    ['is removed', (member) => env.api.as(env.school.admin).delete(`/orgUsers/${member.orgUserId}`)],
    ['deletes the account', (member) => env.api.as(member).delete('/users')],
  ])('are no more when the member %s: cards are detached and nothing is tried again', async ([, leave]) => {
    const member = await payerByCard(env, 'declined')
    const invoice = await fly(member)
    expect(await chargeOf(invoice)).toEqual({ state: 'declined' })
    await saveCard(env, member, 'ok', member)
    const [made, gone] = [await paymentsMade(env), await detached()]
    expect((await leave(member)).statusCode).toBe(204)
    await env.workers.settled()
    expect([await chargeOf(invoice), await detached()]).toEqual([{ state: 'stopped' }, gone + 2])
    await attemptNow(invoice, 2)
    expect([await chargeOf(invoice), await paymentsMade(env)]).toEqual([{ state: 'stopped' }, made])
  })

  test('are detached at a merge, which gives the other neither card nor consent nor charge', async () => {
    const from = await buildManaged(env.api, env.school)
    await saveCard(env, from, 'ok', env.school.admin)
    const into = await buildMember(env.api, env.school.organizationId, ['student'])
    const [made, gone] = [await paymentsMade(env), await detached()]
    await expectOk(env.api, env.school.admin, 'POST', `/orgUsers/${from.orgUserId}/merge`, {
      intoOrgUserId: into.orgUserId,
    })
    await env.workers.settled()
    expect(await detached()).toBe(gone + 1)
    expect(await expectOk(env.api, into, 'GET', `/orgUsers/${into.orgUserId}/paymentMethods`)).toEqual([])
    const member = await expectOk<{ autopay: boolean }>(env.api, into, 'GET', `/orgUsers/${into.orgUserId}`)
    expect([member.autopay, await paymentsMade(env)]).toEqual([false, made])
  })

  test('end with the consent: switched on again, only new invoices are charged', async () => {
    const member = await payerByCard(env, 'declined')
    const invoice = await fly(member)
    const set = (autopay: boolean) => expectOk(env.api, member, 'PATCH', `/orgUsers/${member.orgUserId}`, { autopay })
    await set(false)
    await saveCard(env, member, 'ok', member)
    await set(true)
    const made = await paymentsMade(env)
    await attemptNow(invoice, 2)
    expect([await chargeOf(invoice), await paymentsMade(env)]).toEqual([{ state: 'stopped' }, made])
  })

  test('are detached again when a page from before is valid no more', async () => {
    const { database } = env.api.core
    const member = await payerByCard(env, null)
    const page = await cardPage(env, member, member)
    expect((await env.api.as(env.school.admin).delete(`/orgUsers/${member.orgUserId}`)).statusCode).toBe(204)
    await env.workers.settled()
    expect((await env.simulator.saveCard(page, 'ok')).status).toBe(200)
    const gone = await detached()
    const { rows } = await database.pool.query(
      `select payload, round(extract(epoch from available_at - now()) / 3600)::int as hours
       from outbox where job = 'autopay.detach-cards-left' order by available_at desc limit 1`,
    )
    expect(rows[0].hours).toBe(25)
    await env.workers.run((tx) => tx.enqueue(detachCardsLeft, rows[0].payload))
    expect(await detached()).toBe(gone + 1)
  })

  test('are saved on no page that is asked for while the member leaves', async () => {
    const member = await payerByCard(env, null)
    expect((await env.api.as(env.school.admin).delete(`/orgUsers/${member.orgUserId}`)).statusCode).toBe(204)
    const { database, clock } = env.api.core
    const actor = { organizationId: env.school.organizationId, orgUserId: member.orgUserId } as Actor
    const customer = { account: null, gatewayCustomerId: 'cus_late' }
    await expect(
      inTransaction(database, clock, (tx) => recordCardSetup(tx, actor, member.orgUserId, customer)),
    ).rejects.toThrow('There is no such member.')
  })

  test('are detached when the organization is deleted', async () => {
    await payerByCard(env, 'ok')
    const gone = await detached()
    expect((await env.api.as(env.school.owner).delete('/organizations')).statusCode).toBe(204)
    await env.workers.settled()
    expect(await detached()).toBeGreaterThan(gone)
  })
})
