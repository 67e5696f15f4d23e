import type { QueueName } from '../contracts/define-job.ts'
import type { OutboxEntry } from '../db/transaction.ts'
import { addMarked, addToQueues, type MarkedJob, type RelayParts } from './add-to-queues.ts'
import { createPromotion } from './overdue-retries.ts'

/**
 * The sweep looks up the job of a row for the first time when the row is this old. Normally the process that wrote the
 * row has published it, and often the job is done.
 */
const FIRST_LOOK_SECONDS = 2
/** The sweep looks up the job of a row again after this time. */
const LOOK_AGAIN_SECONDS = 60
const BATCH = 200

type Row = OutboxEntry & { seen: boolean }

/**
 * Creates the sweep, which returns the number of rows that it examined. It looks up the jobs of due rows in their queues:
 * it publishes a job that is not there, deletes the row of a completed job, marks the row of a failed job, and starts a
 * job that is delayed beyond its back-off. It also adds the jobs that have marks. When the queue's store becomes
 * reachable, it looks up all rows again, because the store may have lost its data.
 */
export function createSweep(parts: RelayParts): () => Promise<number> {
  let reachedBefore = 0
  const promote = createPromotion(parts.backend)
  return async () => {
    const reached = parts.backend.connectionEpoch()
    if (reached !== reachedBefore) {
      await parts.database.pool.query(
        'update outbox set seen_at = null where failed_at is null and seen_at is not null',
      )
      reachedBefore = reached
    }
    const { due, marked } = await lookAround(parts)
    await addMarked(parts, marked)
    if (!due) return 0
    for (let swept = 0; ; ) {
      const { looked, delayed } = await sweepBatch(parts)
      await promote(delayed)
      swept += looked
      if (looked < BATCH) return swept
    }
  }
}

/** The number of rows that a batch examined, and those whose jobs are delayed. */
interface Swept {
  looked: number
  delayed: { id: string; queue: QueueName }[]
}

/**
 * Looks up a batch. No transaction is open during the look-ups, because the end of a job deletes its row and would wait
 * for it. After an error the rows are due again.
 */
async function sweepBatch(parts: RelayParts): Promise<Swept> {
  const { pool } = parts.database
  const rows = await claimDue(parts)
  if (rows.length === 0) return { looked: 0, delayed: [] }
  try {
    const states = await Promise.all(rows.map((row) => stateOf(parts, row)))
    const inState = (state: string) => rows.filter((_, index) => states[index] === state)
    await addToQueues(parts, inState('unknown'))
    await pool.query('delete from outbox where id = any($1::uuid[])', [idsOf(inState('completed'))])
    await pool.query('update outbox set failed_at = now() where id = any($1::uuid[])', [idsOf(inState('failed'))])
    const delayed = inState('delayed')
      .filter(({ seen }) => seen)
      .map(({ id, job }) => ({ id, queue: parts.jobs[job]!.queue }))
    return { looked: rows.length, delayed }
  } catch (error) {
    // When this fails too, the next look is in a minute.
    await pool
      .query('update outbox set seen_at = null where id = any($1::uuid[])', [idsOf(rows)])
      .catch(() => undefined)
    throw error
  }
}

/** The SQL of due rows. Skips jobs that this release does not have; the workers of a later release publish them. */
const due = `from outbox
  where failed_at is null and job = any($1) and available_at <= $2
    and ((seen_at is null and created_at < now() - make_interval(secs => $3))
      or (seen_at < now() - make_interval(secs => $4)
        and available_at < $2::timestamptz - make_interval(secs => $4)))`

const dueValues = ({ jobs, clock }: RelayParts) => [Object.keys(jobs), clock(), FIRST_LOOK_SECONDS, LOOK_AGAIN_SECONDS]

/** Returns whether any row is due, and which jobs have marks. Most sweeps find neither. */
async function lookAround(parts: RelayParts): Promise<{ due: boolean; marked: MarkedJob[] }> {
  const { rows } = await parts.database.pool.query<{ due: boolean; marked: MarkedJob[] | null }>(
    `select exists (select ${due}) as due,
      (select json_agg(m) from (select distinct job, organization_id as "organizationId" from job_mark where job = any($1)) m) as marked`,
    dueValues(parts),
  )
  return { due: rows[0]?.due === true, marked: rows[0]?.marked ?? [] }
}

/** Notes a look at due rows, and returns them as they were. Concurrent sweeps get different rows. */
async function claimDue(parts: RelayParts): Promise<Row[]> {
  const { rows } = await parts.database.pool.query<Row>(
    `update outbox o set seen_at = now()
      from (select id, seen_at ${due} order by available_at limit $5 for update skip locked) d
      where o.id = d.id
      returning o.id, o.job, o.payload, o.available_at as "availableAt", o.trace_parent as "traceParent",
        d.seen_at is not null as seen`,
    [...dueValues(parts), BATCH],
  )
  return rows
}

async function stateOf({ backend, jobs }: RelayParts, row: Row): Promise<string> {
  return backend.queue(jobs[row.job]!.queue).getJobState(row.id)
}

function idsOf(rows: Row[]): string[] {
  return rows.map((row) => row.id)
}
