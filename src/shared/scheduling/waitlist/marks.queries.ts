import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { offerPlaces } from '../scheduling.jobs.ts'
import type { FreedTime } from './places.rules.ts'

/** The name of marks of places that were found in quiet hours; the sweep makes them marks of the job when these end. */
export const RESTING = 'waitlist.resting-places'

/** Takes the marks of an organization, and returns what they are about. */
export async function takeMarks(tx: Tx, organizationId: number): Promise<Record<string, unknown>[]> {
  const marks = await tx.db
    .deleteFrom('job_mark')
    .where('organization_id', '=', organizationId)
    .where('job', '=', offerPlaces.name)
    .returning('about')
    .execute()
  return marks.map(({ about }) => about)
}

/**
 * Returns the times in which places may have become free, of what marks are about. A booking frees its time, a closure and the
 * time off of an instructor theirs, a resource and an instructor all times. Changes of other members free nothing for others.
 */
export async function findFreedTimes(
  db: Db,
  organizationId: number,
  marks: readonly Record<string, unknown>[],
  now: Date,
): Promise<FreedTime[]> {
  const { rows } = await sql<FreedTime>`
    with change as materialized (
      select distinct c.* from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as c ("reservationId" int,
        "resourceId" int, "memberId" int, "crewOf" int, "reminderId" int, "entryId" int, start timestamptz,
        "end" timestamptz))
    select distinct coalesce(c.start, r.starts_at) as start, coalesce(c."end", r.ends_at) as "end", c."entryId"
    from change c
    left join reservation r on r.organization_id = ${organizationId} and r.id = c."reservationId"
    where c."crewOf" is null and coalesce(c."end", r.ends_at, 'infinity') > ${now}
      and (c."memberId" is null or c.start is not null or exists (select from membership m
        where m.organization_id = ${organizationId} and m.id = c."memberId" and m.instructor))`.execute(db)
  return rows
}
