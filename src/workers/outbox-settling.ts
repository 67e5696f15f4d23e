import type { WorkerParts } from './run-job.ts'

/**
 * Takes done jobs out of the outbox and marks those given up, a few at a time. When this process dies before it has
 * told the outbox, the sweep finds the job finished in the queue and settles its row.
 */
export function startSettling(parts: WorkerParts) {
  const done = new Set<string>()
  const failed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const [finished, givenUp] = [[...done], [...failed]]
    done.clear()
    failed.clear()
    try {
      if (finished.length > 0)
        await parts.database.pool.query('delete from outbox where id = any($1::uuid[])', [finished])
      if (givenUp.length > 0) {
        await parts.database.pool.query('update outbox set failed_at = now() where id = any($1::uuid[])', [givenUp])
      }
    } catch (error) {
      parts.log.error({ err: error }, 'settling the outbox failed; the sweep will do it')
    }
  }

  function note(ids: Set<string>, id: string): void {
    // Jobs of a scheduler were never owed: their ids are not those of a row.
    if (!/^[0-9a-f-]{36}$/.test(id)) return
    ids.add(id)
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(write)
    }, 20)
  }

  return {
    done: (id: string) => note(done, id),
    failed: (id: string) => note(failed, id),
    async stop() {
      clearTimeout(timer)
      await writing
      await write()
    },
  }
}
