import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { startWorkerProcess } from '../support/processes.ts'

let api: TestApp
beforeAll(async () => {
  api = await startTestApp()
})
afterAll(() => api.close())

const preload = pathToFileURL(join(import.meta.dirname, '../support/shifted-clock.ts')).href

test('a worker whose clock is an hour off does not start, and says so', async () => {
  const env = { NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_MS: '3600000' }
  const started = startWorkerProcess(api.config, env)
  await expect(started).rejects.toThrow(/the clock of this machine is 36\d\d seconds ahead of the database's/)
})

test('a worker whose clock is set an hour ahead while it runs finishes its jobs and ends with code 1', async () => {
  const env = { NODE_OPTIONS: `--import ${preload}`, CLOCK_JUMP_MS: '3600000', LOG_LEVEL: 'info' }
  const worker = await startWorkerProcess(api.config, env)
  process.kill(worker.pid, 'SIGUSR2')
  expect(await worker.ended()).toBe(1)
  expect(worker.log()).toMatch(/the clock of this machine is 36\d\d seconds ahead of the database's/)
  expect(worker.log()).toContain('"msg":"stopped"')
})
