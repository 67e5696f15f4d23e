import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { AppError } from '../platform/kernel/errors.ts'
import { findPending, lockOpenOperation, setOperation, writeOutcomes } from '../platform/operations/operation.access.ts'
import { findTaken } from '../scheduling/recoveries/displaced.queries.ts'
import { bookingOf } from '../scheduling/recoveries/planned-maintenance.rules.ts'
import type { LockedRecovery } from '../scheduling/recoveries/recovery.access.ts'
import type { RecoveryRowRecord } from '../scheduling/recoveries/recovery.queries.ts'
import type { PlannedMaintenance } from '../scheduling/recoveries/recovery.types.ts'
import { findStaying } from '../scheduling/recoveries/shop-slots.queries.ts'
import { lockReservations, seatsOf } from '../scheduling/reservations/reservation.access.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import type { BulkAction } from './bulk.types.ts'
import { changeInBulk } from './change-in-bulk.ts'
import { createReservation } from './create-reservation.ts'
import { startBulk } from './start-bulk.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** What becomes of the rows of a plan. */
export interface Displacing {
  moving: readonly { row: RecoveryRowRecord; change: Extract<BulkAction, { changes: unknown }>['changes'][number] }[]
  /** The bookings that no one agreed to move, or that have no place. They are cancelled. */
  cancelled: readonly RecoveryRowRecord[]
  cancel: { reason: string; category: string } | undefined
}

/** What an application wrote: the maintenance booking, and for each row the bulk operation that has it. */
export interface Displaced {
  reservationId: number
  operations: { id: number; reservationIds: number[] }[]
}

/**
 * Writes a maintenance booking and moves or cancels all bookings that it displaces, in this transaction, or refuses all of it. The bulk
 * operations are done with it; their jobs only notify.
 * Implements interface §Shop slots.
 */
export async function applyDisplacing(
  tx: Tx,
  actor: Actor,
  recovery: LockedRecovery & { maintenance: PlannedMaintenance },
  { moving, cancelled, cancel }: Displacing,
): Promise<Displaced> {
  if (cancelled.length > 0 && !cancel) {
    const reservationIds = cancelled.map((row) => row.reservationId)
    throw workflowsErrors.displacedLeft({ count: cancelled.length }, { reservationIds })
  }
  await lockAll(tx, actor, recovery.maintenance, { moving, cancelled })
  await assertIsUnchanged(tx, recovery, [...moving.map(({ row }) => row), ...cancelled])
  const operations: Displaced['operations'] = []
  const perform = async (rows: readonly RecoveryRowRecord[], action: BulkAction) => {
    if (rows.length === 0) return
    const reservationIds = rows.map((row) => row.reservationId)
    operations.push({ id: await performBulk(tx, actor, recovery.operationId, reservationIds, action), reservationIds })
  }
  if (cancel) await perform(cancelled, { cancel })
  await perform(
    moving.map(({ row }) => row),
    { changes: moving.map(({ change }) => change) },
  )
  return { reservationId: await book(tx, actor, recovery.maintenance), operations }
}

/** Writes the maintenance booking. A refusal is a conflict with the plan, which the rules accepted. */
async function book(tx: Tx, actor: Actor, maintenance: PlannedMaintenance): Promise<number> {
  try {
    const { ids } = await createReservation(tx, actor, bookingOf(maintenance))
    return ids[0]!
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw workflowsErrors.displacedOthers({}, { problems: error.details?.problems ?? [{ message: error.message }] })
  }
}

/** Locks the bookings, then the places that they leave and take and the time of the maintenance, in the order of all that books. */
async function lockAll(
  tx: Tx,
  actor: Actor,
  { resourceId }: PlannedMaintenance,
  { moving, cancelled }: Pick<Displacing, 'moving' | 'cancelled'>,
): Promise<void> {
  const ids = [...moving.map(({ row }) => row), ...cancelled].map((row) => row.reservationId)
  const locked = await lockReservations(tx, actor, ids)
  const seats = [
    ...locked.flatMap((row) => seatsOf(row.seats)),
    ...moving.flatMap(({ change }) => change.sides?.flatMap((side) => side.seats) ?? []),
  ]
  const resourceIds = [
    resourceId,
    ...locked.flatMap(({ resource }) => resource?.id ?? []),
    ...moving.flatMap(({ change }) => change.resourceId ?? []),
  ]
  await lockSlots(tx.db, { resourceIds: [...new Set(resourceIds)], seats })
}

/** Checks that the time of the maintenance holds no other bookings than those of the plan. */
async function assertIsUnchanged(
  tx: Tx,
  {
    organizationId,
    cause,
    start,
    end,
    maintenance: { resourceId },
  }: LockedRecovery & { maintenance: PlannedMaintenance },
  rows: readonly RecoveryRowRecord[],
): Promise<void> {
  const known = new Set(rows.map((row) => row.reservationId))
  const taken = await findTaken(tx.db, { organizationId, cause, start, end }, tx.now, known.size + 1)
  const others = taken.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  const staying = await findStaying(tx.db, organizationId, resourceId, { start, end }, tx.now)
  if (others.length + staying.length > 0) throw workflowsErrors.displacedOthers({}, { reservationIds: others })
}

/** Performs a bulk in this transaction, all of it or nothing. Returns the id of its operation, whose job ends it. */
async function performBulk(
  tx: Tx,
  actor: Actor,
  recoveryId: number,
  ids: number[],
  action: BulkAction,
): Promise<number> {
  const bulk = { action, selection: { ids }, dryRun: false, notify: true, overrides: [], expectedCount: null }
  const { id } = await startBulk(tx, actor, { ...bulk, atomic: true, hasChoices: false, recoveryId })
  const of = { organizationId: actor.organizationId, operationId: id }
  const operation = (await lockOpenOperation(tx, of))!
  const pending = await findPending(tx.db, of)
  const outcomes = await changeInBulk(tx, actor, operation, pending)
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused')
  if (refused.length > 0) {
    const reservationOf = new Map(pending.map(({ number, subjectId }) => [number, subjectId]))
    const rows = refused.map(({ number, problems }) => ({ reservationId: reservationOf.get(number), problems }))
    throw workflowsErrors.displacedOthers({}, { rows })
  }
  await tx.em.flush()
  await writeOutcomes(tx, of, outcomes)
  await setOperation(tx, of, { status: 'running', started_at: tx.now })
  return id
}
