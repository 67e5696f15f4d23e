import { sql } from 'kysely'
import type { Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { EventKind } from '../../platform/contracts/event-kinds.ts'
import type { Db } from '../../platform/db/database.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { PlaceParts } from './place.rules.ts'

/** The events in the history of a booking, with the names of their actions. */
const historyActions = {
  'reservation.changed': 'moved',
  'reservation.ramped_out': 'ramped_out',
  'reservation.ramped_in': 'ramped_in',
  'reservation.confirmed': 'confirmed',
  'reservation.corrected': 'corrected',
  'reservation.objected': 'objected',
  'reservation.objections_closed': 'objections_closed',
  'reservation.reopened': 'reopened',
  'reservation.cancelled': 'cancelled',
  'reservation.restored': 'restored',
  'reservation.logged': 'logged',
  'reservation.payers_changed': 'payers_changed',
  'reservation.lessons_planned': 'lessons_planned',
  'reservation.seat_freed': 'seat_freed',
  'reservation.offer_accepted': 'offer_accepted',
  'reservation.consent_given': 'consent_given',
  'reservation.rule_overridden': 'rule_overridden',
} as const satisfies Partial<Record<EventKind, string>>

type HistoryKind = keyof typeof historyActions

/**
 * Returns the history of a booking from the event log, oldest first. Leaves out changes in which time, resource, location and
 * people stay.
 */
export async function findHistory(db: Db, organizationId: number, reservationId: number) {
  const reservation = await db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', reservationId)
    .executeTakeFirst()
  if (!reservation) throw schedulingErrors.noSuchBooking()
  const events = await db
    .selectFrom('event as e')
    .leftJoin('membership as m', 'm.id', 'e.membership_id')
    .leftJoin('rule_override as o', (join) =>
      join
        .onRef('o.organization_id', '=', 'e.organization_id')
        .on(sql<boolean>`o.id = (e.after ->> 'overrideId')::integer`),
    )
    .select(['e.sequence as id', 'e.kind', 'e.at', 'e.before', 'e.after', 'e.membership_id', 'm.search_name as name'])
    .select(sql<string | null>`coalesce(e.reason, o.reason)`.as('reason'))
    .where('e.organization_id', '=', organizationId)
    .where('e.subject_kind', '=', 'reservation')
    .where('e.subject_id', '=', reservationId)
    .where('e.kind', 'in', Object.keys(historyActions) as HistoryKind[])
    .where((eb) => eb.or([eb('e.kind', '<>', 'reservation.changed'), eb('e.before', 'is not', null)]))
    .orderBy('e.sequence')
    .execute()
  return events.map(({ kind, ...event }) => ({ ...event, action: actionOf(kind as HistoryKind, event.before) }))
}

/** Returns how often a booking was restored. */
export async function countRestores(db: Db, organizationId: number, reservationId: number): Promise<number> {
  const { restores } = await db
    .selectFrom('event')
    .select(sql<number>`count(*)::int`.as('restores'))
    .where('organization_id', '=', organizationId)
    .where('subject_kind', '=', 'reservation')
    .where('subject_id', '=', reservationId)
    .where('kind', '=', 'reservation.restored')
    .executeTakeFirstOrThrow()
  return restores
}

/**
 * Returns when somebody last agreed to the place of a booking in a member's name, not by the mailed link; null when nobody did, or when the
 * booking was restored, or the member moved it or agreed to a place themselves, since then.
 */
export async function findGivenAt(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  reservationId: number,
): Promise<Date | null> {
  const isSpokenFor = sql`(e.after ->> 'onBehalfOf')::int = ${orgUserId} and e.after ->> 'how' <> 'link'`
  const isOwn = sql`(e.kind = 'reservation.restored'
    or (e.kind = 'reservation.changed' and e.before is not null and e.membership_id = ${orgUserId})
    or (e.kind = 'reservation.offer_accepted' and (e.after ->> 'onBehalfOf')::int = ${orgUserId}
      and coalesce(e.after ->> 'how', 'link') = 'link'))`
  const { rows } = await sql<{ at: Date }>`
    with happened as materialized (
      select e.sequence, e.kind, e.at, e.before, e.after, e.membership_id from event e
      where e.organization_id = ${organizationId} and e.subject_kind = 'reservation' and e.subject_id = ${reservationId}
        and e.kind in ('reservation.offer_accepted', 'reservation.consent_given', 'reservation.restored',
          'reservation.changed'))
    select e.at from happened e
    where e.kind in ('reservation.offer_accepted', 'reservation.consent_given') and ${isSpokenFor}
      and e.sequence > coalesce((select max(e.sequence) from happened e where ${isOwn}), 0)
    order by e.sequence desc limit 1`.execute(db)
  return rows[0]?.at ?? null
}

/**
 * Returns when a booking was last made, restored, moved to another start or given another leading payer, if that was by nobody of its
 * paying members and none of them agreed to it by the mailed link; null otherwise.
 */
export async function findTimedByOthersAt(
  db: Db,
  { organizationId, reservationId }: { organizationId: number; reservationId: number },
  { side, members, leading }: { side: Side | null; members: readonly number[]; leading: number | null },
): Promise<Date | null> {
  const isOn = (place: 'before' | 'after') =>
    sql`coalesce(${sql.ref(`e.${place}`)} #> array['personnel', ${side}::text] @> to_jsonb(${leading}::int), false)`
  const { rows } = await sql<{ at: Date; own: boolean }>`
    select e.at, coalesce(e.membership_id = any(${members}::int[]) or e.after ->> 'how' = 'link', false) as own from event e
    where e.organization_id = ${organizationId} and e.subject_kind = 'reservation' and e.subject_id = ${reservationId}
      and (e.kind in ('reservation.created', 'reservation.restored', 'reservation.offer_accepted', 'reservation.consent_given')
        or (e.kind = 'reservation.changed'
          and (e.before ->> 'start' <> e.after ->> 'start' or (${isOn('after')} and not ${isOn('before')}))))
    order by e.sequence desc limit 1`.execute(db)
  const [last] = rows
  return last && !last.own ? last.at : null
}

/**
 * Returns the parts of the place from which a booking was moved when somebody agreed in a member's name at an instant; null when it was
 * booked then.
 */
export async function findPlaceBefore(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  reservationId: number,
  givenAt: Date,
): Promise<PlaceParts | null> {
  const { rows } = await sql<{ before: PlaceParts }>`
    select v.before from event g
    join event v on v.organization_id = g.organization_id and v.subject_kind = g.subject_kind and v.subject_id = g.subject_id
      and v.at = g.at and v.kind = 'reservation.changed' and v.before is not null
    where g.organization_id = ${organizationId} and g.subject_kind = 'reservation' and g.subject_id = ${reservationId}
      and g.kind in ('reservation.offer_accepted', 'reservation.consent_given') and g.at = ${givenAt}
      and (g.after ->> 'onBehalfOf')::int = ${orgUserId}
    order by v.sequence desc limit 1`.execute(db)
  return rows[0]?.before ?? null
}

/** Returns the action of an event; a change of resource, location or people is `reassigned`. */
function actionOf(kind: HistoryKind, before: Record<string, unknown> | null): string {
  const isReassigned =
    kind === 'reservation.changed' && Object.keys(before ?? {}).some((key) => reassigned.includes(key))
  return isReassigned ? 'reassigned' : historyActions[kind]
}

const reassigned: readonly string[] = ['resourceId', 'locationId', 'personnel']

export type HistoryRow = Awaited<ReturnType<typeof findHistory>>[number]
