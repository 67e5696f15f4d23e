import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'

/** A stored event, identified by its `webhook-id`. */
export interface EventOf {
  organizationId: number
  eventId: string
}

/** Returns whether an endpoint of the organization, active or not, subscribes to events of this type. */
export async function isWanted(db: Db, organizationId: number, type: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_endpoint where organization_id = ${organizationId} and events @> ${JSON.stringify([type])}::jsonb
    limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the booking of each invoice that bills one, by the id of the invoice, for events of one organization. */
export async function findBookingsOfInvoices(
  db: Db,
  events: readonly { organizationId: number; subjectId: number }[],
): Promise<Map<number, number>> {
  const [first] = events
  if (!first) return new Map()
  const rows = await db
    .selectFrom('invoice')
    .select(['id', 'reservation_id'])
    .where('organization_id', '=', first.organizationId)
    .where('id', 'in', [...new Set(events.map(({ subjectId }) => subjectId))])
    .where('reservation_id', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, reservation_id }) => [id, Number(reservation_id)]))
}

/** Returns an event whose payload is not rendered yet; null when it is, or when the event does not exist. */
export async function findUnrendered(db: Db, { organizationId, eventId }: EventOf) {
  const row = await db
    .selectFrom('webhook_event')
    .select(['id', 'type', 'subject', 'at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', eventId)
    .where('payload', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Returns at most `most` events that are older than this many seconds and whose payload is not rendered yet. */
export async function findLateUnrendered(db: Db, seconds: number, most: number): Promise<EventOf[]> {
  const { rows } = await sql<EventOf>`
    select organization_id as "organizationId", id as "eventId" from webhook_event
     where payload is null and created_at < now() - make_interval(secs => ${seconds}) limit ${most}`.execute(db)
  return rows
}

/** Selects the events of a replay: those with the ids `eventIds`, or those of the given types in a window. */
export interface ReplayedEvents {
  organizationId: number
  eventIds?: string[] | undefined
  window: Partial<Interval>
  types: readonly string[]
}

/** Returns the ids of the rendered events of a replay, at most `most`. */
export async function findReplayed(db: Db, wanted: ReplayedEvents, most: number): Promise<string[]> {
  const { organizationId, eventIds, types } = wanted
  const { start = null, end = null } = wanted.window
  const which = eventIds
    ? sql`id = any(${eventIds}::uuid[])`
    : sql`at >= coalesce(${start}::timestamptz, '-infinity') and at < coalesce(${end}::timestamptz, 'infinity')
        and type = any(${types}::text[])`
  const { rows } = await sql<{ id: string }>`
    select id from webhook_event where organization_id = ${organizationId} and ${which} and payload is not null
    limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
