import pg from 'pg'
import { isPrepared } from '../../src/shared/platform/db/auto-prepare.ts'
import type { ScaleRequest } from './requests.ts'

/** One statement that read rows of tables. */
export interface StatementRead {
  text: string
  /** Rows that its scans examined: rows kept plus rows removed by a filter or a recheck, times the loops. */
  rowsRead: number
  /** Rows that it returned; for a bounded count, the count. */
  rowsAnswered: number
  /** One text per scan, with the number of rows that the scan examined. */
  scans: string[]
  /** Milliseconds of planning and execution, without sending the rows. */
  ms: number
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

interface Explained {
  Plan: Plan
  'Planning Time': number
  'Execution Time': number
}

/** Matches the statements to explain: only reads, because EXPLAIN ANALYZE executes the statement. */
const explained = /^\s*(with|select)\b/i
const ofCursor = /^declare batches no scroll cursor for /
/** Matches the statements to leave out: settings, queues and the outbox. */
const besides = /pg_backend_pid|set_config|\bbullmq\b|from outbox/

/**
 * The plan to explain: one that is made for the values of the statement, or, with `generic`, one that is made for any
 * values, as a connection has it for a statement that it runs often.
 */
export type PlanKind = 'custom' | 'generic'

/**
 * Runs `work`. Returns its result and the rows that each of its statements read. Each statement is explained before it
 * runs, on the same connection with the same values.
 */
export async function readsOf<T>(
  pool: pg.Pool,
  work: () => Promise<T>,
  kind: PlanKind = 'custom',
): Promise<{ result: T; reads: StatementRead[] }> {
  const reads: StatementRead[] = []
  const ends: (() => void)[] = []
  const watched = new Set<pg.PoolClient>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    watched.add(client)
    const { query } = client
    const plain = query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>
    client.query = function explaining(...args: unknown[]) {
      const [first, second, third] = args
      const callback = [second, third].find((argument) => typeof argument === 'function') as Callback | undefined
      const given = typeof first === 'string' ? { text: first, values: Array.isArray(second) ? second : [] } : first
      const done = explain(plain, given as Asked, reads, kind).then(() => plain(given))
      if (!callback) return done
      done.then(
        (result) => callback(null, result),
        (error: Error) => callback(error),
      )
      return undefined
    } as unknown as typeof query
    ends.push(() => {
      client.query = query
    })
  }
  pool.on('acquire', watch)
  try {
    return { result: await work(), reads }
  } finally {
    pool.off('acquire', watch)
    for (const end of ends) end()
  }
}

type Callback = (error: Error | null, result?: pg.QueryResult) => void
interface Asked {
  text: string
  values?: unknown[]
}

type Query = (...args: unknown[]) => Promise<pg.QueryResult>

async function explain(
  query: Query,
  { text: asked, values = [] }: Asked,
  reads: StatementRead[],
  kind: PlanKind,
): Promise<void> {
  const text = asked.replace(ofCursor, '')
  if (!explained.test(text) || besides.test(text)) return
  const generic = kind === 'generic' && values.length > 0 && isPrepared(text, values)
  const { rows } = await (generic ? explainGeneric(query, text, values) : query({ text: `${EXPLAIN} ${text}`, values }))
  const { Plan: plan, ...times } = rows[0]['QUERY PLAN'][0] as Explained
  const ms = times['Planning Time'] + times['Execution Time']
  reads.push({ text, rowsRead: rowsReadBy(plan), rowsAnswered: answeredBy(text, plan), scans: scansOf(plan), ms })
}

const EXPLAIN = 'explain (analyze, timing off, buffers, format json)'

/** Explains a statement with the plan for any values. PostgreSQL makes it only for a prepared statement. */
async function explainGeneric(query: Query, text: string, values: unknown[]): Promise<pg.QueryResult> {
  await query(`set plan_cache_mode = force_generic_plan; prepare explained as ${text}`)
  const result = await query(`${EXPLAIN} execute explained (${values.map(literalOf).join(', ')})`)
  await query('deallocate explained; reset plan_cache_mode')
  return result
}

/** Returns a value as an SQL literal, in the text that the driver sends for it. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`)
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function rowsReadBy(plan: Plan): number {
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child), rowsScannedBy(plan))
}

/** Returns the number of rows that a scan examined; 0 for a node that is not a scan. */
function rowsScannedBy(plan: Plan): number {
  if (plan['Relation Name'] === undefined && plan['Node Type'] !== 'Bitmap Index Scan') return 0
  const rechecked = plan['Rows Removed by Index Recheck'] ?? 0
  // Rows of a bitmap are counted at its index scan: the scan of the table reads the same rows again.
  if (plan['Node Type'] === 'Bitmap Heap Scan') return Math.round(rechecked * plan['Actual Loops'])
  return Math.round((plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + rechecked) * plan['Actual Loops'])
}

function scansOf(plan: Plan): string[] {
  const rows = rowsScannedBy(plan)
  const of = plan['Index Name'] ?? plan['Relation Name']
  const own = rows > 0 ? [`${plan['Node Type']} of ${of}: ${rows}`] : []
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)]
}

/** Matches the bounded count of a list. */
const counts = /^\s*select count\(\*\)(::int)? as "?\w+"? from \(/i

/** Returns the number of rows that a statement answers; for a count, the number of rows that its only child node returns. */
function answeredBy(text: string, plan: Plan): number {
  return counts.test(text) ? (plan.Plans?.[0]?.['Actual Rows'] ?? 0) : plan['Actual Rows']
}

/** A request may read 20 rows for each row that it answers or counts, plus 1,000 rows. */
const TIMES = 20
const BESIDES = 1_000

/** The numbers of rows that a request read, that it answered, and that it may read. */
export interface RequestRead {
  rowsRead: number
  rowsAnswered: number
  allowed: number
  /** Milliseconds that PostgreSQL took for the statements, in total. */
  ms: number
}

/**
 * Returns the sums over the statements of one request. A request that sums the invoices of a window may read each of
 * them once, plus 1,000 rows.
 */
export async function readByRequest(
  pool: pg.Pool,
  { organizationId }: { organizationId: number },
  { request: { sums }, reads }: { request: ScaleRequest; reads: readonly StatementRead[] },
): Promise<RequestRead> {
  const sum = (key: 'rowsRead' | 'rowsAnswered' | 'ms') => reads.reduce((all, read) => all + read[key], 0)
  const [rowsRead, rowsAnswered, ms] = [sum('rowsRead'), sum('rowsAnswered'), sum('ms')]
  if (!sums) return { rowsRead, rowsAnswered, ms, allowed: TIMES * rowsAnswered + BESIDES }
  const { rows } = await pool.query<{ summed: number }>(
    'select count(*)::int as summed from invoice where organization_id = $1 and created_at >= $2 and created_at < $3',
    [organizationId, sums.start, sums.end],
  )
  return { rowsRead, rowsAnswered, ms, allowed: (rows[0]?.summed ?? 0) + BESIDES }
}
