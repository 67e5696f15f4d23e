import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import type { WaitlistOrder } from '../../platform/authz/offer-settings.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { waitlistErrors } from '../waitlist.errors.ts'
import type { WaitlistEntry } from '../waitlist.tables.ts'
import type { Wish } from './entry.rules.ts'
import { type OfferStatus, type PassCause, type shownStatuses, waitingTypes } from './waitlist.states.ts'

type ShownStatus = (typeof shownStatuses)[number]

/** The condition that an entry `e` has an open offer. */
const isOffered = sql<boolean>`exists (select from offer f where f.organization_id = e.organization_id
  and f.entry_id = e.id and f.status = 'open')`

/** The status of an entry `e` as it is shown. */
const shownStatus = sql<ShownStatus>`case when e.status = 'waiting' and ${isOffered} then 'offered' else e.status end`

/** An offer of an entry, in the answer about the entry. */
interface EntryOffer {
  id: number
  status: OfferStatus
  start: string
  end: string
  expiresAt: string
}

/**
 * Returns the SQL of the key by which entries `e` of an organization are asked, beside their rank: in `longest_since_flight`
 * when their members last flew. A booking that was cancelled as a no-show counts as a flight; who never flew counts from joining.
 */
export function orderKey(order: WaitlistOrder): RawBuilder<Date> {
  if (order === 'first_come') return sql<Date>`e.ranked_at`
  return sql<Date>`coalesce((select max(coalesce(r.ramped_in_at, r.starts_at)) from seat s
    join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
    where s.organization_id = e.organization_id and s.membership_id = e.membership_id
      and (r.ramped_in_at is not null or r.cancellation_category = 'no_show')),
    (select m.created_at from membership m where m.organization_id = e.organization_id and m.id = e.membership_id))`
}

/** The most entries of a type that have a position. */
const MOST_POSITIONS = 1_000

/**
 * Returns the SQL of the entries that wait, each with its position among those of its type; at most `MOST_POSITIONS` of each. It
 * depends on no row of the list, so that PostgreSQL ranks once for a page.
 */
function waitingInOrder(organizationId: number, order: WaitlistOrder): RawBuilder<unknown> {
  const first = waitingTypes.map(
    (type) => sql`(select e.id, e.type, e.ranked_at, ${orderKey(order)} as key from waitlist_entry e
      where e.organization_id = ${organizationId} and e.type = ${sql.lit(type)} and e.status = 'waiting' and not ${isOffered}
      order by key, e.ranked_at, e.id limit ${sql.lit(MOST_POSITIONS)})`,
  )
  return sql`(select w.id, row_number() over (partition by w.type order by w.key, w.ranked_at, w.id)::int as position
    from (${sql.join(first, sql` union all `)}) w)`
}

function selectEntries(db: Db, organizationId: number, order: WaitlistOrder) {
  return db
    .selectFrom('waitlist_entry as e')
    .selectAll('e')
    .select([
      shownStatus.as('shown'),
      sql<PersonRow>`${personJson('e.membership_id')}`.as('person'),
      sql<PersonRow>`${personJson('e.created_by')}`.as('maker'),
      sql<number[]>`array(select c.resource_id from waitlist_choice c where c.organization_id = e.organization_id
        and c.entry_id = e.id and c.resource_id is not null order by c.resource_id)`.as('resource_ids'),
      sql<number[]>`array(select c.membership_id from waitlist_choice c where c.organization_id = e.organization_id
        and c.entry_id = e.id and c.membership_id is not null order by c.membership_id)`.as('instructor_ids'),
      sql<
        EntryOffer[]
      >`coalesce((select json_agg(json_build_object('id', f.id, 'status', f.status, 'start', f.starts_at,
        'end', f.ends_at, 'expiresAt', f.expires_at) order by f.id desc) from offer f
        where f.organization_id = e.organization_id and f.entry_id = e.id), '[]')`.as('offers'),
      sql<number | null>`case when e.status = 'waiting' then
        ((select jsonb_object_agg(q.id, q.position) from ${waitingInOrder(organizationId, order)} q) ->> e.id::text)::int end`.as(
        'position',
      ),
    ])
    .where('e.organization_id', '=', organizationId)
}

export type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number]

/** Returns the entries that a member may read, newest first: desk staff all, others their own and those that they made. */
export function listEntries(db: Db, reader: Actor, statuses?: readonly ShownStatus[]) {
  const { organizationId, orgUserId, organization } = reader
  let entries = selectEntries(db, organizationId, organization.settings.waitlistOrder).orderBy('e.id', 'desc')
  if (!is(reader, deskStaff)) {
    entries = entries.where((eb) => eb.or([eb('e.membership_id', '=', orgUserId), eb('e.created_by', '=', orgUserId)]))
  }
  if (statuses) entries = entries.where(shownStatus, 'in', [...statuses])
  return pageable(db, entries)
}

/** Returns an entry that a member may read. */
export async function findEntry(db: Db, reader: Actor, id: number): Promise<EntryRow> {
  const { organizationId, orgUserId, organization } = reader
  const row = await selectEntries(db, organizationId, organization.settings.waitlistOrder)
    .where('e.id', '=', id)
    .executeTakeFirst()
  const isTheirs = row?.membership_id === orgUserId || row?.created_by === orgUserId
  if (!row || !(isTheirs || is(reader, deskStaff))) throw waitlistErrors.noSuchEntry()
  return row
}

/** The most places that the answer about an entry lists. */
const MOST_PASSES = 20

/** Returns the latest places that an entry did not get, the latest first. */
export async function findPasses(
  db: Db,
  organizationId: number,
  entryId: number,
): Promise<{ at: Date; start: Date; cause: PassCause }[]> {
  return db
    .selectFrom('waitlist_pass')
    .select(['passed_at as at', 'starts_at as start', 'cause'])
    .where('organization_id', '=', organizationId)
    .where('entry_id', '=', entryId)
    .orderBy('passed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_PASSES)
    .execute()
}

/** Returns what a stored entry asks for. */
export async function findWish(db: Db, entry: WaitlistEntry): Promise<Wish> {
  const choices = await db
    .selectFrom('waitlist_choice')
    .select(['resource_id', 'membership_id'])
    .where('organization_id', '=', entry.organizationId)
    .where('entry_id', '=', entry.id)
    .orderBy('id')
    .execute()
  return {
    windows: entry.windows.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) })),
    durationMinutes: entry.durationMinutes,
    noticeMinutes: entry.noticeMinutes,
    resourceIds: choices.flatMap(({ resource_id: id }) => id ?? []),
    pool: entry.pool ?? null,
    instructorIds: choices.flatMap(({ membership_id: id }) => id ?? []),
    insteadOfId: entry.insteadOfId ?? null,
  }
}
