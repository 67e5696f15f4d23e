import { controlKeys, controlsOf, dueSettings } from '../../platform/authz/loosened.rules.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { lockOrganizationIfAny } from './organization.access.ts'
import { applyLoosened } from './organizations.jobs.ts'

type Controls = ReturnType<typeof controlsOf>

/**
 * Lets a loosened control hold whose time has come. What was tightened meanwhile no longer waits. Asked before its time, by a
 * clock that is fast, it is asked again then. Implements interface §Organizations.
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

/** Returns the controls that differ from others. */
function changedOf(these: Controls, others: Controls) {
  return Object.fromEntries(controlKeys.flatMap((key) => (these[key] === others[key] ? [] : [[key, these[key]]])))
}
