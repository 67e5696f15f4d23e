import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { startRedis, type TestRedis } from '../support/backends.ts'
import { buildMember, buildSchool, type Member, type School } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { dualBody } from '../support/flights.ts'
import { asRole, prepareTemplate, TEMPLATE } from '../support/global-setup.ts'
import { debianPrograms, makeNode, type PostgresNode } from '../support/postgres-nodes.ts'
import { type ApiProcess, startApiProcess } from '../support/processes.ts'
import { printTable, report } from './report.ts'

/** How far the replicas are behind all the time, and how far they may be at most. */
const BEHIND_MS = 300
const MOST_BEHIND_MS = 1_000
const HOUR = 3_600_000
const FIRST = Date.UTC(2027, 0, 1)
const FAULT_MS = 4_000

let primary: PostgresNode
let replicas: [PostgresNode, PostgresNode]
let redis: TestRedis
let parent: TestApp
let school: School
/** Reads without writing anything. */
let reader: Member
/** Writes go to the first, reads to the second. */
let apis: [ApiProcess, ApiProcess]
let slot = 0

beforeAll(async () => {
  const programs = debianPrograms()
  const nodes = [await makeNode(programs), await makeNode(programs), await makeNode(programs)] as const
  primary = nodes[0]
  replicas = [nodes[1], nodes[2]]
  await primary.create()
  await prepareTemplate(primary.url())
  for (const replica of replicas) {
    await replica.copyOf(primary)
    await replica.query(`alter system set recovery_min_apply_delay = '${BEHIND_MS}ms'`)
    await replica.query('select pg_reload_conf()')
  }
  redis = await startRedis()
  const databaseUrl = asRole(primary.url(TEMPLATE), 'service')
  const readUrls = replicas.map((replica) => asRole(replica.url(TEMPLATE), 'service')).join(',')
  const env = { REDIS_URL: redis.url, DATABASE_READ_URL: readUrls, READ_LAG_MS: String(MOST_BEHIND_MS) }
  parent = await startTestApp({ databaseUrl, realTime: true })
  school = await buildSchool(parent)
  reader = await buildMember(parent, school.organizationId, ['dispatcher'])
  const start = () => startApiProcess(parent.config, { ...env, LOG_LEVEL: 'warn' })
  apis = [await start(), await start()]
  await eventually(
    () => readsBy(apis[1]),
    ({ replica }) => replica > 0,
  )
})
afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.kill()))
  await parent?.close()
  await redis?.stop()
  await Promise.all([primary, ...(replicas ?? [])].map((node) => node?.remove()))
  printTable()
})

describe('lists from replicas that are behind', () => {
  test.for<[string, () => Promise<() => Promise<unknown>>]>([
    ['none', async () => async () => undefined],
    [
      'one replica paused',
      async () => {
        await replicas[0].query('select pg_wal_replay_pause()')
        return () => replicas[0].query('select pg_wal_replay_resume()')
      },
    ],
    [
      'both replicas paused',
      async () => {
        for (const replica of replicas) await replica.query('select pg_wal_replay_pause()')
        return async () => {
          for (const replica of replicas) await replica.query('select pg_wal_replay_resume()')
        }
      },
    ],
    [
      'one replica killed',
      async () => {
        await replicas[0].kill()
        return () => replicas[0].restart()
      },
    ],
    [
      'one replica frozen',
      async () => {
        replicas[1].freeze()
        return async () => replicas[1].thaw()
      },
    ],
  ])('have one’s own writes and are never older than they promise (fault: %s)', async ([fault, begin]) => {
    const load = startLoad()
    await pause(1_000)
    const end = await begin()
    await pause(FAULT_MS)
    await end()
    const ended = performance.now()
    const before = await readsBy(apis[1])
    await eventually(
      () => readsBy(apis[1]),
      ({ replica }) => replica > before.replica,
    )
    const recoverySeconds = (performance.now() - ended) / 1_000
    await pause(1_000)
    const { writes, reads, refused, missing, old } = await load.stop()
    report({
      fault: `replicas ${BEHIND_MS} ms behind; ${fault}`,
      load: `${writes} writes, ${reads} reads, ${old} too old`,
      lost: missing,
      doubled: 0,
      inWindow: 0,
      recoverySeconds,
    })
    expect({ missing, old, refused }).toEqual({ missing: 0, old: 0, refused: 0 })
    expect(reads).toBeGreaterThan(50)
  })

  test('come from replicas mostly, and from the primary after a write and when the header is not ours', async () => {
    const list = { path: weekOf(0), who: reader }
    const before = await readsBy(apis[1])
    for (let n = 0; n < 40; n++) await send(apis[1], 'GET', list.path, list)
    const after = await readsBy(apis[1])
    expect(after.replica - before.replica).toBe(40)
    await send(apis[1], 'GET', list.path, { ...list, after: 'AAAAAAAAAAAAAAAAAAAAAEZGRkZGRkZGL0ZGRkZGRkZG' })
    expect((await readsBy(apis[1])).replica - after.replica).toBe(1)
    await book(apis[0])
    await send(apis[1], 'GET', list.path, { who: school.admin })
    expect((await readsBy(apis[1])).pinned).toBeGreaterThan(after.pinned)
  })
})

