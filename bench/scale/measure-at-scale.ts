import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { loadavg } from 'node:os'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { buildApp } from '../../src/api/app.ts'
import { createRateLimits } from '../../src/api/http/rate-limit.ts'
import { openCore } from '../../src/shared/composition/core.ts'
import { openLog } from '../../src/shared/composition/process.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { type BenchSetup, benchSetupOn } from '../bench-setup.ts'
import { openKeptDatabase } from './kept-database.ts'
import { type ScaleRequest, scaleRequests } from './requests.ts'
import { type RequestRead, readByRequest, readsOf } from './rows-read.ts'
import { findSeededSchool, type SchoolSize, type SeededSchool } from './seed-school.ts'
import type { Built } from './without-indexes.ts'

/**
 * A school to measure. `aim` returns the most milliseconds that a request may take in it, null when there is no aim;
 * `ofBig` is the request's aim in the school of a million bookings.
 */
interface Asked {
  size: SchoolSize
  aim: (ofBig: number | null, request: string) => number | null
  /** Whether the aim is for the 95th percentile; otherwise for the median. */
  p95: boolean
}

const LEAST_RUNS = 7
const MOST_RUNS = 200
/**
 * A request is repeated until its runs took this long in total, but at least `LEAST_RUNS` and at most `MOST_RUNS`
 * times. A few runs are not enough: the 95th percentile of 20 runs is the slowest of them.
 */
const ENOUGH_MS = 3_000
const SMALL_MS = 50
/** The name of the school in which the rows that a request reads are limited, as in `test/endpoints/rows-read.test.ts`. */
const BOUNDED = 'Middle'

/**
 * Returns the schools for a scale. At scale 1 they have 1,000,000, 100,000 and 10,000 bookings. The times of the
 * smallest must not depend on the size of the others.
 */
function schoolsAt(scale: number): Asked[] {
  const part = (whole: number, least: number) => Math.max(least, Math.round(whole * scale))
  const size = (name: string, bookings: number, members: number, aircraft: number): SchoolSize => ({
    name,
    bookings: part(bookings, 100),
    members: part(members, 300),
    aircraft: part(aircraft, 10),
  })
  return [
    { size: size('Big', 1_000_000, 100_000, 500), aim: (ofBig) => ofBig, p95: false },
    {
      size: size('Middle', 100_000, 10_000, 50),
      aim: (_, request) => (request.startsWith('search') ? SMALL_MS : null),
      p95: true,
    },
    {
      size: { name: 'Small', bookings: part(10_000, 100), members: 300, aircraft: 10 },
      aim: () => SMALL_MS,
      p95: true,
    },
  ]
}

/**
 * Prints a row per school and request (lists, filters, reports, searches): its times, the rows that it read, and the
 * aim. `SCALE_SIZE` scales the schools. `SCALE_ONLY` selects the requests whose names contain it. Returns whether all
 * aims were met and no request of the `BOUNDED` school read too many rows.
 */
