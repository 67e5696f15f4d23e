import { setTimeout as pause } from 'node:timers/promises'
import { findActor } from '../authz/actor.queries.ts'
import type { Actor } from '../authz/actor.ts'
import { holdsDeskGrant } from '../authz/desk-grant.queries.ts'
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
import { operationGrants, operationRoles } from './operation-kinds.rules.ts'
import { runOperation } from './operations.jobs.ts'

/** The delay before an operation that waits for operations of other organizations is tried again. */
const TRY_AGAIN_MS = 10_000
/** An operation whose workers were killed this often since its last progress is not tried again. */
const MOST_KILLS = 2
/** The most retries, one second apart, to record the end of a failed run while the database is unavailable. */
const CLOSE_TRIES = 300

export type OperationWorks = Readonly<Record<OperationKind, OperationWork>>

/**
 * Processes the pending rows of an operation in groups, each group in its own transaction, and then ends the operation.
 * A row is processed once, since its outcome is written in the transaction of its work; concurrent runs wait for each
 * other. Does nothing while another operation of the kind comes first: when that one ends, it enqueues this job again.
 * The operation fails when its workers were killed twice since its last progress.
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

/**
 * Serializes the runs of one operation in this process. A job whose lock expired can be started again while its first
 * run still works.
 */
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

/** Records that a run ended. When this fails, it is retried in the background. */
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
 * Marks an operation as running when it may run now, and returns it. Also returns an operation that was cancelled or
 * failed and has not ended yet. Returns null when it has ended, or when another operation of the kind comes first. When
 * `mostAtOnce` operations of its kind run already, it returns null and enqueues the job again for a little later.
 */
async function begin(tx: Tx, works: OperationWorks, of: OperationOf): Promise<OperationToRun | null> {
  const found = await lockOpenOperation(tx, of)
  if (!found) return null
  if (!(found.kind in works)) throw new OfOtherRelease(`no such kind of operation: ${found.kind}`)
  await lockTurns(tx, of.organizationId, found.kind)
  if (found.status === 'queued') {
    const turn = await findTurn(tx, of.organizationId, found.kind)
    if (turn?.id !== found.id) return null
    const { mostAtOnce, tryAgainMs = TRY_AGAIN_MS } = works[found.kind]
    if (mostAtOnce !== undefined && (await countRunning(tx, found.kind)) >= mostAtOnce) {
      tx.enqueue(runOperation, { ...of }, { availableAt: new Date(tx.now.getTime() + tryAgainMs) })
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
 * Processes a group of rows. Returns false when the operation has stopped: it was cancelled or has failed, or its
 * member may no longer do it.
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

/**
 * Returns the member who started an operation. When neither their roles nor a grant allow it any more, marks it as failed and returns
 * null.
 */
async function actorOrFail(
  tx: Tx,
  { organizationId, id: operationId, kind, startedBy }: OperationToRun,
): Promise<Actor | null> {
  const actor = await findActor(tx.db, organizationId, startedBy)
  if (actor && hasRole(actor.roles, operationRoles[kind])) return actor
  const grant = operationGrants[kind]
  if (actor && grant && (await holdsDeskGrant(tx.db, actor, grant))) return { ...actor, grant }
  const error = { code: 'ACTOR_NOT_ALLOWED', message: platformErrors.notAllowed().message }
  await fail(tx, { organizationId, operationId }, error)
  return null
}

/** Marks an operation as failed. Finished rows stay. */
async function fail(tx: Tx, of: OperationOf, error: Record<string, unknown>): Promise<void> {
  await setOperation(tx, of, { status: 'failed', result: { error } })
}

/**
 * Ends an operation that has not ended: skips its pending rows, writes its result, and enqueues its notifications and
 * the next operation.
 */
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
