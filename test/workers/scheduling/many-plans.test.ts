import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Solver } from '../../../src/shared/platform/adapters/solver/solver.port.ts'
import { buildSchool } from '../../support/builders.ts'
import { eventually, until } from '../../support/eventually.ts'
import { apiTest } from '../../support/fixtures.ts'
import { bookDual } from '../../support/flights.ts'
import { recoveryWindow } from '../../support/recoveries.ts'
import { startTestWorkers } from '../../support/workers.ts'

const test = apiTest()

const SCHOOLS = 50
/** Two are planned at a time, and ten wait. */
const [MOST_OPEN, AT_ONCE] = [12, 2]
/** How long two plans go on together, in which a third would begin. */
const TOGETHER_MS = 100

test('of fifty schools that plan at once twelve are taken; two are planned at a time, and all of the twelve are', async ({
  api,
}) => {
  const schools = await Promise.all(Array.from({ length: SCHOOLS }, () => buildSchool(api)))
  await Promise.all(schools.map((school) => bookDual(api, school)))
  const answers = await Promise.all(
    schools.map(({ dispatcher, plane }) =>
      api.as(dispatcher).post('/recoveries', { cause: { resourceIds: [plane.id] }, ...recoveryWindow }),
    ),
  )
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(MOST_OPEN)
  expect(refused).toHaveLength(SCHOOLS - MOST_OPEN)
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const plans = { running: 0, most: 0, done: 0 }
  const solver: Solver = {
    async solve() {
      plans.running += 1
      plans.most = Math.max(plans.most, plans.running)
      await until(() => plans.running >= AT_ONCE || plans.done === MOST_OPEN - 1)
      await pause(TOGETHER_MS)
      plans.running -= 1
      plans.done += 1
      return []
    },
    close: async () => {},
  }
  const workers = await startTestWorkers(api, { solver })
  await eventually(
    async () => {
      const { rows } = await api.core.database.pool.query("select from recovery where status = 'ready'")
      return rows.length
    },
    (ready) => ready === MOST_OPEN,
  )
  await workers.stop()
  expect(plans).toEqual({ running: 0, most: AT_ONCE, done: MOST_OPEN })
})
