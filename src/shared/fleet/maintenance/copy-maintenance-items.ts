import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { MaintenanceItem, type Resource } from '../fleet.tables.ts'
import { replaceLimits, replaceSatisfied } from './add-maintenance-item.ts'
import { assertHasMeters } from './limit-fields.rules.ts'
import { lockResourceIfAny } from './maintenance.access.ts'
import { dueOf, findMaintenanceItemsOf, type MaintenanceItemRow } from './maintenance-item.queries.ts'

/**
 * Copies the maintenance items of a resource to other resources: names, kinds, intervals, warnings, scope, grounding, `carry`,
 * and which items are completed together. It is unknown when the work was last done there, so the copies have no due
 * date or reading until they are completed or changed. Returns the ids of the copies, grouped by resource in the given
 * order.
 * Implements interface §Maintenance.
 */
export async function copyMaintenanceItems(
  tx: Tx,
  actor: Actor,
  { fromResourceId, toResourceIds }: { fromResourceId: number; toResourceIds: readonly number[] },
): Promise<{ ids: number[] }> {
  const itself = toResourceIds.indexOf(fromResourceId)
  if (itself >= 0) throw fleetErrors.copyOntoItself({ field: `toResourceIds.${itself}` })
  const resources = new Map<number, Resource | null>()
  // Always locked in the order of their ids, so that concurrent copies do not deadlock.
  for (const id of [fromResourceId, ...toResourceIds].toSorted((a, b) => a - b)) {
    resources.set(id, await lockResourceIfAny(tx, actor.organizationId, id))
  }
  if (!resources.get(fromResourceId)) throw fleetErrors.unknownResource({ field: 'fromResourceId' })
  const items = await findMaintenanceItemsOf(tx.db, actor.organizationId, fromResourceId)
  const ids: number[] = []
  for (const [index, id] of toResourceIds.entries()) {
    const resource = resources.get(id)
    if (!resource) throw fleetErrors.unknownResource({ field: `toResourceIds.${index}` })
    ids.push(...(await copyOnto(tx, resource, items)))
  }
  return { ids }
}

async function copyOnto(tx: Tx, resource: Resource, items: readonly MaintenanceItemRow[]): Promise<number[]> {
  const { organizationId } = resource
  const copies = new Map(
    items.map((item) => {
      if (resource.kind === 'room' && item.grounding) throw fleetErrors.roomNotGrounding()
      assertHasMeters(resource, dueOf(item).limits)
      const { name, carry, scope, kind, grounding, warn_days: warnDays, warn_hundredths: warnHundredths } = item
      const fields = { name, carry, scope, kind, grounding, warnDays, warnHundredths }
      return [item.id, tx.em.create(MaintenanceItem, { organizationId, resourceId: resource.id, ...fields })]
    }),
  )
  await tx.em.flush()
  for (const item of items) {
    const copy = copies.get(item.id)!
    const limits = dueOf(item).limits.map((limit) => ({ ...limit, ...nothingDone }))
    await replaceLimits(tx, copy, limits)
    await replaceSatisfied(
      tx,
      copy,
      item.satisfies.flatMap((id) => copies.get(id)?.id ?? []),
    )
  }
  return [...copies.values()].map(({ id }) => id)
}

const nothingDone = { lastDoneAt: null, lastDone: null, dueAt: null, due: null, used: null }
