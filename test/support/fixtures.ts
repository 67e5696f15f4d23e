import { test } from 'vitest'
import { NOW, startTestApp, type TestAppOptions, waitingForWorkers } from './app.ts'
import { startBilling } from './billing.ts'
import { buildSchool, type SchoolOptions } from './builders.ts'
import { startNotifying } from './domain-events.ts'
import { asEnvironment } from './processes.ts'
import { startTestWorkers } from './workers.ts'

interface Options extends TestAppOptions {
  /** The differences of the school from `buildSchool(api)`. */
  school?: SchoolOptions
}

/** Returns a `test` with the fixture `api`: one API per file, on its own database, closed after the last test. */
export function apiTest(options: TestAppOptions = {}) {
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
  return test.extend('api', { scope: 'file' }, async ({}, { onCleanup }) => {
    const api = await startTestApp(options)
    onCleanup(() => api.close())
    return api
  })
}

/** Returns a `test` with the fixtures `api` and `school`: a new school before each test, which starts at `NOW`. */
export function schoolTest({ school, ...options }: Options = {}) {
  return apiTest(options).extend('school', { auto: true }, ({ api }) => {
    api.clock.now = NOW
    return buildSchool(api, school)
  })
}

/** Returns a `test` with the fixtures `api` and `school`: one school for the whole file. */
export function sharedSchoolTest({ school, ...options }: Options = {}) {
  return apiTest(options).extend('school', { scope: 'file', auto: true }, ({ api }) => buildSchool(api, school))
}

/** Returns a `test` with the fixtures `api` and `workers`: one API with workers per file. */
export function workersTest(options: TestAppOptions = {}) {
  return apiTest({ ...options, env: { ...waitingForWorkers, ...options.env } }).extend(
    'workers',
    { scope: 'file', auto: true },
    async ({ api }, { onCleanup }) => {
      const workers = await startTestWorkers(api)
      onCleanup(() => workers.stop())
      return workers
    },
  )
}

/** Returns a `test` with the fixtures `api`, `workers` and `school`: a new school before each test, which starts at `NOW`. */
export function schoolWorkersTest({ school, ...options }: Options = {}) {
  return workersTest(options).extend('school', { auto: true }, ({ api }) => {
    api.clock.now = NOW
    return buildSchool(api, school)
  })
}

/**
 * Returns a `test` with the fixtures `env` (an API, workers and the recorded pushes) and `school`, as in
 * `schoolTest`.
 */
export function notifyingTest({ school }: Pick<Options, 'school'> = {}) {
  return (
    test
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
      .extend('env', { scope: 'file' }, async ({}, { onCleanup }) => {
        const env = await startNotifying('postgres')
        onCleanup(() => env.close())
        return env
      })
      .extend('school', { auto: true }, ({ env: { api } }) => {
        api.clock.now = NOW
        return buildSchool(api, school)
      })
  )
}

/** How long `impatient` waits for the payment processor, in milliseconds. */
const IMPATIENT_MS = 100

/**
 * Returns a `test` with the fixture `env`: an API, workers and a payment simulator per file, closed after the last
 * test; and with `impatient`, another API on the same database, which soon answers without the processor.
 */
export function billingTest(options: Parameters<typeof startBilling>[1] = {}) {
  return (
    test
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
      .extend('env', { scope: 'file' }, async ({}, { onCleanup }) => {
        const env = await startBilling('postgres', options)
        onCleanup(() => env.close())
        return env
      })
      .extend('impatient', { scope: 'file' }, async ({ env: { api } }, { onCleanup }) => {
        const env = { ...asEnvironment(api.config), PROCESSOR_WAIT_MS: String(IMPATIENT_MS) }
        const impatient = await startTestApp({ realTime: true, databaseUrl: api.config.DATABASE_URL ?? '', env })
        onCleanup(() => impatient.close())
        return impatient
      })
  )
}
