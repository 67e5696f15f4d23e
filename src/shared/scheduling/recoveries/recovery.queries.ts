import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, oneOfWords, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { byPerson, byText, byValue, orderOf, type Sort, type SortKeys } from '../../platform/db/sort-keys.ts'
import type { OfferStatus } from '../waitlist/waitlist.states.ts'
import type {
  FoundPlace,
  PlanBasis,
  PlanOutcome,
  RecoveryCause,
  RecoveryDetail,
  RecoveryReach,
  RecoveryStatus,
} from './recovery.types.ts'

/** A recovery as responses show it; `rows` only of one that is read alone. */
export interface RecoveryRecord {
  id: number
  status: RecoveryStatus
  cause: RecoveryCause
  reach: RecoveryReach
  start: Date
  end: Date
  displaced: number
  kept: number
  left: number
  basis: PlanBasis | null
  gapTenths: number | null
  asserted: boolean
  startedBy: PersonRow
  plannedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A row of a plan. `bulk` is what the bulk operation that applies it made of it. */
export interface RecoveryRowRecord {
  reservationId: number
  outcome: PlanOutcome
  detail: RecoveryDetail
  /** Whether it has no place, its place could not be offered, or its offer was not accepted. */
  isLeft: boolean
  /** Whether its booking was cancelled before the plan was applied to it. */
  isCancelled: boolean
  bulk: { outcome: string | null; problems: unknown[]; operationId: number } | null
  offer: { id: number; status: OfferStatus } | null
}

/** A ready plan ends when nobody applies it for seven days; one whose operation ended without a plan has ended. */
const statusAt = (now: Date) => sql`case
  when v.status = 'planning' and o.ended_at is not null then 'ended'
  when v.status = 'ready' and v.planned_at < ${now}::timestamptz - interval '7 days' then 'ended' else v.status end`

/** Whether the booking of a row `r` is cancelled, and not by applying the plan or after it (`b`, or its offer `f`). */
const isCancelled = sql`(n.cancelled_at is not null and b.outcome is distinct from 'done'
  and f.status is distinct from 'accepted')`

/**
 * Whether a row `r` is left: it has no place, its place could not be offered, its offer `f` was not accepted, or its booking was
 * cancelled.
 */
const isLeft = sql`(r.outcome = 'left' or r.detail ->> 'unoffered' is not null
  or coalesce(f.status in ('declined', 'expired', 'withdrawn'), false) or ${isCancelled})`

/** What applying made of a row `r`: the row of the bulk operation, the offer, and the booking as it is now. */
const fates = sql`left join operation_row b on b.organization_id = r.organization_id
        and b.operation_id = (r.detail ->> 'appliedBy')::int and b.subject_id = r.subject_id
      left join offer f on f.organization_id = r.organization_id and f.id = (r.detail ->> 'offerId')::int
      left join reservation n on n.organization_id = r.organization_id and n.id = r.subject_id`

export const recoverySortKeys = (now: Date): SortKeys => ({
  id: byValue('v.operation_id'),
  status: byText(statusAt(now)),
  startDate: byValue('v.starts_at'),
  endDate: byValue('v.ends_at'),
  basis: byText('v.basis'),
  gapPercent: byValue('v.gap_tenths'),
  asserted: byValue('v.asserted'),
  ...byPerson('startedBy', 'o.started_by'),
  plannedAt: byValue('v.planned_at'),
  createdAt: byValue('v.created_at'),
  updatedAt: byValue('v.updated_at'),
})

const latestFirst = keyset('desc', ['v.operation_id'])

/** Lists the recoveries of an organization, latest first. Implements interface §Recovery. */
export function listRecoveries(
  source: Source,
  organizationId: number,
  { now, ...filter }: { now: Date; id?: number; startedBy?: number; statuses?: readonly RecoveryStatus[] | undefined },
) {
  const status = statusAt(now)
  const all = [sql`v.organization_id = ${organizationId}`]
  if (filter.id !== undefined) all.push(sql`v.operation_id = ${filter.id}`)
  if (filter.startedBy !== undefined) all.push(sql`o.started_by = ${filter.startedBy}`)
  if (filter.statuses) all.push(oneOfWords(sql`(${status})`, filter.statuses))
  const where = sql.join(all, sql` and `)
  const from = sql`recovery v
    join operation o on o.organization_id = v.organization_id and o.id = v.operation_id where ${where}`
  const read = (rest: RawBuilder<unknown>) =>
    readRows(
      source,
      sql<Placed<RecoveryRecord>>`
        select v.operation_id as id, ${status} as status, v.cause, v.reach, v.starts_at as start, v.ends_at as "end",
          o.total as displaced, o.total - lost.rows as kept, lost.rows as left, v.basis, v.gap_tenths as "gapTenths",
          v.asserted, ${personJson('o.started_by')} as "startedBy", v.planned_at as "plannedAt", v.created_at as "createdAt",
          v.updated_at as "updatedAt", ${latestFirst.position} as "cursorPosition"
        from recovery v
        join operation o on o.organization_id = v.organization_id and o.id = v.operation_id
        cross join lateral (select count(*)::int as rows from operation_row r
          ${fates}
          where r.organization_id = v.organization_id and r.operation_id = v.operation_id and ${isLeft}) lost
        where ${where} ${rest}`,
    )
  return {
    sortsBy: (path: string) => !/^(displaced|kept|left|cause|reach)/.test(path),
    slice(offset: number, limit: number, sort?: Sort) {
      const by = sort && orderOf(recoverySortKeys(now), sort)
      const order = by ? sql`${by}, ${latestFirst.order}` : latestFirst.order
      return read(sql`order by ${order} ${pageLimit(limit, offset)}`)
    },
    following: (after: Position | null, limit: number) =>
      read(sql`and ${latestFirst.after(after)} order by ${latestFirst.order} ${pageLimit(limit)}`),
    count: (most: number) => countUpTo(source, from, most),
  }
}

/** Returns one recovery; undefined when the organization has none with this id, or not by this member. */
export async function findRecovery(
  source: Source,
  organizationId: number,
  one: { id: number; startedBy?: number },
  now: Date,
): Promise<RecoveryRecord | undefined> {
  const [row] = await listRecoveries(source, organizationId, { ...one, now }).slice(0, 1)
  return row
}

/** Returns the rows of a plan by the start of their bookings, each with what became of it when it was applied. */
export function findRecoveryRows(source: Source, organizationId: number, id: number): Promise<RecoveryRowRecord[]> {
  return readRows(
    source,
    sql<RecoveryRowRecord>`
      select r.subject_id as "reservationId", r.outcome, r.detail, ${isLeft} as "isLeft",
        ${isCancelled} as "isCancelled",
        case when b.id is not null then
          json_build_object('outcome', b.outcome, 'problems', b.problems, 'operationId', b.operation_id) end as bulk,
        case when f.id is not null then json_build_object('id', f.id, 'status', f.status) end as offer
      from operation_row r
      ${fates}
      where r.organization_id = ${organizationId} and r.operation_id = ${id}
      order by r.number`,
  )
}

/** An open offer of a recovery: who of the desk asked, and where the plan found the booking. */
export interface AskedOffer {
  id: number
  movesId: number
  askerId: number | null
  from: FoundPlace | null
}

/** Returns the open offers of recoveries of an organization, or one of them. */
export async function findAskedOffers(db: Db, organizationId: number, id?: number): Promise<AskedOffer[]> {
  const { rows } = await sql<AskedOffer>`
    select f.id, f.moves_id as "movesId", (r.detail ->> 'offeredBy')::int as "askerId", r.detail -> 'from' as "from"
    from offer f
    left join operation_row r on r.organization_id = f.organization_id and r.subject_id = f.moves_id
      and (r.detail ->> 'offerId')::int = f.id
    where f.organization_id = ${organizationId} and f.status = 'open' and f.source = 'recovery'
      ${id === undefined ? sql`` : sql`and f.id = ${id}`}
    order by f.id`.execute(db)
  return rows
}

/** Returns who of these members has an account. */
export async function findReachable(db: Db, organizationId: number, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select m.id from membership m join account a on a.id = m.account_id and a.deleted_at is null
    where m.organization_id = ${organizationId} and m.id = any(${ids}::int[]) and m.removed_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the time zone of the location of a resource; null without a resource or a location. */
export async function findZoneOf(db: Db, organizationId: number, resourceId: number | null): Promise<string | null> {
  if (resourceId === null) return null
  const row = await db
    .selectFrom('resource as x')
    .innerJoin('location as l', (join) =>
      join.onRef('l.organization_id', '=', 'x.organization_id').onRef('l.id', '=', 'x.location_id'),
    )
    .select('l.time_zone_name as zone')
    .where('x.organization_id', '=', organizationId)
    .where('x.id', '=', resourceId)
    .executeTakeFirst()
  return row?.zone ?? null
}

/** Returns how many bookings a plan displaces, and how many of them it leaves. */
export async function countPlanned(
  db: Db,
  { organizationId, id }: { organizationId: number; id: number },
): Promise<{ displaced: number; left: number }> {
  const { rows } = await sql<{ displaced: number; left: number }>`
    select count(*)::int as displaced, (count(*) filter (where outcome = 'left'))::int as left
    from operation_row where organization_id = ${organizationId} and operation_id = ${id}`.execute(db)
  return rows[0]!
}

/** Returns the position of the first id that the organization has no such record of; -1 when it has all. */
export async function findUnknown(
  db: Db,
  organizationId: number,
  table: 'resource' | 'reservation' | 'closure',
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return -1
  const known = await db
    .selectFrom(table)
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()
  const ours = new Set(known.map(({ id }) => id))
  return ids.findIndex((id) => !ours.has(id))
}

/** Returns how many recoveries of all organizations wait or are being planned. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from operation where kind = 'recovery' and ended_at is null`.execute(db)
  return rows[0]!.waiting
}

/** Returns whether a plan of the organization is being applied. */
export async function isApplying(db: Db, organizationId: number): Promise<boolean> {
  const { rows } = await sql`
    select from operation where organization_id = ${organizationId} and kind = 'reservation_bulk' and ended_at is null
      and input ? 'recoveryId' limit 1`.execute(db)
  return rows.length > 0
}
