import { expect } from 'vitest'
import type { CardKind } from '../../local/payments/store.ts'
import type { BillingEnv } from './billing.ts'
import { buildMember, type Member } from './builders.ts'
import { expectOk } from './flights.ts'

type Env = Pick<BillingEnv, 'api' | 'school' | 'simulator'>

/** Returns the page where a card of a member is saved, by default asked for by the member. */
export async function cardPage({ api }: Env, { orgUserId }: Pick<Member, 'orgUserId'>, by: Member): Promise<string> {
  return (await expectOk<{ url: string }>(api, by, 'POST', `/orgUsers/${orgUserId}/paymentMethods/setup`, {})).url
}

/** Saves a card of a member on the processor's page, which the member or somebody else asked for. */
export async function saveCard(env: Env, member: Pick<Member, 'orgUserId'>, card: CardKind, by: Member): Promise<void> {
  expect((await env.simulator.saveCard(await cardPage(env, member, by), card)).status).toBe(200)
}

/** A new student with a saved card, or with none, who has switched autopay on. */
export async function payerByCard(env: Env, card: CardKind | null, terms: object = {}): Promise<Member> {
  const member = await buildMember(env.api, env.school.organizationId, ['student'])
  if (card) await saveCard(env, member, card, member)
  await expectOk(env.api, member, 'PATCH', `/orgUsers/${member.orgUserId}`, { autopay: true, ...terms })
  return member
}

/** Returns how many payments by card the processor has made. */
export async function paymentsMade({ simulator }: Env): Promise<number> {
  return (await simulator.everything()).events.filter(({ type }) => type === 'payment_intent.succeeded').length
}

/** Moves the time from which an invoice may be charged by itself into the past. */
export async function chargeableNow({ api }: Env, invoiceId: number): Promise<void> {
  const past = "update autopay_charge set not_before = now() - interval '1 second' where invoice_id = $1"
  await api.core.database.pool.query(past, [invoiceId])
}
