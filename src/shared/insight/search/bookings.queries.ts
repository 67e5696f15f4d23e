import { sql } from 'kysely'
import { type Named, rowsOf } from './named.queries.ts'
import { resourceHits } from './resources.queries.ts'
import { MOST_ROWS, type TextMatch } from './text-match.queries.ts'

/** A booking whose title, people or resource match. */
export interface BookingHit {
  id: number
  title: string
  starts_at: Date
  time_zone_name: string
  resource: string | null
  people: string[]
  score: number
}

/**
 * How many of the newest bookings are searched first, row by row. A word of many titles is found among them without an
 * index.
 */
const NEWEST = 200
/** The most matching resources whose bookings are searched. */
const MOST_RESOURCES = 10

/**
 * Returns the query of the best matching bookings. Cancelled bookings are excluded, as in GET /reservations. The newest
 * bookings of matching people and resources are found too. Notes are not searched.
 */
export function bookingHits(match: TextMatch, organizationId: number, named: Named) {
  const live = sql`reservation r where r.organization_id = ${organizationId} and r.live`
  const few = sql`(select count(*) from contained) < ${MOST_ROWS}`
  return sql<BookingHit>`
    with newest as materialized (
      select r.id, r.title from ${live} order by r.starts_at desc, r.id desc limit ${NEWEST}
    ), contained_newest as materialized (
      select n.id, n.title from newest n where ${match.contains(sql`n.title`)} limit ${MOST_ROWS}
    ), contained as materialized (
      select id, title from contained_newest
      union (select r.id, r.title from ${live} and (select count(*) from contained_newest) < ${MOST_ROWS}
        and ${match.contains(sql`r.title`)} limit 200)
    ), alike_newest as materialized (
      select n.id, n.title from newest n where ${few} and ${match.resembles(sql`n.title`)} limit 200
    ), alike as materialized (
      select id, title from alike_newest
      union (select r.id, r.title from ${live} and ${few} and (select count(*) from alike_newest) < ${MOST_ROWS}
        and ${match.resembles(sql`r.title`)} limit 200)
    ), found as (
      select t.id, ${match.score(sql`t.title`)} as score
      from (select * from contained union select * from alike) t
      union all
      select b.id, p.score from ${rowsOf(named.members)} p(id, score) cross join lateral (
        select s.reservation_id as id from seat s
        where s.organization_id = ${organizationId} and s.membership_id = p.id and s.live
        order by s.starts_at desc limit ${MOST_ROWS}) b
      union all
      select b.id, g.score from ${rowsOf(named.guests)} g(id, score) cross join lateral (
        select s.reservation_id as id from seat s
        where s.organization_id = ${organizationId} and s.guest_id = g.id and s.live
        order by s.starts_at desc limit ${MOST_ROWS}) b
      union all
      select b.id, x.score from (${resourceHits(match, organizationId, { precise: true, most: MOST_RESOURCES })}) x cross join lateral (
        select r.id from ${live} and r.resource_id = x.id
        order by r.starts_at desc limit ${MOST_ROWS}) b
    ), best as (
      select r.id, r.title, r.starts_at, r.time_zone_name, r.resource_id, f.score
      from (select id, max(score) as score from found group by id) f
      join reservation r on r.organization_id = ${organizationId} and r.id = f.id and r.live
      order by f.score desc, r.starts_at desc, r.id desc limit ${MOST_ROWS}
    )
    select r.id, r.title, r.starts_at, r.time_zone_name, x.name as resource, r.score,
      array(select coalesce(m.search_name, g.name) from seat s
        left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
        left join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
        where s.organization_id = ${organizationId} and s.reservation_id = r.id order by s.id) as people
    from best r left join resource x on x.organization_id = ${organizationId} and x.id = r.resource_id
    order by r.score desc, r.starts_at desc, r.id desc`
}
