import { isOutboxJobId, type JobTools } from '../shared/platform/jobs/job-tools.ts'
import { systemClock } from '../shared/platform/kernel/clock.ts'
import { reportErrorOnce } from '../shared/platform/kernel/report-once.ts'

/** The milliseconds for which ended jobs are collected, to be acknowledged in one statement. */
const GATHER_MS = 20
/** The delay in milliseconds before a retry when the database is unavailable. */
const AGAIN_MS = 1_000
/** The most characters of a failure's reason that are stored. */
const LONGEST_REASON = 300

/** Records the end of jobs in the outbox. */
export interface OutboxAcknowledger {
  done(id: string | undefined): void
  /** Counts a failure with its reason. */
  retried(id: string | undefined, reason: string): void
  failed(id: string | undefined, reason: string): void
  /** Waits for the current write, then tries once to write the remaining results. */
  stop(): Promise<void>
}

/**
 * Starts the acknowledger: it deletes finished jobs from the outbox and marks jobs that were given up, in small
 * batches. When the process ends before a result is written, the sweep finds the job finished in the queue and updates
 * its row.
 */
export function startOutboxAcknowledger({ database, log }: Pick<JobTools, 'database' | 'log'>): OutboxAcknowledger {
  const onError = reportErrorOnce((error) => log.error({ err: error }, 'settling the outbox failed'), systemClock)
  const done = new Set<string>()
  const failed = new Set<string>()
  const reasons = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    try {
      await flush(done, 'delete from outbox where id = any($1::uuid[])')
      await flushReasons()
      await flush(failed, 'update outbox set failed_at = now() where id = any($1::uuid[])')
    } catch (error) {
      onError(error as Error)
      later(AGAIN_MS)
    }
  }

  async function flush(ids: Set<string>, statement: string): Promise<void> {
    const now = [...ids]
    if (now.length === 0) return
    await database.pool.query(statement, [now])
    for (const id of now) ids.delete(id)
  }

  async function flushReasons(): Promise<void> {
    const now = [...reasons]
    if (now.length === 0) return
    await database.pool.query(
      `update outbox o set failures = failures + 1, last_failure = t.reason, last_failed_at = now()
         from unnest($1::uuid[], $2::text[]) as t (id, reason) where o.id = t.id`,
      [now.map(([id]) => id), now.map(([, reason]) => reason)],
    )
    for (const [id, reason] of now) if (reasons.get(id) === reason) reasons.delete(id)
  }

  function noteReason(id: string | undefined, reason: string): void {
    if (!isOutboxJobId(id)) return
    reasons.set(id, (reason.split('\n')[0] ?? '').slice(0, LONGEST_REASON))
    later(GATHER_MS)
  }

  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(write)
    }, ms)
  }

  function note(ids: Set<string>, id: string | undefined): void {
    if (!isOutboxJobId(id)) return
    ids.add(id)
    later(GATHER_MS)
  }

  return {
    done: (id) => note(done, id),
    retried: noteReason,
    failed(id, reason) {
      noteReason(id, reason)
      note(failed, id)
    },
    async stop() {
      clearTimeout(timer)
      await writing
      await write()
      clearTimeout(timer)
    },
  }
}
