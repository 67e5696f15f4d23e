import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimUntoldOverrides } from './override.access.ts'

/**
 * Enqueues one digest per organization of what was overridden until seven o'clock of its own zone and is not told yet; none
 * where nothing was. Returns how many overrides. Implements interface §Booking rules (overrides).
 */
export async function notifyOverrides(tx: Tx): Promise<number> {
  const claimed = await claimUntoldOverrides(tx)
  for (const organizationId of new Set(claimed)) {
    notify(tx, { organizationId, kind: 'rules_overridden', subjectId: organizationId, causedBy: null })
  }
  return claimed.length
}
