import { readFile } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { errorCatalogue } from '../../src/api/http/errors-page.ts'
import { transitions } from '../../src/shared/scheduling/reservations/lifecycle.states.ts'
import { versionTransitions } from '../../src/shared/training/courses/version.states.ts'
import { enrollmentTransitions } from '../../src/shared/training/enrollments/enrollment.states.ts'
import { recordTransitions } from '../../src/shared/training/records/record.states.ts'

/** Tables of lifecycles hold entries as data; the tests of the tables go through every cell. */
const tables = [transitions, versionTransitions, enrollmentTransitions, recordTransitions]

/** What no test makes, and why. */
const notInTests: Readonly<Record<string, string>> = {
  'platform.storageFull': 'needs a full disk',
  'insight.tooManyRows': 'needs 100,001 rows; test/api/insight/read-in-batches.test.ts has the limit itself',
}

/**
 * Fails the run when an endpoint answered an error of the catalogue that it does not declare. After a whole run of
 * `npm test`, names the entries that no test made. Vitest only reports what a teardown throws, so the exit code is set
 * here.
 */
export async function judgeErrors(project: TestProject, file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const unraised = (await isWhole(project)) ? unraisedErrors(new Set(lines)) : []
  if (unraised.length > 0) console.log(`no test makes these errors of the catalogue: ${unraised.join(', ')}`)
  const undeclared = [...new Set(lines.filter((line) => line.startsWith('undeclared ')))].sort()
  for (const line of undeclared) {
    console.error(`an endpoint answers what it does not declare: ${line.slice('undeclared '.length)}`)
    process.exitCode = 1
  }
}

function unraisedErrors(raised: ReadonlySet<string>): string[] {
  const inTables = JSON.stringify(tables, (_key, value) => (typeof value === 'function' ? value.id : value))
  return Object.values(errorCatalogue)
    .flatMap((entries) => Object.values(entries))
    .map(({ id }) => id)
    .filter((id) => !raised.has(id) && !inTables.includes(`"${id}"`) && !(id in notInTests))
}

/** Returns whether this is `npm test`, whole and without a failure: another run tells nothing of what no test makes. */
async function isWhole(project: TestProject): Promise<boolean> {
  if (process.env.TEST_QUEUES || process.env.TEST_PROCESSES || process.env.TEST_ENDPOINTS) return false
  const { vitest } = project
  const ran = vitest.state.getTestModules()
  const { testFiles } = await project.globTestFiles()
  return ran.length === testFiles.length && !vitest.config.testNamePattern && ran.every((file) => file.ok())
}
