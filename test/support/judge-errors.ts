import { readFile } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { errorCatalogue } from '../../src/api/http/errors-page.ts'
import { transitions } from '../../src/shared/scheduling/reservations/lifecycle.states.ts'
import { versionTransitions } from '../../src/shared/training/courses/version.states.ts'
import { enrollmentTransitions } from '../../src/shared/training/enrollments/enrollment.states.ts'
import { recordTransitions } from '../../src/shared/training/records/record.states.ts'

/** The tables of lifecycles, which hold entries of the catalogue as data. Their own tests check every cell. */
const tables = [transitions, versionTransitions, enrollmentTransitions, recordTransitions]

/** The entries that no test makes, with the reason. */
const notInTests: Readonly<Record<string, string>> = {
  'platform.storageFull': 'needs a full disk',
  'platform.fileTooLarge': 'needs a body of 25 MiB',
  'platform.fileTypeNotAccepted': 'the schemas of the endpoints refuse the name of the file first',
  'field.onlyOnce': 'test/endpoints/wording.test.ts makes it',
  'field.notBeside': 'test/endpoints/wording.test.ts makes it',
  'http.bodyLate': 'test/faults/half-sent.test.ts makes it',
  'http.away': 'test/faults/unusable-database.test.ts makes it',
  'billing.signatureWrong': 'test/faults/gateway-webhooks.test.ts makes it',
  'http.brokenOff': 'nobody is there to read it',
  'http.bodyEmpty': 'the framework says it of bodies that it reads itself, and the service reads them',
  'http.bodyLengthWrong': 'the framework says it of bodies that it reads itself, and the service reads them',
  'insight.formatUnknown': 'the schemas of the reports without a chart refuse the format first',
  'insight.searchTooLong': 'needs a search of more than 300 ms',
  'billing.prepaidWithoutPayer': 'the seats that every type asks for pay',
  'billing.payerNotBilledWithoutReason': 'the stand-in of the gateway always says why it refuses',
  'billing.gatewayRefused': 'the stand-in of the gateway refuses no account that is connected',
  'insight.tooManyRows': 'needs 100,001 rows; test/api/insight/read-in-batches.test.ts has the limit itself',
}

/** The entries that the walks alone make: `npm run test:endpoints`. */
const inWalks: readonly string[] = [
  'billing.noSuchEntry',
  'billing.noSuchPayRun',
  'billing.notYourInvoices',
  'billing.payersForStaff',
  'communication.notYourNotification',
  'fleet.noSuchMaintenanceItem',
  'fleet.noSuchSquawk',
  'fleet.squawkOfOthers',
  'identity.noSuchMember',
  'identity.timeOffOfOthers',
  'scheduling.noSuchBooking',
  'scheduling.notOnBooking',
  'training.noSuchCourse',
  'training.noSuchEnrollment',
  'training.noSuchRecord',
  'training.unknownVersion',
  'workflows.noSuchSeries',
]

/**
 * Fails the run when an endpoint answered an error of the catalogue that it does not declare. After a whole run of `npm
 * test`, it also fails the run when no test made an entry, and after a whole run of the
 * walks, when they did not make theirs. It sets the exit code, because Vitest only prints the errors of a teardown.
 */
export async function judgeErrors(project: TestProject, file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const raised = new Set(lines)
  const unraised = (await isWhole(project)) ? expectedErrors().filter((id) => !raised.has(id)) : []
  if (unraised.length > 0) {
    console.error(`no test makes these errors of the catalogue: ${unraised.join(', ')}`)
    process.exitCode = 1
  }
  const undeclared = [...new Set(lines.filter((line) => line.startsWith('undeclared ')))].sort()
  for (const line of undeclared) {
    console.error(`an endpoint answers what it does not declare: ${line.slice('undeclared '.length)}`)
    process.exitCode = 1
  }
}

/** Returns the entries that a whole run makes: of the walks theirs, of `npm test` all others. */
function expectedErrors(): readonly string[] {
  if (process.env.TEST_ENDPOINTS) return inWalks
  const inTables = JSON.stringify(tables, (_key, value) => (typeof value === 'function' ? value.id : value))
  return Object.values(errorCatalogue)
    .flatMap((entries) => Object.values(entries))
    .map(({ id }) => id)
    .filter((id) => !inTables.includes(`"${id}"`) && !(id in notInTests) && !inWalks.includes(id))
}

/** Returns whether this run is the whole `npm test`, or all walks, without a failure. Other runs make only some of the entries. */
async function isWhole(project: TestProject): Promise<boolean> {
  if (process.env.TEST_QUEUES || process.env.TEST_PROCESSES) return false
  const { vitest } = project
  const ran = vitest.state.getTestModules()
  const { testFiles } = await project.globTestFiles()
  return ran.length === testFiles.length && !vitest.config.testNamePattern && ran.every((file) => file.ok())
}
