import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from './database.ts'
import { type LogPosition, lagOf, type PrimarySample, parseLogPosition, withSample } from './replica-lag.ts'

/** Replicas of the database, of which each may be left out for a while. */
export interface Replicas {
  /**
   * Returns a replica that is at most `READ_LAG_MS` behind, each in turn; with `after`, one that has reached this position, for which it waits at most
   * 200 ms. Null: read the primary.
   */
  choose(after: LogPosition | null): Promise<Replica | null>
  /** Runs a read on a replica. Rejects when the replica is left out: a read must not wait for a server that is gone. */
  read<T>(replica: Replica, run: (database: Database) => Promise<T>): Promise<T>
  /** Leaves a replica out until it answers again. */
  leaveOut(replica: Replica): void
  /** Returns the position after everything that is committed on the primary, as text. */
  position(): Promise<string>
  /** Returns how far each replica is behind, in milliseconds; null for one that is gone or further behind than a minute. */
  lags(): { name: string; lagMs: number | null }[]
  close(): Promise<void>
}

export interface Replica {
  /** Host and port. */
  name: string
}

interface Watched extends Replica {
  database: Database
  watcher: pg.Pool
  /** What it has replayed, by its last answer; null while it is left out. */
  replayed: LogPosition | null
  /** What ends each read that it has when it is left out. A promise that all its reads wait for would keep their answers. */
  reads: Set<(why: Error) => void>
}

/** How often the servers are asked, and how long an answer may take: a server that is gone is left out within a second. */
const ASK_EVERY_MS = 200
const ANSWER_MS = 500
/** How long a read waits for a replica to reach a position, and how often it looks. */
const WAIT_MS = 200
const LOOK_EVERY_MS = 10

/** Replays are read only from a server that is in recovery: one that was promoted has a log of its own. */
const replayedOf = 'select pg_last_wal_replay_lsn()::text as position where pg_is_in_recovery()'

/** Opens the replicas of a primary and watches them. `open` opens the database of a URL. */
export async function openReplicas(
  primary: pg.Pool,
  { urls, mostLagMs, open }: { urls: readonly string[]; mostLagMs: number; open(url: string): Promise<Database> },
): Promise<Replicas> {
  const replicas: Watched[] = await Promise.all(
    urls.map(async (url) => {
      const watcher = new pg.Pool({
        connectionString: url,
        max: 1,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
      })
      // A failed connection is the error of its query.
      watcher.on('error', () => undefined)
      return { name: new URL(url).host, database: await open(url), watcher, replayed: null, reads: new Set() }
    }),
  )
  let samples: PrimarySample[] = []
  let isClosed = false
  let turn = 0

  const position = async () => {
    const { rows } = await primary.query<{ position: string }>('select pg_current_wal_insert_lsn()::text as position')
    return rows[0]!.position
  }
  const lag = ({ replayed }: Watched) => (replayed === null ? null : lagOf(samples, replayed, performance.now()))
  const isFresh = (one: Watched) => {
    const lagMs = lag(one)
    return lagMs !== null && lagMs <= mostLagMs
  }
  const ask = async (one: Watched) => {
    const { rows } = await one.watcher.query<{ position: string }>(replayedOf)
    const replayed = parseLogPosition(rows[0]?.position ?? '')
    if (replayed === null) leave(one)
    else one.replayed = replayed
  }
  const watch = async (work: () => Promise<unknown>, failed: () => void) => {
    while (!isClosed) {
      await work().catch(failed)
      await pause(ASK_EVERY_MS, undefined, { ref: false })
    }
  }
  const watchPrimary = async () => {
    // The instant before the question: what is committed while it is answered may not be in it.
    const at = performance.now()
    const reached = parseLogPosition(await position())
    if (reached !== null) samples = withSample(samples, { at, position: reached })
  }
  const leave = (one: Watched) => {
    one.replayed = null
    for (const end of one.reads) end(new Error(`the replica ${one.name} is left out`))
  }
  const watches = [
    watch(watchPrimary, () => undefined),
    ...replicas.map((one) =>
      watch(
        () => ask(one),
        () => leave(one),
      ),
    ),
  ]
  const next = (fit: (one: Watched) => boolean) => {
    turn += 1
    return replicas.map((_, n) => replicas[(turn + n) % replicas.length]!).find(fit) ?? null
  }
  return {
    position,
    async choose(after) {
      if (after === null) return next(isFresh)
      const has = (one: Watched) => isFresh(one) && one.replayed! >= after
      for (const began = performance.now(); ; ) {
        const found = next(has)
        if (found || performance.now() - began > WAIT_MS || !replicas.some(isFresh)) return found
        await pause(LOOK_EVERY_MS)
        await Promise.all(replicas.filter(isFresh).map((one) => ask(one).catch(() => undefined)))
      }
    },
    async read(replica, run) {
      const { reads, database } = replica as Watched
      const { promise, reject } = Promise.withResolvers<never>()
      reads.add(reject)
      try {
        return await Promise.race([run(database), promise])
      } finally {
        reads.delete(reject)
      }
    },
    leaveOut: (replica) => leave(replica as Watched),
    lags: () => replicas.map((one) => ({ name: one.name, lagMs: lag(one) })),
    async close() {
      isClosed = true
      await Promise.all(replicas.flatMap(({ watcher, database }) => [watcher.end(), database.close()]))
      await Promise.all(watches)
    },
  }
}
