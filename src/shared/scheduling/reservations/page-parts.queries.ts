import { type RawBuilder, sql } from 'kysely'
import { jsonInstant } from '../../platform/db/read-rows.ts'

/**
 * The booking's resource and location as JSON. `offset 0` keeps the planner from evaluating each more than once per
 * booking.
 */
export const documentsOfPage = sql`left join lateral (
      select json_build_object('id', x.id, 'name', x.name, 'kind', x.kind, 'tailNumber', x.tail_number,
        'zone', xl.time_zone_name, 'dryRate', x.dry_rate_cents, 'wetRate', x.wet_rate_cents,
        'overnightMinimumTenths', x.overnight_minimum_tenths, 'billByHobbsTime', x.bill_by_hobbs_time) as document
      from resource x left join location xl on xl.organization_id = x.organization_id and xl.id = x.location_id
      where x.organization_id = r.organization_id and x.id = r.resource_id offset 0) x on true
    left join lateral (
      select json_build_object('id', l.id, 'name', l.name, 'timeZoneName', l.time_zone_name) as document
      from location l where l.organization_id = r.organization_id and l.id = r.location_id offset 0) l on true`

const ofPage = sql`= any(array(select id from page))`

/** The rows that belong to the bookings of a page, by the name of their list, in the order of the list. */
const rowsOf: Record<string, (organizationId: number) => RawBuilder<unknown>> = {
  seats: (organizationId) => sql`
      select s.reservation_id, s.side, s.membership_id as "orgUserId", s.guest_id as "guestId",
        coalesce(m.search_name, g.name) as name, g.email, g.phone, case when s.side = 'instructors' then json_build_object(
          'flight', m.flight_rate_cents, 'ground', m.ground_rate_cents, 'sim', m.sim_rate_cents) end as rates
      from seat s
      left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
      left join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
      where s.organization_id = ${organizationId} and s.reservation_id ${ofPage} order by s.reservation_id, s.id`,
  confirmations: (organizationId) => sql`
      select c.reservation_id, c.membership_id as "orgUserId", c.side, ${jsonInstant('c.confirmed_at')} as "confirmedAt"
      from confirmation c
      where c.organization_id = ${organizationId} and c.reservation_id ${ofPage} order by c.reservation_id, c.id`,
  stakes: (organizationId) => sql`
      select p.reservation_id, p.kind, p.membership_id as "orgUserId", p.guest_id as "guestId", p.hobbs_out as "hobbsOut",
        p.hobbs_in as "hobbsIn", p.tach_out as "tachOut", p.tach_in as "tachIn", p.percentage_bps as "percentageBps"
      from payer_stake p
      where p.organization_id = ${organizationId} and p.reservation_id ${ofPage} order by p.reservation_id, p.position`,
  invoices: (organizationId) => sql`
      select i.reservation_id, i.id, i.membership_id as "orgUserId", i.guest_id as "guestId",
        coalesce(m.search_name, g.name) as name, i.status, i.total_cents as "totalCents", i.pay_url as "payUrl"
      from invoice i
      left join membership m on m.organization_id = i.organization_id and m.id = i.membership_id
      left join guest g on g.organization_id = i.organization_id and g.id = i.guest_id
      where i.organization_id = ${organizationId} and i.reservation_id ${ofPage} and i.status <> 'failed'
      order by i.reservation_id, i.id`,
  overrides: (organizationId) => sql`
      select o.reservation_id, o.rule, o.membership_id as "orgUserId", o.resource_id as "resourceId", o.starts_at as "startsAt",
        o.reason, json_build_object('orgUserId', m.id, 'name', m.search_name) as by, o.created_at as at
      from rule_override o
      join membership m on m.organization_id = o.organization_id and m.id = o.overridden_by
      where o.organization_id = ${organizationId} and o.reservation_id ${ofPage} order by o.reservation_id, o.id`,
}

/** The lists of a booking of the page, for a select clause. */
export const selectedLists = sql.join(
  Object.keys(rowsOf).map((name) => sql`coalesce(${sql.ref(`${name}.list`)}, '[]') as ${sql.ref(name)}`),
)

/**
 * Returns the joins of the lists of the bookings `r` of `page`: one JSON list of each kind per booking. Each kind is
 * read once for the whole page; a subquery per booking takes twice as long.
 */
export function listsOfPage(organizationId: number): RawBuilder<unknown> {
  return sql.join(
    Object.entries(rowsOf).map(([name, rows]) => {
      const list = sql.ref(name)
      return sql`left join (select one.reservation_id, json_agg(one) as list from (${rows(organizationId)}) one
        group by one.reservation_id) ${list} on ${list}.reservation_id = r.id`
    }),
    sql` `,
  )
}
