import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimUnnotifiedOverrides } from './override.access.ts'

/**
 * Enqueues one digest per organization after 07:00 in its zone. The digest contains the overrides that were made before 07:00
 * and that no earlier digest contains; without such overrides there is none. Returns the number of overrides. Implements
 * interface §Booking rules (overrides).
 */
export async function notifyOverrides(tx: Tx): Promise<number> {
  const claimed = await claimUnnotifiedOverrides(tx)
  for (const organizationId of new Set(claimed)) {
    notify(tx, { organizationId, kind: 'rules_overridden', subjectId: organizationId, causedBy: null })
  }
  return claimed.length
}
