import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type NamedCause, type NamedResource, wordsOfCause } from './recovery-cause.rules.ts'

/** A cause as JSON answers it: instants are texts. */
interface StoredCause extends Omit<NamedCause, 'instructors'> {
  resources: NamedResource[]
  instructors: { name: string; away: { start: string; end: string } | null }[]
}

/** Returns the cause of a recovery as messages name it; null when it names bookings alone, or the recovery is gone. */
export async function findCauseInWords(db: Db, organizationId: number, operationId: number): Promise<string | null> {
  const idsOf = (name: string) => sql`array(select jsonb_array_elements_text(v.cause -> ${name}::text)::int)`
  const { rows } = await sql<StoredCause>`
    select v.asserted, o.time_zone_name as zone,
      (select coalesce(json_agg(json_build_object('name', x.name, 'maintenance', v.cause -> 'maintenance' ->> 'title',
          'deferral', (select s.title from squawk s
            where s.organization_id = x.organization_id and s.resource_id = x.id and s.status = 'deferred'
              and s.excluded_operations <> '[]' order by s.id limit 1),
          'grounding',
          case when x.grounded_by_person or x.system_hold_reason is not null
            then coalesce(x.grounded_reason, x.system_hold_reason, '') end) order by x.name), '[]')
        from resource x where x.organization_id = v.organization_id and x.id = any(${idsOf('resourceIds')})) as resources,
      (select coalesce(json_agg(json_build_object('name', m.search_name, 'away',
          (select json_build_object('start', t.starts_at, 'end', t.ends_at) from time_off t
            where t.organization_id = m.organization_id and t.membership_id = m.id
              and t.starts_at < v.ends_at and t.ends_at > v.starts_at order by t.starts_at limit 1)) order by m.search_name), '[]')
        from membership m where m.organization_id = v.organization_id
          and m.id = any(${idsOf('instructorOrgUserIds')})) as instructors,
      (select c.reason from closure c where c.organization_id = v.organization_id
        and c.id = (v.cause ->> 'closureId')::int) as closure
    from recovery v join organization o on o.id = v.organization_id
    where v.organization_id = ${organizationId} and v.operation_id = ${operationId}`.execute(db)
  const [cause] = rows
  if (!cause) return null
  const instructors = cause.instructors.map(({ name, away }) => ({
    name,
    away: away && { start: new Date(away.start), end: new Date(away.end) },
  }))
  return wordsOfCause({ ...cause, instructors })
}

/** Returns the cause of the recovery whose accepted offer moved a booking, by the event of the move, as messages name it; null for any other move. */
export async function findCauseOfMove(db: Db, organizationId: number, eventId: string): Promise<string | null> {
  const { rows } = await sql<{ id: number }>`
    select f.id from event v
    join offer f on f.organization_id = v.organization_id and f.source = 'recovery' and f.status = 'accepted'
      and f.reservation_id = v.subject_id and f.ended_at = v.at
    where v.organization_id = ${organizationId} and v.id = ${eventId} and v.subject_kind = 'reservation'`.execute(db)
  const recoveryId = rows[0] ? await findRecoveryOf(db, organizationId, rows[0].id) : null
  return recoveryId === null ? null : findCauseInWords(db, organizationId, recoveryId)
}

/** Returns the recovery that made an offer; null for an offer of the waiting list. */
export async function findRecoveryOf(db: Db, organizationId: number, offerId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select r.operation_id as id from offer f
    join operation_row r on r.organization_id = f.organization_id and r.subject_id = f.moves_id
      and (r.detail ->> 'offerId')::int = f.id
    where f.organization_id = ${organizationId} and f.id = ${offerId} and f.source = 'recovery'`.execute(db)
  return rows[0]?.id ?? null
}
