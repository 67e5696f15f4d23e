import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type BusySchool, buildBusySchool, changeSomething, flaggedAndFound, seeded } from '../support/at-risk.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'

const BOOKINGS = Number(process.env.DRILL_BOOKINGS ?? 10_000)
const CHANGES = Number(process.env.DRILL_CHANGES ?? 1_000)
const PLANES = 40
const SEED = 18
/** A change comes after this time at most, half of it on average. */
const APART_MS = 500
/** After so many changes everything is judged again and compared. */
const COMPARED_EVERY = 100
const MOST_MS = 5_000
const LOOK_EVERY_MS = 20

describe('the bookings at risk of a school', () => {
  let postgres: OwnPostgres
  let api: TestApp
  let worker: TestProcess
  let school: BusySchool
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    api = await startTestApp({ databaseUrl: postgres.url, realTime: true })
    school = await buildBusySchool(api, { planes: PLANES, bookings: BOOKINGS })
    worker = await startWorkerProcess(api.config)
  })
  afterAll(async () => {
    await worker?.terminate()
    await api.close()
    await postgres.stop()
  })

  const number = async (query: string) => {
    const { rows } = await api.core.database.pool.query<{ number: number | null }>(query)
    return rows[0]?.number ?? null
  }
  const judged = async () => {
    while ((await number('select min(id) as number from job_mark')) !== null) await pause(LOOK_EVERY_MS)
  }

  test(`are those that judging all of them again finds, within ${MOST_MS / 1_000} s of each change`, async () => {
    await judged()
    const random = seeded(SEED)
    const waiting: { mark: number; since: number }[] = []
    const took: number[] = []
    let running = true
    const watch = async () => {
      while (running || waiting.length > 0) {
        const first = (await number('select min(id) as number from job_mark')) ?? Number.POSITIVE_INFINITY
        const now = performance.now()
        while (waiting[0] && waiting[0].mark < first) took.push(now - waiting.shift()!.since)
        await pause(LOOK_EVERY_MS)
      }
    }
    const watching = watch()
    const kinds = new Map<string, number>()
    let [missing, extra, most] = [0, 0, 0]
    for (let change = 1; change <= CHANGES; change += 1) {
      const before = await number('select last_value::int as number from job_mark_id_seq')
      const kind = await changeSomething(api, school, random)
      const since = performance.now()
      const mark = await number('select last_value::int as number from job_mark_id_seq')
      if (mark !== null && mark !== before) waiting.push({ mark, since })
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      await pause(APART_MS * random())
      if (change % COMPARED_EVERY > 0 && change < CHANGES) continue
      await judged()
      const { flagged, found } = await flaggedAndFound(api, school.organizationId)
      missing += found.filter((id) => !flagged.includes(id)).length
      extra += flagged.filter((id) => !found.includes(id)).length
      most = Math.max(most, found.length)
      console.log(`${change} changes: ${found.length} at risk, ${missing} missing, ${extra} too many`)
    }
    running = false
    await watching
    took.sort((one, other) => one - other)
    const at = (share: number) => `${Math.round(took[Math.ceil(took.length * share) - 1]!)} ms`
    console.log(
      `${BOOKINGS} bookings, seed ${SEED}, ${[...kinds].map(([kind, times]) => `${times} ${kind}`).join(', ')}: ` +
        `from commit to flag p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)}`,
    )
    expect({ missing, extra }).toEqual({ missing: 0, extra: 0 })
    expect(most).toBeGreaterThan(BOOKINGS / 100)
    expect(took[Math.ceil(took.length * 0.99) - 1]).toBeLessThanOrEqual(MOST_MS)
  })
})
