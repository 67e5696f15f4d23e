import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { fitsSide, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff, type RoleFlags, roleFlags } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { waitlistErrors } from '../waitlist.errors.ts'
import { Offer, WaitlistEntry } from '../waitlist.tables.ts'
import type { WaitingType } from './waitlist.states.ts'

/** Locks the waiting list of an organization until the commit, so that the limits of entries are exact. */
export async function lockWaitlist(db: Db, organizationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`waitlist ${organizationId}`}, 0))`.execute(db)
}

/** Returns the waiting entry to change or end, locked until the commit. Its member, who made it, and desk staff may. */
export async function lockEntry(tx: Tx, actor: Actor, id: number): Promise<WaitlistEntry> {
  const entry = await lockEntryIfAny(tx, actor.organizationId, id)
  const isTheirs = entry?.membershipId === actor.orgUserId || entry?.createdBy === actor.orgUserId
  if (!entry || !(isTheirs || is(actor, deskStaff))) throw waitlistErrors.noSuchEntry()
  if (entry.status !== 'waiting') throw waitlistErrors.entryEnded()
  return entry
}

/** Returns a waiting entry, locked until the commit; null when the organization has none with this id. */
export function lockEntryIfAny(tx: Tx, organizationId: number, id: number): Promise<WaitlistEntry | null> {
  return tx.em.findOne(WaitlistEntry, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/** Returns waiting entries, locked until the commit in the order of their ids. */
export function lockEntries(
  tx: Tx,
  organizationId: number,
  which: { id?: { $in: number[] }; membershipId?: number },
): Promise<WaitlistEntry[]> {
  return tx.em.find(
    WaitlistEntry,
    { organizationId, status: 'waiting', ...which },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { id: 'asc' } },
  )
}

/**
 * Returns the entries of these offers, locked until the commit. Whoever locks entries and offers locks the entries first, and both
 * after the slots of bookings.
 */
export async function lockEntriesOfOffers(
  tx: Tx,
  organizationId: number,
  offerIds: readonly number[],
): Promise<WaitlistEntry[]> {
  const rows = await tx.db
    .selectFrom('offer')
    .select('entry_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', offerIds)
    .where('entry_id', 'is not', null)
    .execute()
  const ids = rows.flatMap(({ entry_id: id }) => id ?? [])
  return ids.length > 0 ? lockEntries(tx, organizationId, { id: { $in: ids } }) : []
}

/** Returns an offer without a lock; null when the organization has none with this id. */
export function findOfferIfAny(tx: Tx, organizationId: number, id: number): Promise<Offer | null> {
  return tx.em.findOne(Offer, { id, organizationId })
}

/** Returns the name of a member. */
export async function nameOfMember(db: Db, organizationId: number, orgUserId: number): Promise<string> {
  const { name } = await db
    .selectFrom('membership')
    .select('search_name as name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirstOrThrow()
  return name
}

/** Returns an offer, locked until the commit; null when the organization has none with this id. */
export function lockOffer(tx: Tx, organizationId: number, id: number): Promise<Offer | null> {
  return tx.em.findOne(Offer, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/** Returns these offers that are open, locked until the commit. */
export function lockOpenOffers(
  tx: Tx,
  organizationId: number,
  which: {
    id?: { $in: number[] }
    entryId?: number
    membershipId?: number
    instructorId?: number
    source?: 'waitlist'
  },
): Promise<Offer[]> {
  return tx.em.find(
    Offer,
    { organizationId, status: 'open', ...which },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { id: 'asc' } },
  )
}

/** Returns the roles of the member who waits, who may sit on a booking of the type. */
export async function rolesOfWaiting(
  db: Db,
  organizationId: number,
  orgUserId: number,
  type: WaitingType,
): Promise<RoleFlags> {
  const row = await db
    .selectFrom('membership')
    .select(['search_name as name', 'student', 'renter', 'instructor'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw schedulingErrors.unknownMember({ id: orgUserId })
  const roles = roleFlags(row)
  if (!fitsSide(roles, sideOf(type))) throw waitlistErrors.noSeat({ name: row.name, type })
  return roles
}

/** Returns the side of a booking of this type on which the member who waits sits. */
export function sideOf(type: WaitingType): 'students' | 'renters' {
  return typeRules[type].pays === 'renters' ? 'renters' : 'students'
}
