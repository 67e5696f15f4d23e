import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { until } from '../../support/eventually.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

const lines: string[] = []
let api: TestApp
let workers: TestWorkers
beforeAll(async () => {
  api = await startTestApp({
    realTime: true,
    env: { LOG_LEVEL: 'error' },
    logTo: { write: (line: string) => void lines.push(line) },
  })
  workers = await startTestWorkers(api)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await workers.stop()
  await api.close()
})

test('a sweep that fails every second, as while Redis is away, is one line of the log in ten seconds', async () => {
  const sweep = vi.spyOn(workers.core.relay, 'sweep').mockRejectedValue(new Error('the store is away'))
  await until(async () => sweep.mock.calls.length >= 4)
  const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'sweeping the outbox failed')
  expect(said.map(({ err }) => err.message)).toEqual(['the store is away'])
})
