import { sql } from 'kysely'
import { builtOnce } from '../../platform/db/built-once.ts'
import type { Source } from '../../platform/db/read-rows.ts'
import type { BookingLists, BookingParts, ReservationColumns } from './booking-parts.types.ts'
import { columns, findFlight, listsOf, placesOf, type ReservationRow } from './reservation.queries.ts'

/** A booking with its people and places, and whether one of its other lists can have rows. */
type Alone = ReservationColumns & Pick<BookingParts, 'resource' | 'location' | 'seats'> & { has_more: boolean }

/** The tables of the lists that most bookings do not have before the flight. */
const others = [
  'confirmation',
  'charge_notice',
  'payer_stake',
  'planned_lesson',
  'invoice',
  'rule_override',
  'cancellation_fee',
]

const readAlone = builtOnce<Alone, { organizationId: number; id: number }>(({ organizationId, id }) => {
  const resource = placesOf.resources(organizationId, sql`= r.resource_id`)
  const location = placesOf.locations(organizationId, sql`= r.location_id`)
  const has = others.map(
    (table) => sql`exists (select from ${sql.table(table)} o
      where o.organization_id = r.organization_id and o.reservation_id = r.id)`,
  )
  return sql`
    select ${columns}, (select row_to_json(one) from (${resource}) one) as resource,
      (select row_to_json(one) from (${location}) one) as location,
      coalesce((select json_agg(one) from (${listsOf.seats(organizationId, sql`= r.id`)}) one), '[]') as seats,
      r.ramped_in_at is not null or r.briefing_tenths is not null or ${sql.join(has, sql` or `)} as has_more
    from reservation r
    left join membership cm on cm.organization_id = r.organization_id and cm.id = r.created_by
    where r.organization_id = ${organizationId} and r.id = ${id}`
})

/**
 * Returns one booking of the organization; null when it has none with this id. A booking with nothing but people and places
 * is read by a statement that costs a third of that of `findFlight`; another one is read by both.
 */
export async function findReservation(
  source: Source,
  organizationId: number,
  id: number,
): Promise<ReservationRow | null> {
  const [alone] = await readAlone(source, { organizationId, id })
  if (!alone) return null
  const { has_more, ...row } = alone
  return has_more ? findFlight(source, organizationId, id) : { ...row, ...noLists }
}

const noLists: Omit<BookingLists, 'seats'> = {
  confirmations: [],
  objections: [],
  notices: [],
  stakes: [],
  lessons: [],
  invoices: [],
  overrides: [],
  fees: [],
  packages: [],
}
