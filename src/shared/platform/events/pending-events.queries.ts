import { sql } from 'kysely'
import type { StoredEvent } from '../contracts/event.types.ts'
import { fanOutEvents } from '../contracts/events.jobs.ts'
import type { Db } from '../db/database.ts'

/** An event that is not fanned out yet, and the job that fans it out. */
export type PendingEvent = StoredEvent & { jobId: string }

/**
 * Returns the pending events of an organization, oldest first, up to the last event of the given job. Leaves out the
 * events of other jobs when these jobs were given up. Returns nothing when the given job is done.
 */
export async function findPendingEvents(db: Db, organizationId: number, jobId: string): Promise<PendingEvent[]> {
  const { rows } = await sql<PendingEvent>`
    with untold as (
      select o.id as job_id, told.event::uuid as event_id
        from outbox o cross join jsonb_array_elements_text(o.payload -> 'events') as told (event)
       where o.organization_id = ${organizationId} and o.job = ${fanOutEvents.name}
         and (o.failed_at is null or o.id = ${jobId}))
    select u.job_id as "jobId", e.organization_id as "organizationId", e.id, e.sequence, e.at, e.kind,
           e.actor_kind as "actorKind", e.membership_id as "membershipId", e.actor_name as "actorName", e.address,
           e.request_id as "requestId", e.subject_kind as "subjectKind", e.subject_id as "subjectId", e.before, e.after,
           e.reason
      from untold u join event e on e.organization_id = ${organizationId} and e.id = u.event_id
     where e.sequence <= (select max(own.sequence) from event own join untold mine on mine.event_id = own.id
                           where own.organization_id = ${organizationId} and mine.job_id = ${jobId})
     order by e.sequence`.execute(db)
  return rows
}
