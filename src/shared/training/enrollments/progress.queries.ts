import { sql } from 'kysely'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { LessonInOrder, RecordOfLesson } from './progress.rules.ts'

/** Returns the records of an enrollment with the facts that decide its progress. */
export function findProgress(source: Source, organizationId: number, enrollmentId: number): Promise<RecordOfLesson[]> {
  return readRows(
    source,
    sql<RecordOfLesson>`
      select lesson_id as "lessonId", grade, signed_at is not null as signed, amended_at is not null as amended
      from training_record where organization_id = ${organizationId} and enrollment_id = ${enrollmentId}`,
  )
}

/** Returns the lessons of a version, each with its position in the syllabus. */
export function findLessonsInOrder(
  source: Source,
  organizationId: number,
  versionId: number,
): Promise<LessonInOrder[]> {
  return readRows(
    source,
    sql<LessonInOrder>`
      select l.id, l.name, l.position, l.requires_signoff as "requiresSignoff", s.id as "stageId",
        s.position as "stagePosition"
      from syllabus_lesson l
      join syllabus_stage s on s.organization_id = l.organization_id and s.id = l.stage_id
      where l.organization_id = ${organizationId} and l.version_id = ${versionId}`,
  )
}
