import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { MaintenanceItem } from '../fleet.tables.ts'
import { zoneOfResource } from '../resources/resource.queries.ts'
import type { MaintenanceScope } from '../resources/resource.rules.ts'
import { lastDoneAnomalies } from './completion.rules.ts'
import { assertHasMeters, type LimitFields, type LimitInput, limitFrom, limitsFrom } from './limit-fields.rules.ts'
import { assertHasResource, metersOf } from './maintenance.access.ts'
import { findMaintenanceItemsOf } from './maintenance-item.queries.ts'
import type { Limit, LimitBasis, MeterReadings } from './maintenance-item.rules.ts'
import { kindByName, type MaintenanceKind } from './maintenance-kind.rules.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

/**
 * The fields of a maintenance item in a body. Its limits are either the fields of a single limit, or `limits`, which
 * takes precedence.
 */
export interface MaintenanceItemFields extends LimitFields {
  name?: string | undefined
  limits?: LimitInput[] | undefined
  carry?: boolean | undefined
  scope?: MaintenanceScope | undefined
  kind?: MaintenanceKind | undefined
  /** The ids of items of the same resource that are completed together with this item. */
  satisfies?: number[] | undefined
  warnDays?: number | undefined
  warnHours?: Hundredths | undefined
  grounding?: boolean | undefined
  /** Whether readings that look like typos were confirmed. */
  confirmMeterAnomaly?: boolean | undefined
}

export interface NewMaintenanceItem extends MaintenanceItemFields {
  resourceId: number
  name: string
  basis?: LimitBasis | undefined
  warnDays: number
  warnHours: Hundredths
  grounding: boolean
}

/**
 * Adds a maintenance item. Each limit is due as given. Otherwise it is due one interval after the given last completion
 * or, without one, one interval after the present time or reading.
 * Implements interface §Maintenance and docs/decisions/0024.
 */
export async function addMaintenanceItem(tx: Tx, actor: Actor, input: NewMaintenanceItem): Promise<{ id: number }> {
  const { organizationId } = actor
  const resource = await assertHasResource(tx, actor, input.resourceId)
  if (resource.kind === 'room' && input.grounding) throw fleetErrors.roomNotGrounding()
  const from = { now: tx.now, meters: metersOf(resource), zone: await zoneOfResource(tx.db, resource) }
  const limits = input.limits ? limitsFrom(input.limits, [], from) : [limitFrom(oneLimit(input), null, from)]
  assertHasMeters(resource, limits)
  assertLastDoneFits(input, input.limits ?? [oneLimit(input)], from.meters)
  const item = tx.em.create(MaintenanceItem, {
    organizationId,
    resourceId: resource.id,
    name: input.name,
    carry: input.carry ?? false,
    scope: input.scope ?? 'all',
    kind: input.kind ?? kindByName(input.name),
    warnDays: input.warnDays,
    warnHundredths: input.warnHours,
    grounding: input.grounding,
  })
  await tx.em.flush()
  await replaceLimits(tx, item, limits)
  if (input.satisfies) await replaceSatisfied(tx, item, input.satisfies)
  await recomputeHoldOf(tx, resource, actor.orgUserId)
  return { id: item.id }
}

/** Ensures that the readings of the last completion in the given limits fit the aircraft and what is stored, or are confirmed. */
export function assertLastDoneFits(
  { confirmMeterAnomaly }: Pick<MaintenanceItemFields, 'confirmMeterAnomaly'>,
  given: readonly LimitInput[],
  meters: MeterReadings,
  stored: readonly Limit[] = [],
): void {
  const anomalies = confirmMeterAnomaly ? [] : lastDoneAnomalies(given, meters, stored)
  if (anomalies.length > 0) throw fleetErrors.meterAnomaly({}, { anomalies })
}

function oneLimit({ basis, ...fields }: NewMaintenanceItem): LimitInput {
  if (!basis) throw fleetErrors.limitMissing()
  return { ...fields, basis }
}

/** Replaces the stored limits of an item. The caller holds the lock of its resource. */
export async function replaceLimits(
  tx: Tx,
  { organizationId, id }: Pick<MaintenanceItem, 'organizationId' | 'id'>,
  limits: readonly Limit[],
): Promise<void> {
  const key = { organization_id: organizationId, reminder_id: id }
  await tx.db
    .deleteFrom('maintenance_limit')
    .where('organization_id', '=', organizationId)
    .where('reminder_id', '=', id)
    .execute()
  await tx.db
    .insertInto('maintenance_limit')
    .values(
      limits.map((limit) => ({
        ...key,
        basis: limit.basis,
        interval_months: limit.intervalMonths,
        interval_days: limit.intervalDays,
        interval_hundredths: limit.interval,
        last_done_at: limit.lastDoneAt,
        last_done_hundredths: limit.lastDone,
        due_at: limit.dueAt,
        due_hundredths: limit.due,
        used_hundredths: limit.used,
      })),
    )
    .execute()
}

/** Replaces the list of items that are completed together with an item. */
export async function replaceSatisfied(
  tx: Tx,
  { organizationId, id, resourceId }: Pick<MaintenanceItem, 'organizationId' | 'id' | 'resourceId'>,
  satisfied: readonly number[],
): Promise<void> {
  const known = new Set((await findMaintenanceItemsOf(tx.db, organizationId, resourceId)).map((row) => row.id))
  const unknown = satisfied.findIndex((wanted) => wanted === id || !known.has(wanted))
  if (unknown >= 0) throw fleetErrors.satisfiesOther({ field: `satisfies.${unknown}` })
  await tx.db
    .deleteFrom('maintenance_satisfaction')
    .where('organization_id', '=', organizationId)
    .where('reminder_id', '=', id)
    .execute()
  if (satisfied.length === 0) return
  const pairs = [...new Set(satisfied)].map((satisfiedId) => ({
    organization_id: organizationId,
    reminder_id: id,
    satisfied_id: satisfiedId,
  }))
  await tx.db.insertInto('maintenance_satisfaction').values(pairs).execute()
}
