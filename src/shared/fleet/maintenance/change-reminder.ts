import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { zoneOfResource } from '../resources/resource.queries.ts'
import { assertFitsBasis, meterOf, type ReminderFields } from './add-reminder.ts'
import { lockReminder } from './maintenance.access.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { nextDue } from './reminder.rules.ts'

/**
 * Changes the given fields. A new interval, or another time of the last completion, moves the due date or reading
 * unless that is given too. The resource and the basis stay.
 * @throws NotFound when the organization has no such item.
 * @throws Invalid for fields of the other basis and for a grounding item of a room.
 */
export async function changeReminder(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: ReminderFields,
): Promise<{ id: number }> {
  const { reminder, resource } = await lockReminder(tx, actor, id)
  assertFitsBasis(reminder.basis, changes)
  if (resource.kind === 'room' && changes.grounding) throw fleetErrors.roomNotGrounding()
  const given = <T>(sent: T | undefined, stored: T) => (sent === undefined ? stored : sent)
  tx.em.assign(reminder, {
    name: given(changes.name, reminder.name),
    intervalMonths: given(changes.intervalMonths, reminder.intervalMonths),
    intervalHundredths: given(changes.intervalHours, reminder.intervalHundredths),
    lastDoneAt: given(changes.lastDoneAt, reminder.lastDoneAt),
    lastDoneHundredths: given(changes.lastDoneReading, reminder.lastDoneHundredths),
    warnDays: given(changes.warnDays, reminder.warnDays),
    warnHundredths: given(changes.warnHours, reminder.warnHundredths),
    grounding: given(changes.grounding, reminder.grounding),
  })
  const recounts = (['intervalMonths', 'intervalHours', 'lastDoneAt', 'lastDoneReading'] as const).some(
    (name) => changes[name] !== undefined,
  )
  if (recounts) {
    const counted = nextDue(
      {
        basis: reminder.basis,
        intervalMonths: reminder.intervalMonths ?? null,
        intervalHundredths: reminder.intervalHundredths ?? null,
      },
      {
        doneAt: reminder.lastDoneAt ?? tx.now,
        reading: reminder.lastDoneHundredths ?? meterOf(resource, reminder.basis),
        zone: await zoneOfResource(tx.db, resource),
      },
    )
    tx.em.assign(reminder, counted)
  }
  if (changes.dueAt !== undefined) reminder.dueAt = changes.dueAt
  if (changes.dueReading !== undefined) reminder.dueHundredths = changes.dueReading
  await recomputeHoldOf(tx, resource, actor.orgUserId)
  return { id }
}

/**
 * Deletes a maintenance item with its history and recomputes the hold.
 * @throws NotFound when the organization has no such item.
 */
export async function deleteReminder(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { reminder, resource } = await lockReminder(tx, actor, id)
  tx.em.remove(reminder)
  await recomputeHoldOf(tx, resource, actor.orgUserId)
}
