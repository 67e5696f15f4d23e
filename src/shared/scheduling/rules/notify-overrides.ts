import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimUnnotifiedOverrides } from './override.access.ts'

/**
 * Enqueues one digest per organization of the overrides before the latest 07:00 of its zone that no digest named yet;
 * none without such overrides. Returns the number of overrides. Implements interface §Booking rules (overrides).
 */
export async function notifyOverrides(tx: Tx): Promise<number> {
  const claimed = await claimUnnotifiedOverrides(tx)
  for (const organizationId of new Set(claimed)) {
    notify(tx, { organizationId, kind: 'rules_overridden', subjectId: organizationId, causedBy: null })
  }
  return claimed.length
}
