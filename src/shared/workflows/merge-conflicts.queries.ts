import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import type { Merge, MergePart } from './merge-references.access.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** Two records that one person cannot both have. `kind` and `id` are those of the record of the member who is merged. */
export interface MergeConflict {
  kind: 'booking' | 'enrollment' | 'currency'
  id: number
  message: Sentence
}

/**
 * Returns the conflicts that prevent a merge: live bookings at the same time, and bookings with both members; when `papers` are merged,
 * also open enrollments in the same course and different dates of the same currency.
 */
export async function findMergeConflicts(db: Db, merge: Merge, parts: readonly MergePart[]): Promise<MergeConflict[]> {
  const bookings = await findDoubleBookings(db, merge)
  if (!parts.includes('papers')) return bookings
  return [...bookings, ...(await findDoubleEnrollments(db, merge)), ...(await findDoubleCurrencies(db, merge))]
}

async function findDoubleBookings(db: Db, { organizationId, from, into }: Merge): Promise<MergeConflict[]> {
  const { rows } = await sql<{ id: number; title: string; other: string; same: boolean }>`
    select distinct on (r.id) r.id, r.title, o.title as other, r.id = o.id as same
      from seat s
      join seat t on t.organization_id = s.organization_id and t.membership_id = ${into}
        and (t.reservation_id = s.reservation_id
          or (s.live and t.live and t.starts_at < s.ends_at and t.ends_at > s.starts_at))
      join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
      join reservation o on o.organization_id = t.organization_id and o.id = t.reservation_id
     where s.organization_id = ${organizationId} and s.membership_id = ${from}
     order by r.id, o.id`.execute(db)
  return rows.map(({ id, title, other, same }) => ({
    kind: 'booking',
    id,
    message: same ? workflowsErrors.bothAboard({ booking: title }) : workflowsErrors.atOnce({ booking: title, other }),
  }))
}

async function findDoubleEnrollments(db: Db, { organizationId, from, into }: Merge): Promise<MergeConflict[]> {
  const { rows } = await sql<{ id: number; course: string }>`
    select s.id, c.name as course
      from enrollment s
      join enrollment t on t.organization_id = s.organization_id and t.course_id = s.course_id
        and t.membership_id = ${into} and t.status = 'enrolled'
      join training_course c on c.organization_id = s.organization_id and c.id = s.course_id
     where s.organization_id = ${organizationId} and s.membership_id = ${from} and s.status = 'enrolled'
     order by s.id`.execute(db)
  return rows.map(({ id, course }) => ({ kind: 'enrollment', id, message: workflowsErrors.bothEnrolled({ course }) }))
}

async function findDoubleCurrencies(db: Db, { organizationId, from, into }: Merge): Promise<MergeConflict[]> {
  const { rows } = await sql<{ id: number; currency: string }>`
    select s.id, c.name as currency
      from currency_record s
      join currency_record t on t.organization_id = s.organization_id and t.currency_id = s.currency_id
        and t.membership_id = ${into}
      join currency c on c.organization_id = s.organization_id and c.id = s.currency_id
     where s.organization_id = ${organizationId} and s.membership_id = ${from}
       and (s.completed_at, s.expires_at, s.ended_on) is distinct from (t.completed_at, t.expires_at, t.ended_on)
     order by s.id`.execute(db)
  return rows.map(({ id, currency }) => ({ kind: 'currency', id, message: workflowsErrors.bothCurrent({ currency }) }))
}
