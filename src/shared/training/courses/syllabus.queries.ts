import type { Db } from '../../platform/db/database.ts'
import type { LessonCredit, RequirementMeasure } from './syllabus.rules.ts'

/** The key of a version: its organization and id. */
export interface VersionKey {
  organizationId: number
  versionId: number
}

/** Returns the labels of a course's versions. */
export async function findLabels(db: Db, organizationId: number, courseId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('syllabus_version')
    .select('label')
    .where('organization_id', '=', organizationId)
    .where('course_id', '=', courseId)
    .execute()
  return rows.map(({ label }) => label)
}

/** Returns whether a version has a ceiling for the time in devices. */
export async function hasDeviceCeilings(db: Db, { organizationId, versionId }: VersionKey): Promise<boolean> {
  const row = await db
    .selectFrom('syllabus_version')
    .select('device_ceilings')
    .where('organization_id', '=', organizationId)
    .where('id', '=', versionId)
    .executeTakeFirst()
  return (row?.device_ceilings.length ?? 0) > 0
}

/** Returns whether a version has the stage. */
export async function hasStage(db: Db, { organizationId, versionId }: VersionKey, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('syllabus_stage')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a version has the lesson with this id or, without an id, any lesson. */
export async function hasLesson(db: Db, { organizationId, versionId }: VersionKey, id?: number): Promise<boolean> {
  const row = await db
    .selectFrom('syllabus_lesson')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .$if(id !== undefined, (lessons) => lessons.where('id', '=', id ?? 0))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns a lesson with the grading scale of its version and the regulatory part of its course; null when the version
 * has no such lesson.
 */
export async function findLesson(db: Db, { organizationId, versionId }: VersionKey, id: number) {
  const row = await db
    .selectFrom('syllabus_lesson as l')
    .innerJoin('syllabus_version as v', (join) =>
      join.onRef('v.organization_id', '=', 'l.organization_id').onRef('v.id', '=', 'l.version_id'),
    )
    .innerJoin('training_course as c', (join) =>
      join.onRef('c.organization_id', '=', 'v.organization_id').onRef('c.id', '=', 'v.course_id'),
    )
    .select(['l.id', 'l.organization_id as organizationId', 'l.version_id as versionId', 'l.stage_id as stageId'])
    .select(['l.kind', 'l.is_stage_check as isStageCheck', 'l.requires_notes as requiresNotes'])
    .select(['v.grading_scale as gradingScale', 'c.regulatory_part as regulatoryPart'])
    .where('l.organization_id', '=', organizationId)
    .where('l.version_id', '=', versionId)
    .where('l.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** A lesson with the facts that decide how it can be graded. */
export type Lesson = NonNullable<Awaited<ReturnType<typeof findLesson>>>

/** Returns the ids of a lesson's tasks. */
export async function findTaskIds(db: Db, { organizationId, versionId, id }: VersionKey & { id: number }) {
  const rows = await db
    .selectFrom('syllabus_task')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .where('lesson_id', '=', id)
    .execute()
  return new Set(rows.map((task) => task.id))
}

/** Returns the credits of a lesson, or all credits to a requirement, in the order of their creation. */
export function findLessonCredits(
  db: Db,
  { organizationId, versionId }: VersionKey,
  of: { lessonId: number } | { requirementId: number },
): Promise<LessonCredit[]> {
  const credits = db
    .selectFrom('syllabus_credit')
    .select(['requirement_id as requirementId', 'clock', 'count'])
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .orderBy('id')
  return (
    'lessonId' in of
      ? credits.where('lesson_id', '=', of.lessonId)
      : credits.where('requirement_id', '=', of.requirementId)
  ).execute()
}

/** Returns the requirements of a version with their minimums, in the order of their creation. */
export function findMeasures(
  db: Db,
  { organizationId, versionId }: VersionKey,
): Promise<(RequirementMeasure & { id: number; code: string })[]> {
  return db
    .selectFrom('syllabus_requirement')
    .select(['id', 'code', 'min_tenths as minTenths', 'min_count as minCount'])
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .orderBy('id')
    .execute()
}
