import type pg from 'pg'
import type { ScaleRequest } from './requests.ts'

/** One statement that read rows of tables. */
export interface StatementRead {
  text: string
  /** Rows that its scans looked at: kept plus removed by a filter, times the loops. */
  rowsRead: number
  /** Rows that it returned; for a bounded count, the count. */
  rowsAnswered: number
  /** Each scan with the rows that it looked at. */
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

/** Statements to explain: reads only, since EXPLAIN ANALYZE runs a statement. */
const explained = /^\s*(with|select)\b/i
const ofCursor = /^declare batches no scroll cursor for /
/** Statements to leave out: settings, queues and the outbox. */
const besides = /pg_backend_pid|set_config|\bbullmq\b|from outbox/

/**
 * Runs some work and returns its result with what each of its statements read. Each statement of the pool is explained
 * before it runs, on the same connection with the same values.
 */
export async function readsOf<T>(
  pool: pg.Pool,
  work: () => Promise<T>,
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
      const done = explain(plain, given as Asked, reads).then(() => plain(given))
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

async function explain(
  query: (...args: unknown[]) => Promise<pg.QueryResult>,
  { text: asked, values = [] }: Asked,
  reads: StatementRead[],
): Promise<void> {
  const text = asked.replace(ofCursor, '')
  if (!explained.test(text) || besides.test(text)) return
  const { rows } = await query({ text: `explain (analyze, timing off, buffers, format json) ${text}`, values })
  const { Plan: plan, ...times } = rows[0]['QUERY PLAN'][0] as Explained
  const ms = times['Planning Time'] + times['Execution Time']
  reads.push({ text, rowsRead: rowsReadBy(plan), rowsAnswered: answeredBy(text, plan), scans: scansOf(plan), ms })
}

function rowsReadBy(plan: Plan): number {
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child), rowsScannedBy(plan))
}

/** Returns the rows that a scan looked at; 0 for any other node. */
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

/** Returns the rows that a statement answers; for a count, which is one row, the rows of its only child. */
function answeredBy(text: string, plan: Plan): number {
  return counts.test(text) ? (plan.Plans?.[0]?.['Actual Rows'] ?? 0) : plan['Actual Rows']
}

/** A request may read 20 rows for each row that it answers or counts, and 1,000 besides. */
const TIMES = 20
const BESIDES = 1_000

/** What a request read, what it answered, and the most that it may read. */
export interface RequestRead {
  rowsRead: number
  rowsAnswered: number
  allowed: number
  /** Milliseconds that PostgreSQL took for the statements, in total. */
  ms: number
}

/**
 * Returns the sums over the statements of one request. A request that sums over a window may read each row of the
 * window once.
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
