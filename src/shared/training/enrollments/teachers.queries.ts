import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Returns the orgUserIds of the instructors of the open enrollments of a booking's students, and of their chief instructors; of a student
 * who has none, those of the last enrollment that the student graduated from.
 */
export async function findTeachersOf(
  db: Db,
  organizationId: number,
  reservationId: number,
  { chiefs }: { chiefs: boolean },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct t.id
    from seat s
    cross join lateral (
      select e.organization_id, e.course_id, e.instructor_id from enrollment e
      where e.organization_id = s.organization_id and e.membership_id = s.membership_id
        and e.status in ('enrolled', 'graduated')
      order by e.status = 'enrolled' desc, case when e.status = 'graduated' then e.ended_at end desc
      fetch first row with ties) e
    join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
    cross join lateral (values (e.instructor_id), (case when ${chiefs} then c.chief_instructor_id end)) t (id)
    where s.organization_id = ${organizationId} and s.reservation_id = ${reservationId} and s.side = 'students'
      and t.id is not null
    order by t.id`.execute(db)
  return rows.map(({ id }) => id)
}
