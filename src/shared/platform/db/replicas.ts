import type { Socket } from 'node:net'
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
  /** Returns the position after everything that is committed on the primary, as text. Rejects when it does not answer within half a second. */
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
  /** The instant of that answer. */
  answeredAt: number
  /** Whether it follows this primary, by the last look at both. */
  follows: boolean
  /** The question to it that is under way, which all share who wait for it. */
  asked: Promise<void> | null
  inUse: Set<pg.PoolClient>
  /** What ends each read that it has when it is left out. A promise that all its reads wait for would keep their answers. */
  reads: Set<(why: Error) => void>
}

/** How often the servers are asked, and how long an answer may take: a server that is gone is left out within a second. */
const ASK_EVERY_MS = 200
const ANSWER_MS = 500
/** How long a read waits for a replica to reach a position, and how often it looks. */
const WAIT_MS = 200
const LOOK_EVERY_MS = 10
/** How long a read of a replica that is left out may take to end. */
const END_MS = 100

/** The id that a server has in common with its standbys. Positions of another server's log would say nothing. */
const cluster = '(select system_identifier::text from pg_control_system()) as cluster'
/** Replays are read only from a server that is in recovery: one that was promoted has a log of its own. */
const replayedOf = `select pg_last_wal_replay_lsn()::text as position, ${cluster} where pg_is_in_recovery()`
/**
 * The end of the last record of the log. The insert position is after the header of a page that is still empty, as after `pg_switch_wal` or
 * `archive_timeout`, and no standby replays that far before the next record.
 */
const endOf = `select ('0/0'::pg_lsn + at - case
  when mod(at, pg_size_bytes(current_setting('wal_segment_size'))) = 40 then 40
  when mod(at, current_setting('wal_block_size')::int) = 24 then 24
  else 0 end)::text as position`
const ofLog = `from (select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at) as log`

interface Place {
  position: string | null
  cluster: string
}

export interface ReplicasOptions {
  urls: readonly string[]
  mostLagMs: number
  /** Opens the database of a URL. */
  open(url: string): Promise<Database>
  /** Receives why a replica is left out. */
  onError(error: Error): void
}

/** Opens the replicas of a primary and watches them. */
export async function openReplicas(
  primary: pg.Pool,
  { urls, mostLagMs, open, onError }: ReplicasOptions,
): Promise<Replicas> {
  const replicas: Watched[] = await Promise.all(
    urls.map(async (url) => {
      const watcher = new pg.Pool({
        connectionString: url,
        application_name: 'flightline',
        max: 1,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
      })
      // A failed connection is the error of its query.
      watcher.on('error', () => undefined)
      const database = await open(url)
      const inUse = new Set<pg.PoolClient>()
      database.pool.on('acquire', (client) => inUse.add(client))
      database.pool.on('release', (_error, client) => inUse.delete(client))
      const answer = { replayed: null, answeredAt: 0, follows: false, asked: null }
      return { name: new URL(url).host, database, watcher, ...answer, inUse, reads: new Set() }
    }),
  )
  let samples: PrimarySample[] = []
  let clusterOfPrimary: string | null = null
  let isClosed = false
  let turn = 0

  const lag = ({ replayed, follows }: Watched) =>
    replayed === null || !follows ? null : lagOf(samples, replayed, performance.now())
  const isFresh = (one: Watched) => {
    const lagMs = lag(one)
    return lagMs !== null && lagMs <= mostLagMs
  }
  const askNow = async (one: Watched) => {
    const { rows } = await one.watcher.query<Place>(replayedOf)
    const [found] = rows
    const replayed = parseLogPosition(found?.position ?? '')
    if (replayed === null) return leave(one, 'it is no standby')
    if (clusterOfPrimary !== null && found!.cluster !== clusterOfPrimary) throw new Error('it is of another server')
    Object.assign(one, { replayed, answeredAt: performance.now() })
  }
  const ask = (one: Watched) => {
    one.asked ??= askNow(one).finally(() => {
      one.asked = null
    })
    return one.asked
  }
  const watch = async (work: () => Promise<unknown>, failed: (error: Error) => void) => {
    while (!isClosed) {
      await work().catch(failed)
      await pause(ASK_EVERY_MS, undefined, { ref: false })
    }
  }
  const watchPrimary = async () => {
    // The instant before the question: what is committed while it is answered may not be in it.
    const at = performance.now()
    const { rows } = await primary.query<Place>(`${endOf}, ${cluster} ${ofLog}`)
    const position = parseLogPosition(rows[0]?.position ?? '')
    if (position === null) return
    clusterOfPrimary = rows[0]!.cluster
    samples = withSample(samples, { at, position })
    // Who has replayed more than the primary had in its log afterwards follows another server: after a failover, for example, a
    // standby that has writes which the new primary did not receive.
    for (const one of replicas) if (one.replayed !== null && one.answeredAt < at) one.follows = one.replayed <= position
  }
  const leave = (one: Watched, why: string) => {
    one.replayed = null
    for (const { connection } of one.inUse as Set<pg.PoolClient & Connected>) connection.stream.destroy()
    for (const end of one.reads) end(new Error(`the replica ${one.name} is left out: ${why}`))
  }
  const watches = [
    watch(watchPrimary, () => undefined),
    ...replicas.map((one) =>
      watch(
        () => ask(one),
        (error) => {
          leave(one, error.message)
          if (!isClosed) onError(new Error(`the replica ${one.name} is not read: ${error.message}`))
        },
      ),
    ),
  ]
  const next = (fit: (one: Watched) => boolean) => {
    turn += 1
    return replicas.map((_, n) => replicas[(turn + n) % replicas.length]!).find(fit) ?? null
  }
  return {
    async position() {
      const { rows } = await within(ANSWER_MS, primary.query<Pick<Place, 'position'>>(`${endOf} ${ofLog}`))
      return rows[0]!.position!
    },
    async choose(after) {
      if (after === null) return next(isFresh)
      const has = (one: Watched) => isFresh(one) && one.replayed! >= after
      for (const began = performance.now(); ; ) {
        const found = next(has)
        const left = began + WAIT_MS - performance.now()
        if (found || left <= 0 || !replicas.some(isFresh)) return found
        await pause(LOOK_EVERY_MS)
        // A replica that hangs must not delay what another one can answer, nor the end of the wait.
        await within(left, Promise.any(replicas.filter(isFresh).map(ask))).catch(() => undefined)
      }
    },
    async read(replica, run) {
      const { reads, database } = replica as Watched
      const { promise, reject } = Promise.withResolvers<never>()
      reads.add(reject)
      const running = run(database)
      try {
        return await Promise.race([running, promise])
      } catch (error) {
        // The read gives back what it holds, such as the place of a report, before it runs again on the primary.
        await within(END_MS, running).catch(() => undefined)
        throw error
      } finally {
        reads.delete(reject)
      }
    },
    leaveOut: (replica) => leave(replica as Watched, 'a read failed'),
    lags: () => replicas.map((one) => ({ name: one.name, lagMs: lag(one) })),
    async close() {
      isClosed = true
      await Promise.all(replicas.flatMap(({ watcher, database }) => [watcher.end(), database.close()]))
      await Promise.all(watches)
    },
  }
}

interface Connected {
  connection: { stream: Socket }
}

/** Waits at most `ms`. @throws Error when there is no answer by then */
async function within<T>(ms: number, asked: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = pause(ms, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error(`no answer in ${ms} ms`)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    late.catch(() => undefined)
    timer.abort()
  }
}
