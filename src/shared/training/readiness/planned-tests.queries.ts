import { type RawBuilder, sql } from 'kysely'

/** Returns SQL for whether the practical test of an open enrollment is planned ahead, and none of it was passed. */
export function awaitsTest(alias: string, now: Date): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${of('status')} = 'enrolled' and ${of('planned_test_at')} > ${now} and not exists (select from training_test passed
    where passed.organization_id = ${of('organization_id')} and passed.enrollment_id = ${of('id')}
      and passed.kind = 'practical' and passed.result = 'passed'))`
}
