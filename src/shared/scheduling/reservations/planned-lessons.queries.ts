import { type RawBuilder, sql } from 'kysely'

/** The lesson that is planned for a student. */
export interface LessonOfReservation {
  orgUserId: number
  id: number
  name: string
  kind: 'ground' | 'flight' | 'sim'
  objectives: string | null
  completionStandards: string | null
  tasks: { id: number; name: string; acsCode: string | null; standard: string | null }[]
}

/** The from clause of the lessons `ll` that are planned (`pl`) for the students on a booking `r`. */
export const plannedLessons: RawBuilder<unknown> = sql`planned_lesson pl
  join syllabus_lesson ll on ll.organization_id = pl.organization_id and ll.version_id = pl.version_id
    and ll.id = pl.lesson_id
  where pl.organization_id = r.organization_id and pl.reservation_id = r.id and exists (select from seat ls
    where ls.organization_id = r.organization_id and ls.reservation_id = r.id and ls.membership_id = pl.membership_id
      and ls.side = 'students')`

/** Selects the planned lessons of the bookings of `page` with their tasks, in the order of planning. */
export const lessonsOfPage: RawBuilder<unknown> = sql`select pl.reservation_id, pl.membership_id as "orgUserId", ll.id, ll.name, ll.kind, ll.objectives,
      ll.completion_standards as "completionStandards",
      coalesce((select json_agg(json_build_object('id', lt.id, 'name', lt.name, 'acsCode', lt.acs_code,
          'standard', lt.standard) order by lt.position, lt.id) from syllabus_task lt
        where lt.organization_id = ll.organization_id and lt.version_id = ll.version_id and lt.lesson_id = ll.id), '[]') as tasks
    from page r, ${plannedLessons} order by pl.id`
