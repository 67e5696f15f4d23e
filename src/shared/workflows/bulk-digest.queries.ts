import { sql } from 'kysely'
import type { ChangedBooking } from '../communication/notifications/templates/bulk.rules.ts'
import type { Db } from '../platform/db/database.ts'
import { findCauseInWords } from '../scheduling/recoveries/recovery-cause.queries.ts'
import { isSamePerson } from '../scheduling/reservations/place.rules.ts'
import type { ConcernedPerson } from './bulk.access.ts'
import type { BulkDetail, BulkInput } from './bulk.types.ts'
import { findPlaces, type PlacesOfRow } from './bulk-places.queries.ts'

/** Returns the bookings of one person that a bulk changed, in the order of the bulk's rows. */
export async function findDigest(
  db: Db,
  { organizationId, operationId }: { organizationId: number; operationId: number },
  person: ConcernedPerson,
): Promise<ChangedBooking[]> {
  const { orgUserId, guestId } = person
  const people = orgUserId === null ? { guestIds: [guestId] } : { orgUserIds: [orgUserId] }
  const { rows } = await sql<{ id: number; how: string | null; detail: BulkDetail }>`
    select r.subject_id as id, r.detail, (select change -> 'given' ->> 'how'
        from operation o cross join jsonb_array_elements(o.input -> 'action' -> 'changes') as change
        where o.organization_id = r.organization_id and o.id = r.operation_id
          and (change ->> 'id')::int = r.subject_id and (change -> 'given' ->> 'orgUserId')::int = ${orgUserId}::int) as how
    from operation_row r
    where r.organization_id = ${organizationId} and r.operation_id = ${operationId} and r.outcome = 'done'
      and r.detail @> ${JSON.stringify(people)}::jsonb
    order by r.number`.execute(db)
  const places = await findPlaces(
    db,
    organizationId,
    rows.map(({ detail }) => detail),
  )
  return rows.map(({ id, how, detail: { title, zone, start, end, after = null } }, at) => ({
    id,
    ...(how !== null && { agreed: how }),
    title,
    zone,
    start,
    end,
    after,
    ...meaningFor(person, places[at]),
  }))
}

/** Who started a bulk, and why: the cause of the recovery that it applies, and the reason of a cancellation. */
export async function findBasis(
  db: Db,
  organizationId: number,
  operationId: number,
): Promise<{ by: string; why: string[] } | null> {
  const row = await db
    .selectFrom('operation as o')
    .innerJoin('membership as m', 'm.id', 'o.started_by')
    .select(['m.search_name as by', sql<BulkInput>`o.input`.as('input')])
    .where('o.organization_id', '=', organizationId)
    .where('o.id', '=', operationId)
    .executeTakeFirst()
  if (!row) return null
  const { action, recoveryId } = row.input
  const cause = recoveryId === undefined ? null : await findCauseInWords(db, organizationId, recoveryId)
  const reason = 'cancel' in action ? [`Reason: ${action.cancel.reason}`] : []
  return { by: row.by, why: [...(cause === null ? [] : [cause]), ...reason] }
}

function meaningFor(person: ConcernedPerson, places: PlacesOfRow | undefined) {
  const { from, to } = places ?? {}
  if (!from || !to) return { seat: 'kept' as const, joined: [], left: [] }
  const isOn = (seats: readonly ConcernedPerson[]) => (one: ConcernedPerson) =>
    seats.some((seat) => isSamePerson(seat, one))
  const others = (seats: typeof from.seats, than: typeof from.seats) =>
    seats.filter((seat) => !isOn(than)(seat) && !isSamePerson(seat, person)).map(({ name }) => name)
  const seatOf = () => {
    if (!isOn(to.seats)(person)) return 'lost' as const
    return isOn(from.seats)(person) ? ('kept' as const) : ('gained' as const)
  }
  return {
    seat: seatOf(),
    ...(to.resource?.id !== from.resource?.id && { resource: to.resource?.name ?? null }),
    joined: others(to.seats, from.seats),
    left: others(from.seats, to.seats),
  }
}

/** The facts of a bulk for the notification of admins. */
export interface BulkSummary {
  id: number
  by: string
  cancelled: boolean
  silent: boolean
  bookings: number
}

/** Returns the facts of a bulk for the notification of admins; null when there is no such bulk. */
export async function findBulkSummary(db: Db, organizationId: number, id: number): Promise<BulkSummary | null> {
  const row = await db
    .selectFrom('operation as o')
    .innerJoin('membership as m', 'm.id', 'o.started_by')
    .select(['o.id', 'm.search_name as by', 'o.succeeded as bookings'])
    .select(sql<boolean>`o.input -> 'action' ? 'cancel'`.as('cancelled'))
    .select(sql<boolean>`not (o.input -> 'notify')::boolean`.as('silent'))
    .where('o.organization_id', '=', organizationId)
    .where('o.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
