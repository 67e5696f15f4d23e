import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Copies the stages, requirements, lessons, tasks and credits of one version into another, empty version. It uses one
 * statement for a syllabus of any size: the new ids of stages, requirements and lessons are assigned first, and the
 * tables that reference them join on these ids.
 */
export async function copySyllabus(
  tx: Tx,
  organizationId: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const ofSource = sql`organization_id = ${organizationId} and version_id = ${from}`
  await sql`
    with stage as materialized (
      select *, nextval(pg_get_serial_sequence('syllabus_stage', 'id'))::int as new_id
      from (select * from syllabus_stage where ${ofSource} order by id) as old),
    requirement as materialized (
      select *, nextval(pg_get_serial_sequence('syllabus_requirement', 'id'))::int as new_id
      from (select * from syllabus_requirement where ${ofSource} order by id) as old),
    lesson as materialized (
      select *, nextval(pg_get_serial_sequence('syllabus_lesson', 'id'))::int as new_id
      from (select * from syllabus_lesson where ${ofSource} order by id) as old),
    stages as (
      insert into syllabus_stage (id, organization_id, version_id, name, objective, position, requires_stage_check)
      select new_id, organization_id, ${to}, name, objective, position, requires_stage_check from stage),
    requirements as (
      insert into syllabus_requirement (id, organization_id, version_id, code, label, min_tenths, min_count, source,
        max_simulator_bps, max_transfer_bps, recency_calendar_months, recency_days, device_ceilings)
      select new_id, organization_id, ${to}, code, label, min_tenths, min_count, source,
        max_simulator_bps, max_transfer_bps, recency_calendar_months, recency_days, device_ceilings from requirement),
    lessons as (
      insert into syllabus_lesson (id, organization_id, version_id, stage_id, name, position, kind, objectives,
        completion_standards, min_flight_tenths, min_ground_tenths, requires_signoff, requires_notes, is_stage_check)
      select l.new_id, l.organization_id, ${to}, s.new_id, l.name, l.position, l.kind, l.objectives,
        l.completion_standards, l.min_flight_tenths, l.min_ground_tenths, l.requires_signoff, l.requires_notes,
        l.is_stage_check
      from lesson l join stage s on s.id = l.stage_id),
    tasks as (
      insert into syllabus_task (organization_id, version_id, lesson_id, position, name, acs_code, standard)
      select t.organization_id, ${to}, l.new_id, t.position, t.name, t.acs_code, t.standard
      from (select * from syllabus_task where ${ofSource}) t join lesson l on l.id = t.lesson_id
      order by t.id)
    insert into syllabus_credit (organization_id, version_id, lesson_id, requirement_id, clock, count)
    select c.organization_id, ${to}, l.new_id, r.new_id, c.clock, c.count
    from (select * from syllabus_credit where ${ofSource}) c
    join lesson l on l.id = c.lesson_id join requirement r on r.id = c.requirement_id
    order by c.id`.execute(tx.db)
}
