import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { bookDual } from '../support/flights.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { printTable, report } from './report.ts'

const HOUR = 3_600_000
const BOOKINGS = 20
/** Reminders run every five minutes: two runs of a worker with the right clock. */
const WATCH_MS = 11 * 60_000

let postgres: OwnPostgres
let api: TestApp
let school: School
const workers: TestProcess[] = []
beforeAll(async () => {
  postgres = await startOwnPostgres()
  api = await startTestApp({ databaseUrl: postgres.url, realTime: true })
  school = await buildSchool(api)
})
afterAll(async () => {
  for (const worker of workers) await worker.kill()
  await api.close()
  await postgres.stop()
  printTable()
})

function startShifted(shiftMs: number): Promise<TestProcess> {
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href
  const env = { NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_MS: String(shiftMs) }
  return startWorkerProcess(api.config, env, ['reminders', 'notifications'])
}

test('F7: workers whose clocks are an hour early and an hour late beside one that is right', async () => {
  // One after another from 12 hours ahead: within the reminder window of 24 hours for each of the three clocks.
  const first = Math.ceil(Date.now() / HOUR) * HOUR + 4 * HOUR
  for (let slot = 0; slot < BOOKINGS; slot++) {
    const start = new Date(first + slot * (HOUR / 2))
    const end = new Date(start.getTime() + HOUR / 2)
    await bookDual(api, school, { start: start.toISOString(), end: end.toISOString() })
  }
  const started = performance.now()
  workers.push(await startShifted(HOUR), await startShifted(-HOUR), await startShifted(0))
  let recovered = started
  while (performance.now() - started < WATCH_MS) {
    if ((await reminders()).length < BOOKINGS) recovered = performance.now()
    await pause(1_000)
  }
  const all = await reminders()
  const result = report({
    fault: 'F7: clocks an hour early and an hour late',
    load: `${BOOKINGS} bookings to be reminded of`,
    lost: BOOKINGS - new Set(all).size,
    doubled: all.length - new Set(all).size,
    inWindow: 0,
    recoverySeconds: (recovered - started) / 1_000,
  })
  expect(result).toMatchObject({ lost: 0, doubled: 0 })
})

/** The bookings that the student was reminded of. */
async function reminders(): Promise<unknown[]> {
  const rows = await api.core.database.db
    .selectFrom('notification')
    .select('data')
    .where('membership_id', '=', school.student.orgUserId)
    .where('kind', '=', 'reservation_upcoming')
    .execute()
  return rows.map(({ data }) => (data as { reservationId: number }).reservationId)
}
