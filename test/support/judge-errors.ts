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
 * Fails the run when an endpoint answered an error of the catalogue that it does not declare, and, after a whole run of
 * `npm test`, when no test made an entry.
 * Vitest only reports what a teardown throws, so the exit code is set here.
 */
export async function judgeErrors(project: TestProject, file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const undeclared = [...new Set(lines.filter((line) => line.startsWith('undeclared ')))].sort()
  const unraised = (await isWhole(project)) ? unraisedErrors(new Set(lines)) : []
  const faults = [
    ...undeclared.map((line) => `an endpoint answers what it does not declare: ${line.slice('undeclared '.length)}`),
    ...unraised.map((id) => `no test makes this error of the catalogue: ${id}`),
  ]
  if (faults.length === 0) return
  console.error(faults.join('\n'))
  process.exitCode = 1
}

function unraisedErrors(raised: ReadonlySet<string>): string[] {
  const inTables = JSON.stringify(tables, (_key, value) => (typeof value === 'function' ? value.id : value))
  return Object.values(errorCatalogue)
    .flatMap((entries) => Object.values(entries))
    .map(({ id }) => id)
    .filter((id) => !raised.has(id) && !inTables.includes(`"${id}"`))
}

/** Returns whether this is `npm test`, whole and without a failure: another run tells nothing of what no test makes. */
async function isWhole(project: TestProject): Promise<boolean> {
  if (process.env.TEST_QUEUES || process.env.TEST_PROCESSES || process.env.TEST_ENDPOINTS) return false
  const { vitest } = project
  const ran = vitest.state.getTestModules()
  const { testFiles } = await project.globTestFiles()
  return ran.length === testFiles.length && !vitest.config.testNamePattern && ran.every((file) => file.ok())
}
