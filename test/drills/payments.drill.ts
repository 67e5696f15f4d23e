import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { startRedis, type TestRedis } from '../support/backends.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { flownBy, setRates } from '../support/flights.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'
import { stopFor } from './faults.ts'
import { printTable, report } from './report.ts'
import { settings } from './settings.ts'

const PATIENCE_MS = 180_000
const SECONDS = Math.max(...settings.stops)

let postgres: OwnPostgres
let redis: TestRedis
let simulator: ChildProcess
let simulatorUrl: string
let api: TestApp
let worker: TestProcess
let school: School
beforeAll(async () => {
  postgres = await startOwnPostgres()
  redis = await startRedis({ durable: true })
  simulator = fork(join(import.meta.dirname, 'simulator-process.ts'), { stdio: 'ignore' })
  simulatorUrl = String((await once(simulator, 'message'))[0])
  api = await startTestApp({
    databaseUrl: postgres.url,
    realTime: true,
    env: {
      REDIS_URL: redis.url,
      STRIPE_API_BASE: simulatorUrl,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PROCESSOR_WAIT_MS: '0',
    },
  })
  worker = await startWorkerProcess(api.config, {}, ['invoicing'])
  school = await buildSchool(api)
  await setRates(api, school)
})
afterAll(async () => {
  await worker.kill()
  simulator.kill('SIGKILL')
  await api.close()
  await redis.stop()
  await postgres.stop()
  printTable()
})

test(`F4: the payment processor is stopped for ${SECONDS} s`, async () => {
  const flights = []
  for (let day = 0; day < settings.invoices; day++) flights.push(await flownBy(api, school, day))
  const answers: Promise<number>[] = []
  const stopping = pause(500).then(() => stopFor(SECONDS, [simulator.pid as number]))
  for (const { id } of flights) {
    const asked = api.call('POST', `/reservations/${id}/invoices`, { token: school.admin.token })
    answers.push(asked.then(({ statusCode }) => statusCode))
    await pause(100)
  }
  expect((await Promise.all(answers)).every((status) => status < 300)).toBe(true)
  await stopping
  const stopped = performance.now()
  const { lost, recovered } = await untilAllOpen()
  const state = (await (await fetch(`${simulatorUrl}/_simulator/state`)).json()) as { invoices: Stripe.Invoice[] }
  const keys = state.invoices.filter(({ status }) => status !== 'void').map(({ metadata }) => metadata?.invoiceId)
  const result = report({
    fault: `F4: SIGSTOP of the payment processor, ${SECONDS} s`,
    load: `${flights.length} invoices`,
    lost,
    doubled: keys.length - new Set(keys).size,
    inWindow: 0,
    recoverySeconds: (recovered - stopped) / 1_000,
  })
  expect(result).toMatchObject({ lost: 0, doubled: 0 })
})

async function untilAllOpen(): Promise<{ lost: number; recovered: number }> {
  for (const started = performance.now(); ; await pause(100)) {
    const { rows } = await api.core.database.pool.query<{ open: boolean }>(
      `select status = 'open' as open from invoice`,
    )
    const lost = rows.filter(({ open }) => !open).length + settings.invoices - rows.length
    if (lost === 0 || performance.now() - started > PATIENCE_MS) return { lost, recovered: performance.now() }
  }
}