export async function measureAtScale(tell: (line: string) => void): Promise<boolean> {
  const schools = schoolsAt(Number(process.env.SCALE_SIZE ?? 1))
  const kept = await openKeptDatabase(
    schools.map(({ size }) => size),
    tell,
  )
  const setup = await benchSetupOn(kept, () => kept.stop())
  try {
    tell(`load of the machine at the start: ${loadavg()[0]?.toFixed(1)}\n\n${restoreTable(kept.built)}\n`)
    const api = await setup.serve('api')
    const rows = await openRowCounter(setup)
    tell(
      '| school | request | median, ms | p95, ms | its statements, ms | rows read | rows answered | aim, ms | |\n|---|---|---|---|---|---|---|---|---|',
    )
    let met = true
    for (const { size, aim, p95 } of schools) {
      const school = await withClient(kept.ownerUrl, (client) => findSeededSchool(client, size.name))
      const tokens = await tokensOf(setup, school)
      for (const request of scaleRequests(school)) {
        if (!request.name.includes(process.env.SCALE_ONLY ?? '')) continue
        const token = tokens[request.as]
        const times = await timesOf(`${api}${request.path}`, token)
        const most = aim(request.aimMs, request.name)
        const measured = typeof times === 'string' ? null : p95 ? times.p95 : times.median
        const missed = measured === null || (most !== null && measured > most)
        const { rowsRead, rowsAnswered, allowed, ms } = await rows.of(school, request, token)
        const readsTooMuch = size.name === BOUNDED && rowsRead > allowed
        met &&= !missed && !readsTooMuch
        const verdict = [missed && 'missed', readsTooMuch && 'reads too much'].filter(Boolean).join(', ')
        const figures = typeof times === 'string' ? [times, ''] : [times.median.toFixed(1), times.p95.toFixed(1)]
        const cells = [size.name, request.name, ...figures, ms.toFixed(1), rowsRead, rowsAnswered, most ?? '', verdict]
        tell(`| ${cells.join(' | ')} |`)
      }
    }
    tell(`load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
    await rows.close()
    return met
  } finally {
    await setup.close()
  }
}

async function tokensOf({ place: { core } }: BenchSetup, { organizationId, admin, student }: SeededSchool) {
  const of = ({ accountId, membershipId }: SeededSchool['admin']) =>
    core.tokens.issue({ accountId, membershipId, organizationId }, core.clock())
  const [adminToken, studentToken] = await Promise.all([of(admin), of(student)])
  return { admin: adminToken.token, student: studentToken.token }
}

/**
 * Sends one request repeatedly, one after another, after a warm-up. Returns the median and the 95th percentile of its
 * times in milliseconds; for a status other than 200, the status and the start of the body.
 */
async function timesOf(url: string, token: string): Promise<{ median: number; p95: number } | string> {
  const times: number[] = []
  for (let spent = 0; times.length <= LEAST_RUNS || (times.length <= MOST_RUNS && spent < ENOUGH_MS); ) {
    const began = performance.now()
    const refused = await receive(url, token)
    if (refused) return refused
    times.push(performance.now() - began)
    spent += times.at(-1)!
  }
  const sorted = times.slice(1).sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  return { median: at(0.5), p95: at(0.95) }
}

/**
 * Reads a response to its last byte but does not decompress it: that work would take CPU time from the service. Returns
 * null; for a status other than 200, the status and the start of the body.
 */
async function receive(url: string, token: string): Promise<string | null> {
  const [response] = (await once(
    get(url, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' } }),
    'response',
  )) as [IncomingMessage]
  const { statusCode } = response
  if (statusCode !== 200) return `${statusCode} ${(await text(response)).slice(0, 100)}`
  response.resume()
  await once(response, 'end')
  return null
}

/** Opens an API in this process, so that `readsOf` can explain its statements. */
async function openRowCounter({ env }: BenchSetup) {
  const config = readConfig(env, { HOST: '127.0.0.1' })
  const log = openLog(config)
  const core = await openCore(config, log)
  const app = await buildApp({
    ...core,
    rateLimits: createRateLimits({ redis: undefined, factor: config.RATE_LIMIT_FACTOR }),
    log,
  })
  return {
    /** Sends one request of a school. Returns the rows that it read and answered, and the most that it may read. */
    async of(school: SeededSchool, request: ScaleRequest, token: string): Promise<RequestRead> {
      const { reads } = await readsOf(core.database.pool, () =>
        app.inject({ method: 'GET', url: request.path, headers: { authorization: `Bearer ${token}` } }),
      )
      return readByRequest(core.database.pool, school, { request, reads })
    },
    async close() {
      await app.close()
      await core.close()
    },
  }
}

/**
 * Returns a Markdown table with the build times of the indexes of `reservation` and `seat`, the two tables with
 * exclusion constraints. A restore builds these indexes too.
 */
function restoreTable(built: readonly Built[]): string {
  const rows = ['reservation', 'seat'].flatMap((table) =>
    (['index', 'exclusion constraint'] as const).map((kind) => {
      const of = built.filter((one) => one.table === table && one.kind === kind)
      return `| ${table} | ${kind} | ${of.length} | ${(of.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(1)} |`
    }),
  )
  return ['| table | built after the rows | how many | seconds |', '|---|---|---|---|', ...rows].join('\n')
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
