import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { Resource } from '../resources/resource.entity.ts'
import { zoneOfResource } from '../resources/resource.queries.ts'
import { mustHaveResource } from './maintenance.access.ts'
import { MaintenanceReminder } from './maintenance.entity.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { nextDue, type ReminderBasis } from './reminder.rules.ts'

/** The fields of a maintenance item in a body; readings and hours are hundredths of an hour. */
export interface ReminderFields {
  name?: string | undefined
  intervalMonths?: number | null | undefined
  intervalHours?: Hundredths | null | undefined
  lastDoneAt?: Date | null | undefined
  lastDoneReading?: Hundredths | null | undefined
  dueAt?: Date | null | undefined
  dueReading?: Hundredths | null | undefined
  warnDays?: number | undefined
  warnHours?: Hundredths | undefined
  grounding?: boolean | undefined
}

export interface NewReminder extends ReminderFields {
  resourceId: number
  name: string
  basis: ReminderBasis
  warnDays: number
  warnHours: Hundredths
  grounding: boolean
}

/**
 * Adds a maintenance item. Its due date or reading is given, or computed from the last completion; without either, from
 * now and the present reading.
 * @throws Invalid for an unknown resource, a meter that it does not have, fields of the other basis, or neither an
 * interval nor a due date or reading.
 */
export async function addReminder(tx: Tx, actor: Actor, input: NewReminder): Promise<{ id: number }> {
  const { organizationId } = actor
  const resource = await mustHaveResource(tx, actor, input.resourceId)
  assertFitsBasis(input.basis, input)
  assertHasMeter(resource, input.basis)
  if (resource.kind === 'room' && input.grounding) throw fleetErrors.roomNotGrounding()
  const interval = {
    basis: input.basis,
    intervalMonths: input.intervalMonths ?? null,
    intervalHundredths: input.intervalHours ?? null,
  }
  const counted = nextDue(interval, {
    doneAt: input.lastDoneAt ?? tx.now,
    reading: input.lastDoneReading ?? meterOf(resource, input.basis),
    zone: await zoneOfResource(tx.db, resource),
  })
  const due = { dueAt: input.dueAt ?? counted.dueAt, dueHundredths: input.dueReading ?? counted.dueHundredths }
  if (due.dueAt === null && due.dueHundredths === null)
    throw input.basis === 'calendar' ? fleetErrors.calendarNotDue() : fleetErrors.meterNotDue()
  const reminder = tx.em.create(MaintenanceReminder, {
    organizationId,
    resourceId: resource.id,
    name: input.name,
    ...interval,
    lastDoneAt: input.lastDoneAt ?? null,
    lastDoneHundredths: input.lastDoneReading ?? null,
    ...due,
    warnDays: input.warnDays,
    warnHundredths: input.warnHours,
    grounding: input.grounding,
  })
  await tx.em.flush()
  await recomputeHoldOf(tx, resource, actor.orgUserId)
  return { id: reminder.id }
}

/**
 * A maintenance item has only the fields of its basis.
 * @throws Invalid naming a field of the other basis.
 */
export function assertFitsBasis(basis: ReminderBasis, fields: ReminderFields): void {
  const foreign =
    basis === 'calendar' ? (['intervalHours', 'dueReading'] as const) : (['intervalMonths', 'dueAt'] as const)
  for (const name of foreign) {
    if (fields[name] != null) throw fleetErrors.notOfThisBasis({ field: name, basis })
  }
}

/** Returns the present reading of the resource's meter; null by the calendar and before the first reading. */
export function meterOf(resource: Resource, basis: ReminderBasis): Hundredths | null {
  if (basis === 'calendar') return null
  return (basis === 'hobbs' ? resource.hobbsHundredths : resource.tachHundredths) ?? null
}

function assertHasMeter({ kind, name }: Resource, basis: ReminderBasis): void {
  const meters: readonly ReminderBasis[] =
    kind === 'plane' ? ['hobbs', 'tach', 'calendar'] : kind === 'simulator' ? ['hobbs', 'calendar'] : ['calendar']
  if (!meters.includes(basis)) throw fleetErrors.noSuchMeter({ resource: name, basis })
}
