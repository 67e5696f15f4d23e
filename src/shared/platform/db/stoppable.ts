import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import type { Steps } from '../kernel/steps.ts'
import { singleClient } from './single-client.ts'

/** Thrown when work was stopped: its running statement was cancelled, or its next statement or slice was refused. */
export class Stopped extends Error {}

/** Work that can be stopped, with the functions that cancel its running statements. */
interface Work {
  stopped: boolean
  cancel: Set<() => void>
}

const current = new AsyncLocalStorage<Work>()

/**
 * Starts work that `stop` can end: `stop` cancels the running statements and refuses further ones, except the commit or
 * rollback of a transaction. It also ends a computation that runs in slices.
 */
export function stoppable<T>(run: () => Promise<T>): { result: Promise<T>; stop(): void } {
  const work: Work = { stopped: false, cancel: new Set() }
  return {
    result: current.run(work, run),
    stop() {
      work.stopped = true
      for (const cancel of work.cancel) cancel()
    },
  }
}

/** The longest time that a computation runs before other work has its turn, in milliseconds. */
const SLICE_MS = 20

/**
 * Lets other work have its turn.
 * @throws Stopped when the work that this is part of was stopped.
 */
export async function othersTurn(): Promise<void> {
  await nextTurn()
  if (current.getStore()?.stopped) throw new Stopped()
}

/**
 * Returns a function that lets other work have its turn when a slice is over; `ms`: how long one lasts.
 * @throws Stopped as `othersTurn`.
 */
export function slicesOf(ms: number): () => Promise<void> {
  let end = performance.now() + ms
  return async () => {
    if (performance.now() < end) return
    await othersTurn()
    end = performance.now() + ms
  }
}

/**
 * Runs a computation in slices, between which other work has its turn.
 * @throws Stopped as `othersTurn`.
 */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const endSlice = slicesOf(SLICE_MS)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await endSlice()
  }
}

/** A connection of `pg`, with the id of its server process. */
type Served = pg.PoolClient & { processID: number }

const endsTransaction = /^\s*(commit|rollback)/i

/**
 * Makes `stop` apply to the statements of a pool. A cancel request uses a new connection, because all connections of
 * the pool may be in use when much work is stopped at the same time.
 */
export function stopStatements(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const work = current.getStore()
      if (!work || typeof args.at(-1) === 'function') return query(...args)
      if (work.stopped && !endsTransaction.test(textOf(args[0]))) return Promise.reject(new Stopped())
      const asked = query(...args)
      return asked instanceof Promise ? stopping(work, asked, () => cancelAt(pool, client as Served)) : asked
    }) as typeof client.query
  })
}

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text)

/**
 * Waits for the statement and for its cancel request, because a late cancellation would end the next statement of the
 * connection.
 */
async function stopping<T>(work: Work, asked: Promise<T>, requestStop: () => Promise<void>): Promise<T> {
  let requested: Promise<void> | undefined
  const cancel = () => {
    requested = requestStop()
  }
  work.cancel.add(cancel)
  try {
    return await asked
  } catch (error) {
    throw work.stopped ? new Stopped('the work was stopped', { cause: error }) : error
  } finally {
    work.cancel.delete(cancel)
    await requested
  }
}

async function cancelAt({ options }: pg.Pool, { processID }: Served): Promise<void> {
  const client = singleClient(options)
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [processID])
  } catch {
    // A statement that cannot be cancelled runs to its own end.
  } finally {
    await client.end().catch(() => {})
  }
}
