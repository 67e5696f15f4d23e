import type { Db } from '../../platform/db/database.ts'
import { listStudents, type StudentRow, type StudentScope } from '../enrollments/students.queries.ts'
import { readinessAt } from './judged-at.rules.ts'
import type { Readiness } from './readiness.types.ts'
import { findReadiness } from './readiness-facts.queries.ts'

/** A student with the readiness for the planned test; null: no test is planned. */
export type JudgedStudent<Row = StudentRow> = Row & { readiness: Pick<Readiness, 'verdict' | 'open'> | null }

/**
 * Returns the students in training with their readiness, as a list source. The rows of a page are judged together, by as many queries as one.
 * Implements interface §28.4.
 */
export function listJudgedStudents(db: Db, scope: StudentScope) {
  const students = listStudents(db, scope)
  return {
    ...students,
    slice: async (...page: Parameters<typeof students.slice>) => judged(db, scope, await students.slice(...page)),
    following: async (...page: Parameters<typeof students.following>) =>
      judged(db, scope, await students.following(...page)),
  }
}

async function judged<Row extends StudentRow>(
  db: Db,
  scope: StudentScope,
  rows: readonly Row[],
): Promise<JudgedStudent<Row>[]> {
  const planned = rows.filter(({ plannedTestAt }) => plannedTestAt !== null)
  const wanted = planned.map((row) => ({ id: row.enrollmentId, ...readinessAt(row, undefined, scope.now) }))
  const readiness = wanted.length === 0 ? new Map<number, Readiness>() : await findReadiness(db, scope, wanted)
  return rows.map((row) => {
    const found = readiness.get(row.enrollmentId)
    return { ...row, readiness: found ? { verdict: found.verdict, open: found.open } : null }
  })
}
