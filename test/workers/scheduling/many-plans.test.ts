import { expect } from 'vitest'
import { buildSchool } from '../../support/builders.ts'
import { eventually } from '../../support/eventually.ts'
import { apiTest } from '../../support/fixtures.ts'
import { bookDual } from '../../support/flights.ts'
import { buildTwin, ground, recoveryWindow } from '../../support/recoveries.ts'
import { startTestWorkers } from '../../support/workers.ts'

const test = apiTest()

const SCHOOLS = 50
/** Two are planned at a time, and ten wait. */
const [MOST_OPEN, AT_ONCE] = [12, 2]

test('of fifty schools that plan at once twelve are taken; two are planned at a time, and all of the twelve are', async ({
  api,
}) => {
  const schools = await Promise.all(Array.from({ length: SCHOOLS }, () => buildSchool(api)))
  for (const school of schools) {
    await buildTwin(api, school)
    await bookDual(api, school)
    await ground(api, school)
  }
  const answers = await Promise.all(
    schools.map(({ dispatcher, plane }) =>
      api.as(dispatcher).post('/recoveries', { cause: { resourceIds: [plane.id] }, ...recoveryWindow }),
    ),
  )
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(MOST_OPEN)
  expect(refused).toHaveLength(SCHOOLS - MOST_OPEN)
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const workers = await startTestWorkers(api)
  const most = { running: 0 }
  await eventually(
    async () => {
      const { rows } = await api.core.database.pool.query<{ running: number; ready: number }>(
        `select (select count(*)::int from operation where kind = 'recovery' and status = 'running') as running,
           (select count(*)::int from recovery where status = 'ready') as ready`,
      )
      most.running = Math.max(most.running, rows[0]!.running)
      return rows[0]!.ready
    },
    (ready) => ready === MOST_OPEN,
  )
  await workers.stop()
  expect(most.running).toBeLessThanOrEqual(AT_ONCE)
})
