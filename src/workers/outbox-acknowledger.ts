import type { JobTools } from '../shared/platform/jobs/job-tools.ts'

/** Jobs that end together are settled together. */
const GATHER_MS = 20
/** A database that is away is asked again after this long. */
const AGAIN_MS = 1_000

/** Whether a job has a row in the outbox. Jobs of a scheduler were never owed: their ids are not those of a row. */
export function isOutboxJobId(id: string | undefined): id is string {
  return /^[0-9a-f-]{36}$/.test(id ?? '')
}

/** Tells the outbox what became of its jobs. */
export interface OutboxAcknowledger {
  done(id: string | undefined): void
  failed(id: string | undefined): void
  /** Writes what is left, once. */
  stop(): Promise<void>
}

/**
 * Takes done jobs out of the outbox and marks those given up, a few at a time. When this process dies before it has
 * told the outbox, the sweep finds the job finished in the queue and settles its row.
 */
export function startOutboxAcknowledger({ database, log }: Pick<JobTools, 'database' | 'log'>): OutboxAcknowledger {
  const done = new Set<string>()
  const failed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    try {
      await flush(done, 'delete from outbox where id = any($1::uuid[])')
      await flush(failed, 'update outbox set failed_at = now() where id = any($1::uuid[])')
    } catch (error) {
      log.error({ err: error }, 'settling the outbox failed')
      later(AGAIN_MS)
    }
  }

  async function flush(ids: Set<string>, statement: string): Promise<void> {
    const now = [...ids]
    if (now.length === 0) return
    await database.pool.query(statement, [now])
    for (const id of now) ids.delete(id)
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
    failed: (id) => note(failed, id),
    async stop() {
      clearTimeout(timer)
      await writing
      await write()
      clearTimeout(timer)
    },
  }
}
