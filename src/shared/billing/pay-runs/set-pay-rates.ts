import type { Membership } from '../../identity/members.tables.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { type Cents, cents } from '../../platform/kernel/units.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'

/** New pay rates of an instructor, in cents per hour. Absent rates do not change; null: time of this kind is not paid. */
export interface PayRateChanges {
  flight?: Cents | null | undefined
  ground?: Cents | null | undefined
  sim?: Cents | null | undefined
}

/**
 * Changes the pay rates of a member for instruction. Earlier pay runs keep their rates. A change of one's own rates is marked in the
 * audit log and mailed to all owners. It is not refused, because a school may have only one admin.
 * Implements interface §Members, PATCH /orgUsers/{id}.
 */
export async function setPayRates(
  tx: Tx,
  actor: Actor,
  member: Membership,
  { flight, ground, sim }: PayRateChanges,
): Promise<void> {
  const before = ratesOf(member)
  if (flight !== undefined) member.flightPayCents = flight
  if (ground !== undefined) member.groundPayCents = ground
  if (sim !== undefined) member.simPayCents = sim
  const after = ratesOf(member)
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const own = member.id === actor.orgUserId
  emit(tx, actor, {
    kind: 'pay_rates.changed',
    subject: { kind: 'member', id: member.id },
    before,
    after: { ...after, own },
  })
  if (!own) return
  const amountCents = cents(Math.max(0, ...Object.values(after).map((rate) => rate ?? 0)))
  await notifyOwnersOfOwnMoney(tx, actor, {
    what: 'pay_rates',
    amountCents,
    currency: actor.organization.settings.currency,
  })
}

function ratesOf({ flightPayCents = null, groundPayCents = null, simPayCents = null }: Membership) {
  return { flightPayCents, groundPayCents, simPayCents }
}
