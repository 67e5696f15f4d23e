import { sql } from 'kysely'
import { notify } from '../communication/notifications/notify.ts'
import type { Db } from '../platform/db/database.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { OperationToRun, OperationWork, PendingRow } from '../platform/operations/operation.types.ts'
import { lockRecovery } from '../scheduling/recoveries/recovery.access.ts'
import { findRecoveryRows } from '../scheduling/recoveries/recovery.queries.ts'
import { findReservations } from '../scheduling/reservations/reservation.queries.ts'
import { findConcerned } from './bulk.access.ts'
import type { BulkInput } from './bulk.types.ts'
import { groupsOf } from './bulk-groups.rules.ts'
import { instructorsOf } from './bulk-target.rules.ts'
import { changeInBulk } from './change-in-bulk.ts'
import { findNextRecovery } from './find-next-recovery.ts'

/** The most bookings that one transaction changes, unless a larger group shares resources or people. */
const CHANGED_AT_ONCE = 50

/** Admins are notified when a bulk cancels more bookings than this, or changes more than `NOTIFIED_SILENT` without notifying their people. */
const NOTIFIED_CANCELLATIONS = 50
const NOTIFIED_SILENT = 10

/** How an operation that changes bookings in bulk is divided, performed and finished. */
export const bulkWork: OperationWork = {
  groups: bulkGroups,
  perform: changeInBulk,
  finish: finishBulk,
}

/**
 * Returns the rows in groups, one transaction each. No two groups of a change share a resource or a person. An atomic bulk or a dry run
 * is one group.
 */
async function bulkGroups(db: Db, operation: OperationToRun, rows: readonly PendingRow[]): Promise<PendingRow[][]> {
  const { action, dryRun } = operation.input as unknown as BulkInput
  if (rows.length === 0) return []
  if (operation.atomic || dryRun) return [[...rows]]
  if ('cancel' in action) return together(rows.map((row) => [row]))
  const ids = rows.map(({ subjectId }) => subjectId)
  const bookings = await findReservations(db, operation.organizationId, { where: sql`r.id = any(${ids})` })
  const sharing = rows.map(({ number, subjectId }) => {
    const booking = bookings.find(({ id }) => id === subjectId)
    const people = (booking?.seats ?? []).map(({ orgUserId, guestId }) => `${orgUserId}/${guestId}`)
    const resources = [booking?.resource?.id ?? null, ...newResources(action, subjectId!)]
    const newcomers = newPeople(action, subjectId!)
    const keys = [...people, ...newcomers, ...resources.flatMap((id) => (id === null ? [] : [`resource ${id}`]))]
    return { number, keys }
  })
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return together(groupsOf(sharing).map((numbers) => numbers.map((number) => byNumber.get(number)!)))
}

/** Joins small groups up to `CHANGED_AT_ONCE` rows, since each group is a transaction. */
function together(groups: readonly PendingRow[][]): PendingRow[][] {
  const joined: PendingRow[][] = []
  for (const group of groups) {
    const last = joined.at(-1)
    if (last && last.length + group.length <= CHANGED_AT_ONCE) last.push(...group)
    else joined.push([...group])
  }
  return joined
}

function newResources(action: BulkInput['action'], id: number): (number | null)[] {
  if ('reassign' in action) return action.reassign.resourceIds ?? []
  if ('changes' in action) return [action.changes.find((one) => one.id === id)?.resourceId ?? null]
  return []
}

function newPeople(action: BulkInput['action'], id: number): string[] {
  if ('reassign' in action) {
    return instructorsOf(action.reassign).map((id) => `${id}/null`)
  }
  const sides = 'changes' in action ? (action.changes.find((one) => one.id === id)?.sides ?? []) : []
  return sides.flatMap(({ seats }) =>
    seats.flatMap((seat) => {
      if ('orgUserId' in seat) return [`${seat.orgUserId}/null`]
      return 'guestId' in seat ? [`null/${seat.guestId}`] : []
    }),
  )
}

/**
 * Notifies each person once about all their changed bookings, and notifies admins about a large bulk. Returns the result of the
 * operation.
 */
async function finishBulk(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>> {
  const { id: subjectId, organizationId, startedBy: causedBy, total, failed, succeeded, atomic } = operation
  const input = operation.input as unknown as BulkInput
  const applied = !input.dryRun && !(atomic && failed > 0)
  if (applied && input.notify) {
    for (const recipient of await findConcerned(tx, operation)) {
      notify(tx, { organizationId, kind: 'reservations_changed', subjectId, causedBy, recipient })
    }
  }
  const isNotified = 'cancel' in input.action ? succeeded > NOTIFIED_CANCELLATIONS : false
  if (applied && (isNotified || (!input.notify && succeeded > NOTIFIED_SILENT))) {
    notify(tx, { organizationId, kind: 'bulk_done', subjectId, causedBy })
  }
  const next = input.recoveryId === undefined ? null : await findNext(tx, organizationId, input.recoveryId)
  return { applied, dryRun: input.dryRun, expectedCount: total, ...(next && { next }) }
}

/** Returns the request that plans what an application left; null for nothing. */
async function findNext(tx: Tx, organizationId: number, recoveryId: number) {
  const recovery = await lockRecovery(tx, organizationId, recoveryId)
  if (!recovery) return null
  return findNextRecovery(tx, organizationId, recovery, await findRecoveryRows(tx.db, organizationId, recoveryId))
}
