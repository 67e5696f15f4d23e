import { type BenchSetup, startBenchSetup } from './bench-setup.ts'
import { type Comparison, compare, type Outcome, table } from './measure.ts'
import { measureAtScale } from './scale/measure-at-scale.ts'
import { measureManySchools } from './scale/measure-many-schools.ts'
import { bulkScenarios } from './scenarios/bulk.ts'
import { createScenario } from './scenarios/create.ts'
import { invoicingInRedisScenarios, invoicingScenarios } from './scenarios/invoicing.ts'
import { jobScenarios } from './scenarios/jobs.ts'
import { memoryScenarios, startScenarios } from './scenarios/memory.ts'
import { passwordScenarios } from './scenarios/passwords.ts'
import { peerScenarios } from './scenarios/peers.ts'
import { planningScenarios } from './scenarios/planning.ts'
import { readinessScenarios } from './scenarios/readiness.ts'
import { readScenarios } from './scenarios/reads.ts'
import { recoveryScenarios } from './scenarios/recovery.ts'
import { historyScenarios, schedulingScenarios } from './scenarios/scheduling.ts'
import { searchScenarios } from './scenarios/search.ts'

const groups: Record<string, (setup: BenchSetup) => Promise<Comparison[]>> = {
  reads: readScenarios,
  create: createScenario,
  peers: peerScenarios,
  jobs: jobScenarios,
  invoicing: invoicingScenarios,
  'invoicing-redis': invoicingInRedisScenarios,
  scheduling: schedulingScenarios,
  history: historyScenarios,
  bulk: bulkScenarios,
  recovery: recoveryScenarios,
  planning: planningScenarios,
  readiness: readinessScenarios,
  passwords: passwordScenarios,
  memory: memoryScenarios,
  starts: startScenarios,
  search: searchScenarios,
}

/** Groups that seed millions of rows and have no floors; each returns whether its aims were met. */
const large: Record<string, (tell: (line: string) => void) => Promise<boolean>> = {
  scale: measureAtScale,
  schools: measureManySchools,
}

/**
 * `npm run bench [-- group …]`: runs every scenario against its floor, or only the named groups. The large groups run
 * only when they are named. Ends with code 1 when an aim is missed by more than a tenth.
 */
const named = process.argv.slice(2)
const asked = named.filter((name) => !large[name])
const unknown = asked.filter((name) => !groups[name])
if (unknown.length > 0)
  throw new Error(
    `no such group: ${unknown.join(', ')}; there are ${[...Object.keys(groups), ...Object.keys(large)].join(', ')}`,
  )

const outcomes: Outcome[] = []
for (const [name, scenarios] of Object.entries(groups)) {
  if (named.length > 0 && !asked.includes(name)) continue
  // Each group has its own database and processes, so that one group does not slow down the next.
  const setup = await startBenchSetup()
  try {
    for (const comparison of await scenarios(setup)) {
      const outcome = await compare(comparison)
      outcomes.push(outcome)
      process.stdout.write(`${table([outcome]).split('\n').at(-1)}\n`)
    }
  } finally {
    await setup.close()
  }
}
if (outcomes.length > 0) process.stdout.write(`\n${table(outcomes)}\n`)
const missed = outcomes.filter(({ isMet }) => isMet === false).map(({ name }) => name)
if (missed.length > 0) {
  process.stdout.write(`\nmissed by more than a tenth: ${missed.join('; ')}\n`)
  process.exitCode = 1
}
for (const [name, measure] of Object.entries(large)) {
  if (!named.includes(name)) continue
  if (!(await measure((line) => process.stdout.write(`${line}\n`)))) process.exitCode = 1
}
