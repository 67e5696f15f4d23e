import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { zoneOfResource } from '../resources/resource.queries.ts'
import { meterOf } from './add-reminder.ts'
import { lockReminder } from './maintenance.access.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { nextDue } from './reminder.rules.ts'

export interface Completion {
  doneAt: Date | null
  /** Of the meter of the item's basis, in hundredths of an hour. */
  reading: Hundredths | null
  notes: string | null
}

/**
 * Records a completion: now and at the present reading unless given. The next interval starts there; an item without
 * one does not come due again. The hold is recomputed.
 * @throws NotFound when the organization has no such item.
 * @throws Invalid for a completion in the future, and when the reading is neither given nor known.
 */
export async function completeReminder(tx: Tx, actor: Actor, id: number, input: Completion): Promise<{ id: number }> {
  const { organizationId, orgUserId } = actor
  const { reminder, resource } = await lockReminder(tx, actor, id)
  const doneAt = input.doneAt ?? tx.now
  if (doneAt > tx.now) throw fleetErrors.doneInFuture()
  const byMeter = reminder.basis !== 'calendar'
  const reading = input.reading ?? (byMeter ? meterOf(resource, reminder.basis) : null)
  if (byMeter && reading === null) throw fleetErrors.readingMissing()
  await tx.db
    .insertInto('maintenance_completion')
    .values({
      organization_id: organizationId,
      reminder_id: id,
      membership_id: orgUserId,
      done_at: doneAt,
      reading_hundredths: reading,
      notes: input.notes,
    })
    .execute()
  const interval = {
    basis: reminder.basis,
    intervalMonths: reminder.intervalMonths ?? null,
    intervalHundredths: reminder.intervalHundredths ?? null,
  }
  tx.em.assign(reminder, {
    lastDoneAt: doneAt,
    lastDoneHundredths: byMeter ? reading : reminder.lastDoneHundredths,
    ...nextDue(interval, { doneAt, reading, zone: await zoneOfResource(tx.db, resource) }),
    toldStatus: 'ok',
  })
  await recomputeHoldOf(tx, resource, orgUserId)
  return { id }
}
