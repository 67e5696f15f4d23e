import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { lockMembers } from '../reservations/slots.access.ts'
import { findPoolMembers } from '../rules/pool.queries.ts'
import { WaitlistEntry } from '../waitlist.tables.ts'
import { endEntry, withdrawOffers } from './end-offer.ts'
import {
  type AskedEntry,
  assertHasRoom,
  assertIsSound,
  assertLongEnough,
  assertMayEnter,
  assertWindows,
} from './entry.access.ts'
import { findWish } from './entry.queries.ts'
import { fits, type Wish, widens } from './entry.rules.ts'
import { markPlaces } from './mark-places.ts'
import { lockEntry, lockWaitlist, rolesOfWaiting } from './waitlist.access.ts'

export type EntryChanges = { [Field in keyof Wish]?: Wish[Field] | undefined }

/**
 * Puts a member on the waiting list. The caller must be allowed to book for the member what they wait for. Implements
 * interface §Waiting list, POST /waitlist.
 */
export async function createEntry(tx: Tx, actor: Actor, asked: AskedEntry): Promise<{ id: number }> {
  const { organizationId } = actor
  assertWindows(asked.windows, tx.now)
  assertLongEnough(asked)
  await lockWaitlist(tx.db, organizationId)
  // Waits for a concurrent removal of the member, who then is not found below.
  await lockMembers(tx.db, [asked.orgUserId])
  await assertMayEnter(tx, actor, asked)
  await rolesOfWaiting(tx.db, organizationId, asked.orgUserId, asked.type)
  await assertIsSound(tx, actor, asked)
  await assertHasRoom(tx, actor, asked.orgUserId)
  const entry = tx.em.create(WaitlistEntry, {
    ...columnsOf(asked),
    organizationId,
    membershipId: asked.orgUserId,
    createdBy: actor.orgUserId,
    type: asked.type,
    rankedAt: tx.now,
  })
  await tx.em.flush()
  await replaceChoices(tx, organizationId, entry.id, asked)
  const subject = { kind: 'waitlist_entry', id: entry.id } as const
  emit(tx, actor, { kind: 'waitlist.entered', subject, after: { orgUserId: asked.orgUserId } })
  await markPlaces(tx, organizationId, [{ entryId: entry.id }])
  return { id: entry.id }
}

/**
 * Changes what an entry waits for. A change that lets it be offered more puts it at the end of the list, and an open offer
 * that no longer fits is withdrawn. Who lets their own entry be offered more makes it theirs: from then on it is offered what they may book. Implements interface §Waiting list, PATCH /waitlist/{id}.
 */
export async function updateEntry(tx: Tx, actor: Actor, id: number, changes: EntryChanges): Promise<{ id: number }> {
  const entry = await lockEntry(tx, actor, id)
  const before = await findWish(tx.db, entry)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const after: Wish = { ...before, ...given }
  if (changes.windows) assertWindows(changes.windows, tx.now)
  assertLongEnough(after)
  const asked = { ...after, orgUserId: entry.membershipId, type: entry.type }
  await assertMayEnter(tx, actor, asked)
  await assertIsSound(tx, actor, { ...asked, insteadOfId: changes.insteadOfId ?? null })
  const isWidened = widens(before, after)
  tx.em.assign(entry, {
    ...columnsOf(after),
    rankedAt: isWidened ? tx.now : entry.rankedAt,
    createdBy: isWidened && actor.orgUserId === entry.membershipId ? actor.orgUserId : entry.createdBy,
    updatedAt: tx.now,
  })
  await tx.em.flush()
  if (changes.resourceIds || changes.instructorIds) await replaceChoices(tx, actor.organizationId, id, after)
  const { pool } = after
  const pooled = pool === null ? null : await findPoolMembers(tx.db, actor.organizationId, { pool, locationId: null })
  const wish = { ...after, resourceIds: pooled ?? after.resourceIds }
  await withdrawOffers(tx, actor, { entryId: id }, 'entry_changed', (place) => !fits(wish, place))
  await markPlaces(tx, actor.organizationId, [{ entryId: id }])
  return { id }
}

/** Takes a member off the waiting list; an open offer of the entry is withdrawn. */
export async function deleteEntry(tx: Tx, actor: Actor, id: number): Promise<void> {
  const entry = await lockEntry(tx, actor, id)
  await withdrawOffers(tx, actor, { entryId: id }, 'entry_ended')
  endEntry(tx, actor, entry, 'deleted')
}

function columnsOf({ windows, durationMinutes, noticeMinutes, pool, insteadOfId }: Wish) {
  return { windows: windows.map(stored), durationMinutes, noticeMinutes, pool, insteadOfId }
}

function stored({ start, end }: Interval) {
  return { start: start.toISOString(), end: end.toISOString() }
}

async function replaceChoices(
  tx: Tx,
  organizationId: number,
  entryId: number,
  { resourceIds, instructorIds }: Pick<Wish, 'resourceIds' | 'instructorIds'>,
): Promise<void> {
  const of = { organization_id: organizationId, entry_id: entryId }
  await tx.db
    .deleteFrom('waitlist_choice')
    .where('organization_id', '=', organizationId)
    .where('entry_id', '=', entryId)
    .execute()
  const rows = [
    ...resourceIds.map((id) => ({ ...of, resource_id: id, membership_id: null })),
    ...instructorIds.map((id) => ({ ...of, resource_id: null, membership_id: id })),
  ]
  if (rows.length > 0) await tx.db.insertInto('waitlist_choice').values(rows).execute()
}
