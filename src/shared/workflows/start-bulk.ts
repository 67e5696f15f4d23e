import { fleetErrors } from '../fleet/fleet.errors.ts'
import { assertIsMember } from '../identity/members/member.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { startOperation } from '../platform/operations/start-operation.ts'
import { invalidFields } from '../platform/platform.errors.ts'
import { refuseCancellation } from '../scheduling/reservations/reservation.rules.ts'
import { findPoolMembers } from '../scheduling/rules/pool.queries.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { assertHasResources, findSelected } from './bulk.access.ts'
import type { BulkAction, BulkInput, BulkSelection } from './bulk.types.ts'
import { instructorsOf } from './bulk-target.rules.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** The most bookings of one bulk. */
export const MOST_BOOKINGS = 1_000

export interface NewBulk extends BulkInput {
  selection: BulkSelection
  /** The number of bookings that a dry run selected; null accepts any number. */
  expectedCount: number | null
  atomic: boolean
  /** Whether a reassignment names several resources to choose from. */
  hasChoices: boolean
}

/**
 * Starts a bulk over bookings of the organization, in the order of their starts.
 * Implements interface §Reservations, POST /reservations/bulk.
 */
export async function startBulk(tx: Tx, actor: Actor, bulk: NewBulk): Promise<{ id: number }> {
  const { selection, expectedCount, atomic, hasChoices, ...input } = bulk
  await assertIsDoable(tx, actor, bulk)
  const action = await withPool(tx, actor, input.action)
  const found = await findSelected(tx, actor, selection, MOST_BOOKINGS + 1)
  if (found.length > MOST_BOOKINGS) throw workflowsErrors.bulkTooLarge({ limit: MOST_BOOKINGS })
  if ('ids' in selection) {
    const known = new Set(found)
    const at = selection.ids.findIndex((id) => !known.has(id))
    if (at >= 0)
      throw fleetErrors.unknownBooking({
        field: 'changes' in input.action ? `action.changes.${at}.id` : `ids.${at}`,
      })
  }
  if (expectedCount !== null && expectedCount !== found.length) {
    throw workflowsErrors.selectionChanged({ count: found.length })
  }
  return startOperation(tx, actor, { kind: 'reservation_bulk', atomic, input: { ...input, action }, subjectIds: found })
}

/** Returns an action with the resources of the pool that it names. */
async function withPool(tx: Tx, { organizationId }: Actor, action: BulkAction): Promise<BulkAction> {
  const pool = 'reassign' in action ? action.reassign.pool : undefined
  if (!('reassign' in action) || pool === undefined) return action
  const choice = { pool, locationId: null }
  const resourceIds = await findPoolMembers(tx.db, organizationId, choice, 'action.reassign.pool')
  return { reassign: { ...action.reassign, resourceIds } }
}

async function assertIsDoable(tx: Tx, actor: Actor, { action, hasChoices }: NewBulk): Promise<void> {
  const { settings } = actor.organization
  if ('cancel' in action) {
    const { category } = action.cancel
    const refusal = refuseCancellation({ now: tx.now, start: tx.now, category, deskStaff: true, settings })
    const field = 'action.cancel.category'
    const categories = settings.cancellationCategories.join(', ')
    if (refusal) throw invalidFields([{ field, message: schedulingErrors.categoryUnknown({ field, categories }) }])
  }
  if ('reassign' in action) {
    const { resourceIds = [], instructorOrgUserIds } = action.reassign
    const resourceAt = (at: number) => (hasChoices ? `resources.${at}.id` : 'resource.id')
    const instructorAt = (at: number) => (instructorOrgUserIds ? `instructorOrgUserIds.${at}` : 'instructorOrgUserId')
    await assertHasResources(tx, actor, resourceIds, (at) => `action.reassign.${resourceAt(at)}`)
    for (const [at, id] of instructorsOf(action.reassign).entries()) {
      await assertIsMember(tx, actor, id, `action.reassign.${instructorAt(at)}`, ['instructor'])
    }
  }
}