/** Books one slot after the other and reads it back, in two ways, while somebody else reads. */
function startLoad() {
  const seen = { writes: 0, reads: 0, refused: 0, missing: 0, old: 0 }
  const acknowledged: { start: string; at: number }[] = []
  let loading = true
  const writing = (async () => {
    for (let n = 0; loading; n++) {
      const { start, at, after } = await book(apis[0])
      acknowledged.push({ start, at })
      seen.writes += 1
      // The account that wrote sends the header, or reads as soon as it can.
      const listed = await send(apis[1], 'GET', weekOf(Date.parse(start)), {
        who: school.admin,
        ...(n % 2 === 0 && { after }),
      })
      seen.reads += 1
      if (listed.status !== 200) seen.refused += 1
      else if (!listed.body.includes(start)) seen.missing += 1
    }
  })()
  const reading = (async () => {
    while (loading) {
      const asked = performance.now()
      const promised = acknowledged.findLast(({ at }) => at < asked - MOST_BEHIND_MS)
      if (!promised) {
        await pause(20)
        continue
      }
      const { status, body } = await send(apis[1], 'GET', weekOf(Date.parse(promised.start)), { who: reader })
      seen.reads += 1
      if (status !== 200) seen.refused += 1
      else if (!body.includes(promised.start)) seen.old += 1
    }
  })()
  return {
    async stop() {
      loading = false
      await Promise.all([writing, reading])
      return seen
    },
  }
}

const weekOf = (at: number) => {
  const start = FIRST + Math.floor((at - FIRST) / (24 * HOUR)) * 24 * HOUR
  const [from, to] = [start, start + 24 * HOUR].map((instant) => new Date(instant).toISOString())
  return `/reservations?startDate=${from}&endDate=${to}&limit=100`
}

async function book(api: ApiProcess): Promise<{ start: string; at: number; after: string }> {
  const at = FIRST + slot++ * HOUR
  const [start, end] = [at, at + HOUR].map((instant) => new Date(instant).toISOString()) as [string, string]
  const { status, body, after } = await send(api, 'POST', '/reservations', {
    who: school.admin,
    body: dualBody(school, { start, end }),
  })
  if (status !== 201 || after === null) throw new Error(`${status} ${body}`)
  return { start, at: performance.now(), after }
}

async function send(
  api: ApiProcess,
  method: string,
  path: string,
  { who, body, after }: { who: Member; body?: object; after?: string },
) {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${who.token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(after !== undefined && { 'x-read-after': after }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.text(), after: response.headers.get('x-read-after') }
}

/** Returns where the reads of a process went since its start. */
async function readsBy(api: ApiProcess): Promise<{ replica: number; primary: number; pinned: number }> {
  if (slot === 0) await send(api, 'GET', weekOf(FIRST), { who: reader })
  const authorization = `Basic ${Buffer.from('ops:ops-password').toString('base64')}`
  const metrics = await (await fetch(`${api.url}/metrics`, { headers: { authorization } })).text()
  const of = (place: string) => Number(new RegExp(`flightline_reads\\{place="${place}"\\} (\\d+)`).exec(metrics)?.[1])
  return { replica: of('replica'), primary: of('primary'), pinned: of('pinned') }
}
