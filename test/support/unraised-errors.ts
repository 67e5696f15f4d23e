import { readFile } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { errorCatalogue } from '../../src/api/http/errors-page.ts'
import { transitions } from '../../src/shared/scheduling/reservations/lifecycle.states.ts'
import { versionTransitions } from '../../src/shared/training/courses/version.states.ts'
import { enrollmentTransitions } from '../../src/shared/training/enrollments/enrollment.states.ts'
import { recordTransitions } from '../../src/shared/training/records/record.states.ts'

/** Tables of lifecycles hold entries as data; the tests of the tables go through every cell. */
const tables = [transitions, versionTransitions, enrollmentTransitions, recordTransitions]

/**
 * Returns the entries of the catalogue of errors that no test of a whole run made. A run of a part of the tests, one in
 * which a test failed, and one of another configuration tell nothing.
 */
export async function unraisedErrors(project: TestProject, file: string): Promise<string[]> {
  if (process.env.TEST_QUEUES || process.env.TEST_PROCESSES || process.env.TEST_ENDPOINTS || !(await isWhole(project)))
    return []
  const raised = new Set((await readFile(file, 'utf8')).split('\n'))
  const inTables = JSON.stringify(tables, (_key, value) => (typeof value === 'function' ? value.id : value))
  return Object.values(errorCatalogue)
    .flatMap((entries) => Object.values(entries))
    .map(({ id }) => id)
    .filter((id) => !raised.has(id) && !inTables.includes(`"${id}"`))
}

async function isWhole(project: TestProject): Promise<boolean> {
  const { vitest } = project
  const ran = vitest.state.getTestModules()
  const { testFiles } = await project.globTestFiles()
  return ran.length === testFiles.length && !vitest.config.testNamePattern && ran.every((file) => file.ok())
}
