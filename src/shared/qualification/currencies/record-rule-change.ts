import { notify } from '../../communication/notifications/notify.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Enforcement } from '../../platform/authz/rule-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type EventInput, emit } from '../../platform/events/emit.ts'

type RuleChange = EventInput<'rule.changed'>

/** The enforcement of a rule, among its other settings. */
interface Settings {
  enforcement: Enforcement
}

/**
 * Records that a booking rule was added, changed or deleted. Notifies the owners when a rule no longer blocks, whoever
 * changed it.
 */
export function recordRuleChange(
  tx: Tx,
  actor: Actor,
  subject: RuleChange['subject'],
  { before, after }: { before?: Settings & RuleChange['before']; after?: Settings & RuleChange['after'] },
): void {
  emit(tx, actor, { kind: 'rule.changed', subject, ...(before && { before }), ...(after && { after }) })
  if (before?.enforcement !== 'block' || after?.enforcement === 'block') return
  const { organizationId } = actor
  notify(tx, { organizationId, kind: 'rule_lowered', subjectId: organizationId, causedBy: null })
}
