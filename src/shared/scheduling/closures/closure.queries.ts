import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { byPerson, byText, byValue, orderOf, type Sort, type SortKeys } from '../../platform/db/sort-keys.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { StoredRecurrence } from '../rules/recurrence.rules.ts'

/** Selects closures that overlap a window, by id, location and resource. All parts that are set must match. */
export interface ClosureFilter {
  ids?: readonly number[] | undefined
  start?: Date | undefined
  end?: Date | undefined
  locationIds?: readonly number[] | undefined
  resourceIds?: readonly number[] | undefined
}

export interface ClosureRow {
  id: number
  createdAt: Date
  updatedAt: Date
  start: Date
  end: Date
  reason: string
  location: { id: number; name: string } | null
  resource: { id: number; name: string } | null
  seriesId: number | null
  recurrence: StoredRecurrence | null
  createdBy: PersonRow
}

/** The sort keys of closures: SQL over the closure `c`, its location `l` and its resource `x`. */
export const closureSortKeys: SortKeys = {
  id: byValue('c.id'),
  start: byValue('c.starts_at'),
  end: byValue('c.ends_at'),
  reason: byText('c.reason'),
  'location.id': byValue('c.location_id'),
  'location.name': byText('l.name'),
  'resource.id': byValue('c.resource_id'),
  'resource.name': byText('x.name'),
  seriesId: byValue('c.series_id'),
  'recurrence.frequency': byText(sql`c.recurrence ->> 'frequency'`),
  'recurrence.interval': sql`(c.recurrence ->> 'interval')::int`,
  'recurrence.count': sql`(c.recurrence ->> 'count')::int`,
  'recurrence.until': sql`(c.recurrence ->> 'until')::timestamptz`,
  ...byPerson('createdBy', 'c.created_by'),
  createdAt: byValue('c.created_at'),
  updatedAt: byValue('c.updated_at'),
}

const earliestFirst = keyset('asc', ['c.starts_at', 'c.id'])

const places = sql`left join location l on l.organization_id = c.organization_id and l.id = c.location_id
  left join resource x on x.organization_id = c.organization_id and x.id = c.resource_id`

/** Returns the source of a list of closures by start, with one row per occurrence. Implements interface §Closures. */
export function listClosures(source: Source, organizationId: number, filter: ClosureFilter) {
  const where = conditions(organizationId, filter)
  return {
    sortsBy: (path: string) => !path.startsWith('recurrence.daysOfWeek'),
    slice: (offset: number, limit: number, sort?: Sort) => readClosures(source, { where, offset, limit, sort }),
    following: (after: Position | null, limit: number) =>
      readClosures(source, { where: sql`${where} and ${earliestFirst.after(after)}`, limit }),
    count: (most: number) => countUpTo(source, sql`closure c where ${where}`, most),
  }
}

/** Returns one closure. */
export async function findClosure(source: Source, organizationId: number, id: number): Promise<ClosureRow> {
  const [row] = await listClosures(source, organizationId, { ids: [id] }).slice(0, 1)
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

function conditions(organizationId: number, filter: ClosureFilter): RawBuilder<unknown> {
  const { ids, start, end, locationIds, resourceIds } = filter
  const all: RawBuilder<unknown>[] = [sql`c.organization_id = ${organizationId}`]
  if (ids) all.push(sql`c.id = any(${ids})`)
  if (start) all.push(sql`c.ends_at > ${start}`)
  if (end) all.push(sql`c.starts_at < ${end}`)
  if (locationIds) all.push(sql`c.location_id = any(${locationIds})`)
  if (resourceIds) all.push(sql`c.resource_id = any(${resourceIds})`)
  return sql.join(all, sql` and `)
}

interface Page {
  where: RawBuilder<unknown>
  limit: number
  offset?: number
  sort?: Sort | undefined
}

function readClosures(source: Source, { where, limit, offset = 0, sort }: Page): Promise<Placed<ClosureRow>[]> {
  const by = sort && orderOf(closureSortKeys, sort)
  const order = by ? sql`${by}, ${earliestFirst.order}` : earliestFirst.order
  return readRows(
    source,
    sql<Placed<ClosureRow>>`
      select c.id, ${earliestFirst.position} as "cursorPosition", c.created_at as "createdAt",
        c.updated_at as "updatedAt", c.starts_at as start,
        c.ends_at as "end", c.reason, c.series_id as "seriesId", c.recurrence, ${personJson('c.created_by')} as "createdBy",
        case when l.id is null then null else json_build_object('id', l.id, 'name', l.name) end as location,
        case when x.id is null then null else json_build_object('id', x.id, 'name', x.name) end as resource
      from closure c ${places} where ${where} order by ${order} ${pageLimit(limit, offset)}`,
  )
}

/** A booking that a closure covers. */
export interface AffectedBooking {
  id: number
  title: string
  start: Date
  end: Date
  resource: { id: number; name: string } | null
}

/** A limit of a window: an instant, or a column. */
type Limit = Date | RawBuilder<Date>

/**
 * Returns the SQL condition that a closure from `start` to `end` affects the time of the booking `r`: the booking starts in the
 * future, has not ramped out and overlaps the closure.
 */
export function isClosedOver(now: Date, start: Limit, end: Limit): RawBuilder<boolean> {
  return sql`(r.live and r.ramped_out_at is null and r.starts_at > ${now} and r.starts_at < ${end} and r.ends_at > ${start})`
}

/** The SQL condition that a closure `c` is of the place of the booking `r`, whose resource is `x`. */
export const isOfPlace = sql<boolean>`((c.resource_id is null or c.resource_id = r.resource_id)
  and (c.location_id is null or c.location_id in (r.location_id, x.location_id)))`

/** The most affected bookings in a response. */
const MOST_AFFECTED = 1_000

/**
 * Returns the future bookings that closures affect, ordered by start and at most 1,000, and their total number. A closure of
 * the organization affects every booking in its time; a closure of a location, bookings there or with a resource based there;
 * a closure of a resource, bookings with it. Maintenance and bookings that are ramped out are excluded. Implements interface
 * §Closures.
 */
export async function findAffected(
  db: Db,
  organizationId: number,
  closureIds: readonly number[],
  now: Date,
): Promise<{ affected: AffectedBooking[]; affectedCount: number }> {
  const { rows } = await sql<AffectedBooking & { total: number }>`
    select r.id, r.title, r.starts_at as start, r.ends_at as "end",
      case when x.id is null then null else json_build_object('id', x.id, 'name', x.name) end as resource,
      count(*) over ()::int as total
    from reservation r
    left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    where r.organization_id = ${organizationId} and r.type <> 'maintenance' and exists (
        select from closure c
        where c.organization_id = r.organization_id and c.id = any(${closureIds})
          and ${isClosedOver(now, sql`c.starts_at`, sql`c.ends_at`)} and ${isOfPlace})
    order by r.starts_at, r.id
    limit ${MOST_AFFECTED}`.execute(db)
  return { affected: rows, affectedCount: rows[0]?.total ?? 0 }
}
