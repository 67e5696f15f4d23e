import { controlKeys, controlsOf, dueSettings } from '../../platform/authz/loosened.rules.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { lockOrganizationIfAny } from './organization.access.ts'
import { applyLoosened } from './organizations.jobs.ts'

type Controls = ReturnType<typeof controlsOf>

/**
 * Puts looser values of money controls into effect when their 24 hours are over. A control that was tightened in the
 * meantime has no pending value any more. When no value is due yet, because the clock of the queue is fast, enqueues
 * the job again for the time of the next value. Does nothing for a deleted organization.
 * Implements interface §Organizations.
 */
export async function applyLoosenedControls(tx: Tx, { organizationId }: { organizationId: number }): Promise<void> {
  const organization = await lockOrganizationIfAny(tx, organizationId)
  if (!organization) return
  const before = controlsOf(readSettings(organization.settings))
  const due = dueSettings(before, tx.now)
  if (!due) {
    const [next] = before.upcoming
    if (next) tx.enqueue(applyLoosened, { organizationId }, { availableAt: new Date(next.from) })
    return
  }
  organization.settings = { ...organization.settings, ...due }
  emit(
    tx,
    { organizationId, orgUserId: null },
    {
      kind: 'organization.changed',
      subject: { kind: 'organization', id: organizationId },
      before: { settings: changedOf(before, due) },
      after: { settings: changedOf(due, before) },
    },
  )
}

/** Returns the controls in `these` that differ from those in `others`. */
function changedOf(these: Controls, others: Controls) {
  return Object.fromEntries(controlKeys.flatMap((key) => (these[key] === others[key] ? [] : [[key, these[key]]])))
}
