import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type Member } from '../support/builders.ts'
import { expectOk } from '../support/flights.ts'
import type { OperationAnswer } from '../support/operations.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { hasTimeFor } from './drill-time.ts'
import { mostMemory } from './most-memory.ts'

const BOOKINGS = Number(process.env.DRILL_BOOKINGS ?? 250_000)
/** As rows the bookings take more than the heap of the worker, so that an export which kept them would end it. */
const MOST_MEBIBYTES = 256
/** The heap of the worker: without a bound it is cleaned up late, not because more is needed. */
const inside = { NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=4' }

describe('an export of all records', () => {
  let postgres: OwnPostgres
  let api: TestApp
  let worker: TestProcess
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    api = await startTestApp({ databaseUrl: postgres.url, realTime: true })
    worker = await startWorkerProcess(api.config, inside)
  })
  afterAll(async () => {
    await worker?.terminate()
    await api.close()
    await postgres.stop()
  })

  test(`of ${BOOKINGS} bookings, and of three schools beside it, takes ${MOST_MEBIBYTES} MiB at most`, async () => {
    const schools = [await buildSchool(api), await buildSchool(api), await buildSchool(api), await buildSchool(api)]
    await seed(postgres, schools[0]!)
    const idle = mostMemory(worker.pid)
    const before = performance.now()
    const started = await Promise.all(
      schools.map(async ({ owner }) => ({
        owner,
        ...(await expectOk<OperationAnswer>(api, owner, 'POST', '/exports', {})),
      })),
    )
    const ended = await Promise.all(started.map(({ owner, id }) => end(api, owner, id)))
    const seconds = (performance.now() - before) / 1_000
    const mebibytes = mostMemory(worker.pid)
    const bytes = ended.map(({ result }) => Number(result?.bytes))
    console.log(
      `${BOOKINGS} bookings and three small schools: ${seconds.toFixed(0)} s, ${(bytes[0]! / 1_048_576).toFixed(0)} MiB of archive, ` +
        `at most ${mebibytes} MiB in the worker, which had ${idle} MiB before`,
    )
    if (ended.some(({ status }) => status === 'running' || status === 'queued')) return
    expect(ended.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done'])
    expect(bytes[0]).toBeGreaterThan(BOOKINGS)
    expect(mebibytes).toBeLessThanOrEqual(MOST_MEBIBYTES)
  })
})

async function end(api: TestApp, owner: Member, id: number): Promise<OperationAnswer> {
  for (;;) {
    const operation = await expectOk<OperationAnswer>(api, owner, 'GET', `/operations/${id}`)
    if (operation.status === 'done' || operation.status === 'failed') return operation
    if (!hasTimeFor(`the export ${id}, which is ${operation.status}`)) return operation
    await pause(200)
  }
}

/** Inserts past bookings of an hour each, one after another, as a restore does: without the triggers of single writes. */
async function seed(
  { url, adminUrl }: OwnPostgres,
  { organizationId, admin }: { organizationId: number; admin: Member },
) {
  const address = new URL(adminUrl)
  address.pathname = new URL(url).pathname
  const client = new pg.Client({ connectionString: String(address) })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by, signed_off_at)
       select $1, 'Lesson ' || n, 'ground', timestamptz '1900-01-01 00:00Z' + make_interval(hours => n),
         timestamptz '1900-01-01 01:00Z' + make_interval(hours => n), 'America/Los_Angeles', $2,
         timestamptz '1900-01-01 02:00Z' + make_interval(hours => n)
       from generate_series(1, $3::int) n`,
      [organizationId, admin.orgUserId, BOOKINGS],
    )
  } finally {
    await client.end()
  }
}
