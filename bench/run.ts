import { compare, type Outcome, table } from './measure.ts'
import { createScenario } from './scenarios/create.ts'
import { jobScenarios } from './scenarios/jobs.ts'
import { readScenarios } from './scenarios/reads.ts'
import { startStand } from './stand.ts'

/** `npm run bench [-- word …]`: every scenario against its floor, or those whose name has one of the words in it. */
const words = process.argv.slice(2)
const stand = await startStand()
const outcomes: Outcome[] = []
try {
  for (const scenarios of [readScenarios, createScenario, jobScenarios]) {
    for (const comparison of await scenarios(stand)) {
      if (words.length > 0 && !words.some((word) => comparison.name.includes(word))) continue
      const outcome = await compare(comparison)
      outcomes.push(outcome)
      process.stdout.write(`${comparison.name}: ${outcome.ratio.toFixed(2)} of the floor\n`)
    }
  }
} finally {
  await stand.close()
}
process.stdout.write(`\n${table(outcomes)}\n`)
