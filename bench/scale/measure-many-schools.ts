import pg from 'pg'
import { buildApp } from '../../src/api/app.ts'
import { createRateLimits } from '../../src/api/http/rate-limit.ts'
import { type Core, openCore } from '../../src/shared/composition/core.ts'
import { openLog } from '../../src/shared/composition/process.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { processJob } from '../../src/workers/run-job.ts'
import { schedules } from '../../src/workers/schedules.ts'
import { benchSetupOn } from '../bench-setup.ts'
import { openKeptDatabase } from './kept-database.ts'
import { type ScaleRequest, scaleRequests } from './requests.ts'
import { readsOf, type StatementRead } from './rows-read.ts'
import { findSeededSchool, type SeededSchool } from './seed-school.ts'

/** A school with some 10,000 rows: 1,600 bookings of ten years with their seats, invoices, events and notifications. */
const SCHOOL = { name: 'School', bookings: 1_600, members: 80, aircraft: 8 }
const FEW = 10
const MANY = 1_000
/** Each request is sent this many times; the median counts. */
const RUNS = 15
/**
 * With many schools a request may read this many times the rows that it reads with few, and this many rows besides:
 * PostgreSQL may choose another index of the same school. What grows with the number of schools grows a hundredfold.
 */
const MOST_ROWS = { times: 2, besides: 200 }
/** The statements of all requests together may take this many times as long with many schools as with few. */
const MOST_TIME = 1.5

/** What a request or a scheduled job costs: the rows that its statements read, and their milliseconds. */
interface Cost {
  rows: number
  ms: number
}

/**
 * Compares two databases: one with a few equal schools, one with a thousand and ten million rows. Sends the requests of
 * a day in the same school of each, and runs each scheduled job, whose cost is divided by the number of schools. Prints
 * a row for each, and the size of each table per booking. Returns whether no cost of a school grows with the number of
 * schools.
 */
export async function measureManySchools(tell: (line: string) => void): Promise<boolean> {
  const few = await costsAmong(FEW, tell)
  const many = await costsAmong(MANY, tell)
  tell(`\n${many.sizes}\n`)
  tell(`| request | rows read, ${FEW} schools | ${MANY} schools | ms of its statements, ${FEW} | ${MANY} | |`)
  tell('|---|---|---|---|---|---|')
  let met = true
  const total = { few: 0, many: 0 }
  for (const [name, cost] of few.costs) {
    const other = many.costs.get(name)!
    const grows = other.rows > MOST_ROWS.times * cost.rows + MOST_ROWS.besides
    met &&= !grows
    total.few += cost.ms
    total.many += other.ms
    const rows = [cost, other].map((one) => one.rows.toFixed(one.rows < 10 ? 1 : 0))
    const ms = [cost, other].map((one) => one.ms.toFixed(2))
    tell(`| ${name} | ${rows.join(' | ')} | ${ms.join(' | ')} | ${grows ? 'grows' : ''} |`)
  }
  const ratio = total.many / total.few
  tell(
    `| all | | | ${total.few.toFixed(1)} | ${total.many.toFixed(1)} | ratio ${ratio.toFixed(2)}, at most ${MOST_TIME} |`,
  )
  return met && ratio <= MOST_TIME
}

async function costsAmong(schools: number, tell: (line: string) => void) {
  const kept = await openKeptDatabase([{ ...SCHOOL, copies: schools - 1 }], tell)
  const setup = await benchSetupOn(kept, () => kept.stop())
  const owner = new pg.Client({ connectionString: kept.ownerUrl })
  await owner.connect()
  const config = readConfig(setup.env, { HOST: '127.0.0.1' })
  const log = openLog(config)
  const core = await openCore(config, log)
  const rateLimits = createRateLimits({ redis: undefined, factor: config.RATE_LIMIT_FACTOR })
  const app = await buildApp({ ...core, rateLimits, log })
  try {
    const school = await findSeededSchool(owner, SCHOOL.name)
    const costs = new Map<string, Cost>()
    for (const request of scaleRequests(school)) costs.set(request.name, await costOf(core, () => send(request)))
    for (const { job } of schedules) {
      const run = () =>
        processJob({ ...core, log }, job, {
          data: {},
          traceParent: undefined,
          run: { id: '', attempt: 1, attempts: 1 },
        })
      // The first run does what is due in the seeded rows.
      await run()
      const { rows, ms } = await costOf(core, run, 3)
      costs.set(`job ${job.name}, a school`, { rows: rows / schools, ms: ms / schools })
    }
    return { costs, sizes: await sizesOf(owner, schools * SCHOOL.bookings) }

    async function send({ as, path }: ScaleRequest) {
      const { token } = await tokenOf(core, school, as)
      const response = await app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${token}` } })
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`)
    }
  } finally {
    await app.close()
    await core.close()
    await owner.end()
    await setup.close()
  }
}

function tokenOf({ tokens, clock }: Core, school: SeededSchool, as: ScaleRequest['as']) {
  const { accountId, membershipId } = school[as]
  return tokens.issue({ accountId, membershipId, organizationId: school.organizationId }, clock())
}

/** Returns the rows that the statements of `work` read, and the median of their time. */
async function costOf(core: Core, work: () => Promise<unknown>, runs = RUNS): Promise<Cost> {
  const times: number[] = []
  let reads: StatementRead[] = []
  for (let run = 0; run <= runs; run++) {
    ;({ reads } = await readsOf(core.database.pool, work))
    times.push(reads.reduce((sum, { ms }) => sum + ms, 0))
  }
  const sorted = times.slice(1).sort((a, b) => a - b)
  return {
    rows: reads.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
  }
}

/** Returns a Markdown table of the tables with the most bytes: their rows, and their bytes per booking with indexes. */
async function sizesOf(owner: pg.Client, bookings: number): Promise<string> {
  const { rows } = await owner.query<{ table: string; rows: string; heap: string; indexes: string }>(
    `select relname as table, n_live_tup as rows, pg_table_size(relid) as heap, pg_indexes_size(relid) as indexes
     from pg_stat_user_tables where schemaname = 'public' order by pg_total_relation_size(relid) desc limit 12`,
  )
  const lines = rows.map(({ table, rows: count, heap, indexes }) =>
    [table, count, (Number(heap) / bookings).toFixed(0), (Number(indexes) / bookings).toFixed(0)].join(' | '),
  )
  return [
    '| table | rows | bytes a booking | bytes of indexes a booking |',
    '|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n')
}
