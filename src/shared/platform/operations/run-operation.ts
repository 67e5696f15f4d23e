import { setTimeout as pause } from 'node:timers/promises'
import { findActor } from '../authz/actor.queries.ts'
import type { Actor } from '../authz/actor.ts'
import { hasRole } from '../authz/roles.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError, OfOtherRelease } from '../kernel/errors.ts'
import { platformErrors } from '../platform.errors.ts'
import {
  closeRun,
  countRunning,
  findPending,
  findTurn,
  lockOpenOperation,
  lockTurns,
  type OperationOf,
  setOperation,
  skipPending,
  writeOutcomes,
} from './operation.access.ts'
import {
  OperationStopped,
  type OperationTools,
  type OperationToRun,
  type OperationWork,
  type PendingRow,
} from './operation.types.ts'
import type { OperationKind } from './operation-kinds.rules.ts'
import { operationRoles } from './operation-kinds.rules.ts'
import { runOperation } from './operations.jobs.ts'

/** How soon an operation is tried again that waits for those of other organizations. */
const TRY_AGAIN_MS = 10_000
/** An operation that killed its workers this often since its last progress is not tried again. */
const MOST_KILLS = 2
/** How often, a second apart, the end of a run that failed is written while the database is away. */
const CLOSE_TRIES = 300

export type OperationWorks = Readonly<Record<OperationKind, OperationWork>>

/**
 * Does the rest of an operation: its rows in groups, each in its own transaction, and then its end. A row is done
 * once, since its outcome is written with its work; concurrent runs take turns. When it is not the operation's turn,
 * this does nothing: the end of the one before it enqueues the job again. An operation whose last two runs ended without a
 * word, since their worker was killed, fails.
 * Implements interface §Operations and docs/decisions/0037.
 */
export async function runRest(tools: OperationTools, works: OperationWorks, of: OperationOf): Promise<void> {
  await inTurn(of.operationId, async () => {
    const operation = await tools.transaction((tx) => begin(tx, works, of))
    if (!operation) return
    try {
      await doRest(tools, works[operation.kind], operation)
    } catch (error) {
      await close(tools, of)
      throw error
    }
  })
}

/** The last run of each operation in this process. */
const runs = new Map<number, Promise<void>>()

/** Runs of an operation in one process wait for each other: a job whose lock expired runs again beside its first run. */
async function inTurn(operationId: number, run: () => Promise<void>): Promise<void> {
  const before = runs.get(operationId) ?? Promise.resolve()
  const mine = before.catch(() => {}).then(run)
  runs.set(operationId, mine)
  try {
    await mine
  } finally {
    if (runs.get(operationId) === mine) runs.delete(operationId)
  }
}

/** Writes that a run ended, at once or when the database is back. */
async function close(tools: OperationTools, of: OperationOf, triesLeft = CLOSE_TRIES): Promise<void> {
  await tools
    .transaction((tx) => closeRun(tx, of))
    .catch(() => {
      if (triesLeft === 0) return
      void pause(1_000, undefined, { ref: false }).then(() => close(tools, of, triesLeft - 1))
    })
}

async function doRest(tools: OperationTools, work: OperationWork, operation: OperationToRun): Promise<void> {
  const of = { organizationId: operation.organizationId, operationId: operation.id }
  if (operation.status === 'running') {
    try {
      await work.prepare?.(tools, operation)
      for (const group of await tools.transaction((tx) => groupsOf(tx, work, operation))) {
        if (!(await tools.transaction((tx) => performGroup(tx, work, of, group)))) break
      }
    } catch (error) {
      if (!(error instanceof AppError || error instanceof OperationStopped)) throw error
      const { code = 'INVALID', message, details } = error
      await tools.transaction((tx) => fail(tx, of, { code, message, ...(details && { details }) }))
    }
  }
  await tools.transaction((tx) => end(tx, work, of))
}

