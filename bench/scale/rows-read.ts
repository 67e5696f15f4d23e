import type pg from 'pg'

/** A statement that read rows of tables. */
export interface StatementRead {
  text: string
  /** Rows that its scans looked at: kept and removed by a filter, times the loops. */
  rowsRead: number
  /** Rows that it returned; for a bounded count, the count. */
  rowsAnswered: number
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

/** What PostgreSQL explains: reads, and not what changes rows. */
const explained = /^\s*(with|select)\b/i
const ofCursor = /^declare batches no scroll cursor for /
/** Reads of the service's own tables alone: no settings, no queues. */
const besides = /pg_backend_pid|set_config|\bbullmq\b|from outbox/

/**
 * Runs some work and returns its result with what each of its statements read. Each statement of the pool is explained
 * before it runs, on the same connection and with the same values.
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
  const { rows } = await query({ text: `explain (analyze, buffers, format json) ${text}`, values })
  const plan: Plan = rows[0]['QUERY PLAN'][0].Plan
  reads.push({ text, rowsRead: rowsReadBy(plan), rowsAnswered: answeredBy(text, plan) })
}

const times = (plan: Plan) => plan['Actual Loops']

function rowsReadBy(plan: Plan): number {
  const ofChildren = (plan.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child), 0)
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const scans = plan['Relation Name'] !== undefined || plan['Node Type'] === 'Bitmap Index Scan'
  // A bitmap's rows are counted where its index finds them: the scan of its table meets the same ones again.
  const kept = plan['Node Type'] === 'Bitmap Heap Scan' ? 0 : plan['Actual Rows']
  return ofChildren + (scans ? Math.round((kept + removed) * times(plan)) : 0)
}

/** The bounded count of a list. */
const counts = /^\s*select count\(\*\)(::int)? as "?\w+"? from \(/i

/** A count is one row that stands for those that it counted, which come from its only child. */
function answeredBy(text: string, plan: Plan): number {
  return counts.test(text) ? (plan.Plans?.[0]?.['Actual Rows'] ?? 0) : plan['Actual Rows']
}
