import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { firstInstant } from '../../platform/kernel/windows.ts'
import { endOfDay, localDate } from '../../platform/kernel/zones.ts'
import { billingErrors } from '../billing.errors.ts'
import type { Invoice } from '../invoices.tables.ts'
import { cashierLeft, type Taken } from './cashier.rules.ts'

/** Returns whether the actor is let in as a cashier: by the desk grant, and not by a role. */
export function actsAsCashier({ grant }: Actor): boolean {
  return grant === 'cashier'
}

/**
 * Checks that a cashier does not act on their own money: as the payer, as the payer's bill-to payer, as somebody for whom the payer pays,
 * or as somebody on the flight. Does nothing for admins.
 * Implements interface §Desk grants.
 */
export async function assertIsNotOwnMoney(
  tx: Tx,
  actor: Actor,
  concerned: readonly (number | null | undefined)[],
): Promise<void> {
  if (actsAsCashier(actor) && (await isOwnMoney(tx, actor, concerned))) throw billingErrors.ownMoney()
}

/** Returns whether the money of these members is the actor's own: the actor is one of them, pays for one, or has one or the same as the payer. */
export async function isOwnMoney(
  tx: Tx,
  actor: Actor,
  concerned: readonly (number | null | undefined)[],
): Promise<boolean> {
  return concerned.includes(actor.orgUserId) || isTiedTo(tx, actor, concerned)
}

/**
 * Checks that a cashier does not act on an invoice of their own money: their own, one that they pay or are paid for, or one of a flight
 * that they are on. Does nothing for admins.
 * Implements interface §Desk grants.
 */
export async function assertIsNotOwnInvoice(tx: Tx, actor: Actor, invoice: Invoice): Promise<void> {
  if (actsAsCashier(actor) && (await isOwnInvoice(tx, actor, invoice))) throw billingErrors.ownMoney()
}

/**
 * Returns whether an invoice is the actor's own: they pay it or are paid for, are on its flight, pay for one of these people, or have
 * one of them as their payer.
 */
export async function isOwnInvoice(
  tx: Tx,
  actor: Actor,
  { membershipId, billedForId, reservationId = null }: Invoice,
): Promise<boolean> {
  const aboard = reservationId === null ? [] : await findAboard(tx, actor, reservationId)
  return isOwnMoney(tx, actor, [membershipId, billedForId, ...aboard])
}

async function findAboard(tx: Tx, { organizationId }: Actor, reservationId: number): Promise<(number | null)[]> {
  const seats = await tx.db
    .selectFrom('seat')
    .select('membership_id')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .execute()
  return seats.map(({ membership_id }) => membership_id)
}

/** Returns whether one of these members pays for the actor, or the actor for one of them, or another member for both. */
async function isTiedTo(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  concerned: readonly (number | null | undefined)[],
): Promise<boolean> {
  const ids = concerned.filter((id) => id != null)
  if (ids.length === 0) return false
  const { rows } = await sql`
    select from membership where organization_id = ${organizationId}
      and ((id = any(${ids}) and bill_to_id = ${orgUserId}) or (id = ${orgUserId} and (bill_to_id = any(${ids})
        or bill_to_id in (select m.bill_to_id from membership m where m.organization_id = ${organizationId} and m.id = any(${ids}))))) limit 1`.execute(
    tx.db,
  )
  return rows.length > 0
}

/** Returns the local day of the organization that this transaction is in. */
export function todayOf(tx: Tx, { organization }: Actor): Interval {
  const day = localDate(tx.now, organization.timeZoneName)
  return { start: firstInstant(day, organization.timeZoneName), end: endOfDay(day, organization.timeZoneName) }
}

/** Lets the requests of a cashier for a local day run one after the other until the commit. Returns the day. */
export async function lockCashiersDay(tx: Tx, actor: Actor): Promise<Interval> {
  const today = todayOf(tx, actor)
  const day = `cashier ${today.start.toISOString()}`
  await sql`select pg_advisory_xact_lock(hashtext(${day}), ${actor.orgUserId})`.execute(tx.db)
  return today
}

/** The payer of an amount: a member or a guest. */
interface From {
  orgUserId: number | null
  guestId: number | null
}

/**
 * Checks that a cashier stays within `settings.cashierMaxCents` for one payer and local day, and five times that for all
 * payers: what they take counts, and what they pay from the accounts of others. Does nothing for admins.
 * Implements interface §Desk grants.
 */
export async function assertWithinCashierLimit(tx: Tx, actor: Actor, payer: From, amountCents: Cents): Promise<void> {
  const { cashierMaxCents: mostCents } = actor.organization.settings
  if (!actsAsCashier(actor) || mostCents === null) return
  const today = await lockCashiersDay(tx, actor)
  const leftCents = cashierLeft(mostCents, await findTaken(tx, actor, payer, today))
  if (amountCents > leftCents) throw billingErrors.aboveCashierLimit({ left: leftCents }, { leftCents })
}

async function findTaken(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  payer: From,
  { start, end }: Interval,
): Promise<Taken> {
  const { rows } = await sql<Taken>`
    select coalesce(sum(t.amount_cents) filter (where t.membership_id = ${payer.orgUserId} or t.guest_id = ${payer.guestId}), 0)::float8
        as "ofPayerCents",
      coalesce(sum(t.amount_cents), 0)::float8 as "ofAllCents"
    from (
      select r.amount_cents, coalesce(i.membership_id, e.membership_id) as membership_id, i.guest_id
      from receipt r
      left join payment p on p.organization_id = r.organization_id and p.id = r.payment_id
      left join invoice i on i.organization_id = r.organization_id and i.id = p.invoice_id
      left join ledger_entry e on e.organization_id = r.organization_id and e.id = r.ledger_entry_id
      where r.organization_id = ${organizationId} and r.recorded_by = ${orgUserId}
        and r.recorded_at >= ${start} and r.recorded_at < ${end}
      union all
      select -e.amount_cents, e.membership_id, null::integer
      from ledger_entry e
      where e.organization_id = ${organizationId} and e.kind = 'invoice_charge' and e.created_by = ${orgUserId}
        and e.membership_id <> ${orgUserId} and e.created_at >= ${start} and e.created_at < ${end}) t`.execute(tx.db)
  return rows[0]!
}
