import { sql } from 'kysely'
import { jsonInstant, readRows, type Source } from '../../platform/db/read-rows.ts'
import type { BasisPoints, Tenths } from '../../platform/kernel/units.ts'
import { trainingErrors } from '../training.errors.ts'
import type { Appendix, DeviceCeiling } from './device-ceilings.rules.ts'
import type { GradeOption } from './grading.rules.ts'
import type { Clock, LessonKind, RegulatoryPart, RequirementSource } from './syllabus.rules.ts'
import type { VersionState } from './version.states.ts'

interface Stored {
  id: number
  createdAt: string
  updatedAt: string
}

export interface RequirementRow extends Stored {
  code: string
  label: string
  minTenths: Tenths | null
  minCount: number | null
  source: RequirementSource
  maxSimulatorBps: BasisPoints | null
  maxTransferBps: BasisPoints | null
  recencyCalendarMonths: number | null
  recencyDays: number | null
  deviceCeilings: DeviceCeiling[]
}

export interface TaskRow extends Stored {
  name: string
  acsCode: string | null
  standard: string | null
}

export interface LessonRow extends Stored {
  stageId: number
  name: string
  position: number
  kind: LessonKind
  objectives: string | null
  completionStandards: string | null
  minFlightTenths: Tenths | null
  minGroundTenths: Tenths | null
  requiresSignoff: boolean
  requiresNotes: boolean
  isStageCheck: boolean
  tasks: TaskRow[]
  credits: { requirementId: number; clock: Clock | null; count: number | null }[]
}

export interface StageRow extends Stored {
  name: string
  objective: string | null
  position: number
  requiresStageCheck: boolean
  lessons: LessonRow[]
}

/** A version with its whole syllabus. */
export interface VersionRow extends Stored {
  courseId: number
  courseName: string
  regulatoryPart: RegulatoryPart
  label: string
  state: VersionState
  gradingScale: GradeOption[]
  deviceCeilings: DeviceCeiling[]
  appendix: Appendix | null
  graduationWithinDays: number
  publishedAt: string | null
  approvedAt: string | null
  approvalReference: string | null
  requirements: RequirementRow[]
  stages: StageRow[]
}

const stored = (table: string) => sql`'id', ${sql.ref(`${table}.id`)},
  'createdAt', ${jsonInstant(`${table}.created_at`)}, 'updatedAt', ${jsonInstant(`${table}.updated_at`)}`

/** Returns one version with its syllabus. It takes two queries for a syllabus of any size. */
export async function findVersion(source: Source, organizationId: number, id: number): Promise<VersionRow> {
  const [version] = await readRows(
    source,
    sql<VersionRow>`
      select v.id, v.course_id as "courseId", c.name as "courseName", c.regulatory_part as "regulatoryPart", v.label,
        v.state, v.grading_scale as "gradingScale", v.device_ceilings as "deviceCeilings", v.appendix, v.graduation_within_days as "graduationWithinDays", v.approval_reference as "approvalReference",
        ${jsonInstant('v.published_at')} as "publishedAt", ${jsonInstant('v.approved_at')} as "approvedAt",
        ${jsonInstant('v.created_at')} as "createdAt", ${jsonInstant('v.updated_at')} as "updatedAt",
        coalesce((select json_agg(json_build_object(${stored('r')}, 'code', r.code, 'label', r.label,
            'minTenths', r.min_tenths, 'minCount', r.min_count, 'source', r.source,
            'maxSimulatorBps', r.max_simulator_bps, 'maxTransferBps', r.max_transfer_bps,
            'recencyCalendarMonths', r.recency_calendar_months, 'recencyDays', r.recency_days,
            'deviceCeilings', r.device_ceilings) order by r.id)
          from syllabus_requirement r where r.organization_id = v.organization_id and r.version_id = v.id), '[]')
          as requirements,
        coalesce((select json_agg(json_build_object(${stored('s')}, 'name', s.name, 'objective', s.objective,
            'position', s.position, 'requiresStageCheck', s.requires_stage_check) order by s.position, s.id)
          from syllabus_stage s where s.organization_id = v.organization_id and s.version_id = v.id), '[]') as stages
      from syllabus_version v
      join training_course c on c.organization_id = v.organization_id and c.id = v.course_id
      where v.organization_id = ${organizationId} and v.id = ${id}`,
  )
  if (!version) throw trainingErrors.noSuchVersion()
  const lessons = await findLessons(source, organizationId, id)
  const stages = version.stages.map((stage) => ({
    ...stage,
    lessons: lessons.filter((lesson) => lesson.stageId === stage.id),
  }))
  return { ...version, stages }
}

/**
 * Selects the lessons of a version by position, each with its tasks and credits. Tasks and credits are aggregated once,
 * because the planner has no statistics for a new syllabus and would aggregate them again for each lesson.
 */
function findLessons(source: Source, organizationId: number, versionId: number): Promise<LessonRow[]> {
  const ofVersion = sql`organization_id = ${organizationId} and version_id = ${versionId}`
  return readRows(
    source,
    sql<LessonRow>`
      with tasks as materialized (
        select t.lesson_id, json_agg(json_build_object(${stored('t')}, 'name', t.name, 'acsCode', t.acs_code,
          'standard', t.standard) order by t.position, t.id) as items
        from syllabus_task t where ${ofVersion} group by t.lesson_id),
      credits as materialized (
        select k.lesson_id, json_agg(json_build_object('requirementId', k.requirement_id, 'clock', k.clock,
          'count', k.count) order by k.id) as items
        from syllabus_credit k where ${ofVersion} group by k.lesson_id)
      select l.id, l.stage_id as "stageId", l.name, l.position, l.kind, l.objectives,
        l.completion_standards as "completionStandards", l.min_flight_tenths as "minFlightTenths",
        l.min_ground_tenths as "minGroundTenths", l.requires_signoff as "requiresSignoff",
        l.requires_notes as "requiresNotes", l.is_stage_check as "isStageCheck",
        ${jsonInstant('l.created_at')} as "createdAt", ${jsonInstant('l.updated_at')} as "updatedAt",
        coalesce(t.items, '[]') as tasks, coalesce(k.items, '[]') as credits
      from syllabus_lesson l
      left join tasks t on t.lesson_id = l.id
      left join credits k on k.lesson_id = l.id
      where l.organization_id = ${organizationId} and l.version_id = ${versionId}
      order by l.position, l.id`,
  )
}
