import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { oneOf } from '../../platform/db/read-rows.ts'
import type { LessonKind } from '../courses/syllabus.rules.ts'
import { findVersion, type StageRow, type TaskRow } from '../courses/version.queries.ts'
import { findProgress } from './progress.queries.ts'
import { inSyllabusOrder, isCompleted, isOffered, unfinishedFirst } from './progress.rules.ts'

/** A lesson that a booking can close out. */
export interface CandidateLesson {
  lessonId: number
  name: string
  kind: LessonKind
  completed: boolean
  tasks: TaskRow[]
}

export interface Candidate {
  enrollmentId: number
  course: { id: number; name: string }
  lessons: CandidateLesson[]
}

/**
 * Returns, for each open enrollment of the students, the lessons that a booking of one of the types can close out,
 * unfinished ones first; without types, all lessons. An enrollment without such lessons is left out.
 * Implements interface §Training: GET /training/candidates.
 */
export async function findCandidates(
  db: Db,
  organizationId: number,
  students: { orgUserIds: readonly number[]; types: readonly string[] | undefined },
): Promise<Candidate[]> {
  const enrollments = await db
    .selectFrom('enrollment')
    .select(['id', 'version_id'])
    .where('organization_id', '=', organizationId)
    .where(oneOf(sql`membership_id`, students.orgUserIds))
    .where('status', '=', 'enrolled')
    .orderBy('id')
    .execute()
  const candidates = await Promise.all(
    enrollments.map(async ({ id, version_id }) => {
      const [version, records] = await Promise.all([
        findVersion(db, organizationId, version_id),
        findProgress(db, organizationId, id),
      ])
      const lessons = inSyllabusOrder(version.stages.flatMap(lessonsOf))
        .filter((lesson) => isOffered(lesson.kind, students.types))
        .map((lesson) => ({
          lessonId: lesson.id,
          name: lesson.name,
          kind: lesson.kind,
          tasks: lesson.tasks,
          completed: isCompleted(lesson, records, version.gradingScale),
        }))
      const course = { id: version.courseId, name: version.courseName }
      return { enrollmentId: id, course, lessons: unfinishedFirst(lessons) }
    }),
  )
  return candidates.filter(({ lessons }) => lessons.length > 0)
}

function lessonsOf(stage: StageRow) {
  return stage.lessons.map((lesson) => ({ ...lesson, stagePosition: stage.position }))
}

/**
 * Returns the wanted lessons of the open enrollments of the wanted students, newest enrollment first. A row can combine
 * the student and the lesson of two different items; the caller looks up its pairs.
 */
export function findPlannableLessons(
  db: Db,
  organizationId: number,
  wanted: readonly { orgUserId: number; lessonId: number }[],
) {
  return db
    .selectFrom('enrollment as e')
    .innerJoin('syllabus_lesson as l', (join) =>
      join.onRef('l.organization_id', '=', 'e.organization_id').onRef('l.version_id', '=', 'e.version_id'),
    )
    .select(['e.membership_id as orgUserId', 'e.version_id as versionId', 'l.id as lessonId', 'l.kind', 'l.name'])
    .where('e.organization_id', '=', organizationId)
    .where('e.status', '=', 'enrolled')
    .where('e.membership_id', 'in', [...new Set(wanted.map(({ orgUserId }) => orgUserId))])
    .where('l.id', 'in', [...new Set(wanted.map(({ lessonId }) => lessonId))])
    .orderBy('e.id', 'desc')
    .execute()
}

/**
 * The condition that the record of a student in seat `p` of booking `r` is missing: the student has an open enrollment
 * that was created before the end of the booking, and has no record of the booking in any enrollment. An amended record
 * counts as a record.
 */
export const lacksRecord: RawBuilder<boolean> = sql`(
  exists (select from enrollment pe where pe.organization_id = p.organization_id and pe.membership_id = p.membership_id
    and pe.status = 'enrolled' and pe.created_at <= r.ends_at)
  and not exists (select from training_record pd
    join enrollment pg on pg.organization_id = pd.organization_id and pg.id = pd.enrollment_id
    where pd.organization_id = p.organization_id and pd.reservation_id = p.reservation_id
      and pg.membership_id = p.membership_id))`

/** The booking types that are lessons: each of their students needs a record. */
export const lessonTypes: RawBuilder<unknown> = sql`('dual', 'solo', 'sim', 'ground')`