/**
 * Marks an operation as running when it is its turn. Returns it, also when it was cancelled and is not ended yet; null
 * when it is not its turn, or it is over. Where as many of its kind run as may at once, it is tried again a little later.
 */
async function begin(tx: Tx, works: OperationWorks, of: OperationOf): Promise<OperationToRun | null> {
  const found = await lockOpenOperation(tx, of)
  if (!found) return null
  if (!(found.kind in works)) throw new OfOtherRelease(`no such kind of operation: ${found.kind}`)
  await lockTurns(tx, of.organizationId, found.kind)
  if (found.status === 'queued') {
    const turn = await findTurn(tx, of.organizationId, found.kind)
    if (turn?.id !== found.id) return null
    const { mostAtOnce } = works[found.kind]
    if (mostAtOnce !== undefined && (await countRunning(tx, found.kind)) >= mostAtOnce) {
      tx.enqueue(runOperation, { ...of }, { availableAt: new Date(tx.now.getTime() + TRY_AGAIN_MS) })
      return null
    }
    await setOperation(tx, of, { status: 'running', started_at: tx.now, open_runs: 1 })
  } else if (found.status !== 'running') return found
  else if (found.openRuns >= MOST_KILLS) {
    await fail(tx, of, { code: 'WORKER_KILLED', message: platformErrors.operationKilledWorkers() })
    return { ...found, status: 'failed' }
  } else await setOperation(tx, of, { open_runs: found.openRuns + 1 })
  const actor = await actorOrFail(tx, found)
  return { ...found, status: actor ? 'running' : 'failed' }
}

/** Returns the pending rows in groups. */
async function groupsOf(tx: Tx, work: OperationWork, operation: OperationToRun): Promise<PendingRow[][]> {
  const { organizationId, id: operationId } = operation
  return work.groups(tx.db, operation, await findPending(tx.db, { organizationId, operationId }))
}

/**
 * Does a group of rows. Returns false when the operation has stopped: it was cancelled, or its member may no longer do
 * it.
 */
async function performGroup(
  tx: Tx,
  work: OperationWork,
  of: OperationOf,
  group: readonly PendingRow[],
): Promise<boolean> {
  const operation = await lockOpenOperation(tx, of)
  if (operation?.status !== 'running') return false
  const actor = await actorOrFail(tx, operation)
  if (!actor) return false
  const rows = await findPending(tx.db, of, group)
  if (rows.length > 0) await writeOutcomes(tx, of, await work.perform(tx, actor, operation, rows))
  return true
}

/** Returns the member who started an operation; fails it and returns null when their roles no longer allow it. */
async function actorOrFail(
  tx: Tx,
  { organizationId, id: operationId, kind, startedBy }: OperationToRun,
): Promise<Actor | null> {
  const actor = await findActor(tx.db, organizationId, startedBy)
  if (actor && hasRole(actor.roles, operationRoles[kind])) return actor
  const error = { code: 'ACTOR_NOT_ALLOWED', message: platformErrors.notAllowed().message }
  await fail(tx, { organizationId, operationId }, error)
  return null
}

/** Stops an operation that cannot go on; what it did stays done. */
async function fail(tx: Tx, of: OperationOf, error: Record<string, unknown>): Promise<void> {
  await setOperation(tx, of, { status: 'failed', result: { error } })
}

/** Ends an operation once: writes its result, enqueues its notifications and the next operation. */
async function end(tx: Tx, work: OperationWork, of: OperationOf): Promise<void> {
  const operation = await lockOpenOperation(tx, of)
  if (!operation) return
  const { organizationId } = of
  await lockTurns(tx, organizationId, operation.kind)
  await skipPending(tx, of)
  const result = await work.finish(tx, operation)
  const isDone = operation.status === 'running'
  await setOperation(tx, of, { ended_at: tx.now, open_runs: 0, ...(isDone && { status: 'done', result }) })
  const next = await findTurn(tx, organizationId, operation.kind)
  if (next) tx.enqueue(runOperation, { organizationId, operationId: next.id })
}
