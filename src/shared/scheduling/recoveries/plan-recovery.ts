import { findActor } from '../../platform/authz/actor.queries.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { OperationTools, OperationToRun, OperationWork } from '../../platform/operations/operation.types.ts'
import { findPlaces } from './find-places.ts'
import { loadPlanFacts } from './load-plan-facts.ts'
import { placesOf } from './plan-rows.rules.ts'
import { lockRecovery, type PlannedRow, setRecovery, writePlan } from './recovery.access.ts'
import { countPlanned } from './recovery.queries.ts'
import { solvePlan } from './solve-plan.ts'

/** Two plans are made at the same time at most, so that planning takes no more of the workers. */
const MOST_AT_ONCE = 2
/** Ten wait at the most, for plans of a second or two. */
const TRY_AGAIN_MS = 1_000

/**
 * The work of the operation `recovery`. Its rows are the displaced bookings, which are written with the plan; nothing is
 * done to a booking. Implements interface §Recovery.
 */
export const recoveryWork: OperationWork = {
  mostAtOnce: MOST_AT_ONCE,
  tryAgainMs: TRY_AGAIN_MS,
  prepare: plan,
  groups: async () => [],
  perform: async () => [],
  finish: finishPlan,
}

/**
 * Reads the facts in one transaction, plans without one, and writes the plan in another. After a worker was killed, the plan is made
 * again; one that is written stays.
 */
async function plan(tools: OperationTools, operation: OperationToRun): Promise<void> {
  const read = await tools.transaction(async (tx) => {
    const recovery = await lockRecovery(tx, operation.organizationId, operation.id)
    const actor = await findActor(tx.db, operation.organizationId, operation.startedBy)
    if (recovery?.status !== 'planning' || !actor) return null
    return loadPlanFacts(tx, actor, recovery)
  })
  if (!read) return
  const { rows, isCut } = await findPlaces(read)
  const solved = await solvePlan(rows, tools.outside?.solver ?? { solve: async () => null, close: async () => {} })
  const planned = rows.map(
    (row, at): PlannedRow => ({ subjectId: row.id, ...placesOf(row, solved.places[at] ?? null) }),
  )
  const basis = isCut ? 'search' : solved.basis
  const asserted = rows.some((row) => row.asserted)
  await tools.transaction(async (tx) => {
    const recovery = await lockRecovery(tx, operation.organizationId, operation.id)
    if (recovery?.status !== 'planning') return
    await writePlan(tx, operation, planned)
    await setRecovery(tx, recovery, {
      status: 'ready',
      basis,
      gap_tenths: Math.round(solved.gapPercent * 10),
      asserted,
      planned_at: tx.now,
    })
    const after = {
      displaced: planned.length,
      left: planned.filter(({ outcome }) => outcome === 'left').length,
      asserted,
    }
    emit(tx, read.actor, { kind: 'recovery.planned', subject: { kind: 'operation', id: operation.id }, after })
  })
}

/** Returns the result of the operation. A recovery whose operation was stopped before it had a plan has ended. */
async function finishPlan(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>> {
  const recovery = await lockRecovery(tx, operation.organizationId, operation.id)
  if (recovery?.status === 'planning') await setRecovery(tx, recovery, { status: 'ended' })
  const { displaced, left } = await countPlanned(tx.db, operation)
  return { displaced, kept: displaced - left, left }
}
