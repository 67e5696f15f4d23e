import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { seal } from '../../platform/seals/seal.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { Resource } from '../fleet.tables.ts'
import { replaceLimits } from './add-maintenance-item.ts'
import { findCompletion, findCompletions } from './completion.queries.ts'
import { type BeforeCompletion, limitsUndone } from './completion.rules.ts'
import { lockMaintenanceItem, metersOf } from './maintenance.access.ts'
import { dueOf, findMaintenanceItemsOf } from './maintenance-item.queries.ts'
import { findFlightsSince, findShiftsSince } from './meter-change.queries.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { findUnresolvedSquawks } from './squawk.queries.ts'

/** The outcome: the item, warnings about deferrals that stay ended, and the flights that left since the completion was recorded. */
export interface Reversed {
  id: number
  warnings: Sentence[]
  flights: { reservationId: number; start: string }[]
}

/**
 * Undoes the latest completion of an item, with the completions of the items that it satisfied: records a reversal of each, puts their
 * limits back, and recomputes the hold. The completions stay, and so do flights that left since and deferrals that they ended.
 */
export async function reverseCompletion(tx: Tx, actor: Actor, id: number, reason: string): Promise<Reversed> {
  const { organizationId, orgUserId } = actor
  const { reminderId } = await findCompletion(tx.db, organizationId, id)
  const { resource, zone } = await lockMaintenanceItem(tx, actor, reminderId)
  const completion = await findCompletion(tx.db, organizationId, id)
  const { before, recordedAt } = completion
  if (completion.isReversed) throw fleetErrors.completionReversed()
  if (completion.satisfiedBy !== null) throw fleetErrors.completedTogether({ item: completion.satisfiedBy })
  if (!before) throw fleetErrors.completionTooOld()
  const items = [...before.satisfied, { completionId: id, reminderId, limits: before.limits }]
  const together = await findCompletions(
    tx.db,
    organizationId,
    items.map(({ completionId }) => completionId),
  )
  const overtaken = together.find(({ isLatest }) => !isLatest)
  if (overtaken) throw fleetErrors.completedLater({ item: overtaken.item })
  await recordReversals(tx, actor, { ids: together.map((one) => one.id), reason })
  const shifts = await findShiftsSince(tx.db, organizationId, resource.id, recordedAt)
  const at = { now: tx.now, meters: metersOf(resource), zone, shifts }
  for (const row of await findMaintenanceItemsOf(tx.db, organizationId, resource.id)) {
    const was = items.find((one) => one.reminderId === row.id)
    if (was) await replaceLimits(tx, { organizationId, id: row.id }, limitsUndone(dueOf(row).limits, was.limits, at))
  }
  emit(tx, actor, {
    kind: 'maintenance.completion_undone',
    subject: { kind: 'resource', id: resource.id },
    before: { reminderId, completionIds: together.map((one) => one.id), doneAt: completion.doneAt },
    reason,
  })
  await recomputeHoldOf(tx, resource, orgUserId)
  return {
    id: reminderId,
    warnings: await stayEnded(tx, resource, before),
    flights: await findFlightsSince(tx.db, organizationId, resource.id, recordedAt),
  }
}

async function recordReversals(
  tx: Tx,
  actor: Actor,
  { ids, reason }: { ids: number[]; reason: string },
): Promise<void> {
  const { organizationId: organization_id, orgUserId: membership_id } = actor
  const rows = await tx.db
    .insertInto('maintenance_reversal')
    .values(ids.map((completion_id) => ({ organization_id, completion_id, membership_id, reason, created_at: tx.now })))
    .returning('id')
    .execute()
  for (const { id } of rows) seal(tx, actor, 'maintenance.completion_undone', { id, of: null })
}

/** Returns a warning that names the squawks whose deferrals the completion ended and that are still to be decided. */
async function stayEnded(tx: Tx, resource: Resource, { endedSquawkIds }: BeforeCompletion): Promise<Sentence[]> {
  if (endedSquawkIds.length === 0) return []
  const squawks = await findUnresolvedSquawks(tx.db, resource.organizationId, resource.id, tx.now)
  const ended = squawks.filter(({ id, deferralEnded }) => deferralEnded && endedSquawkIds.includes(id))
  return ended.length > 0 ? [fleetErrors.staysEnded({ titles: ended.map(({ title }) => title).join(', ') })] : []
}
