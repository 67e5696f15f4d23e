import type { DomainEvent } from '../../shared/communication/communication.jobs.ts'
import {
  type LoweredRule,
  type OverriddenRule,
  ruleLowered,
  rulesOverridden,
} from '../../shared/communication/notifications/templates/rules.rules.ts'
import { admins } from '../../shared/platform/authz/roles.ts'
import { findLoweredRule, findNotifiedOverrides } from '../../shared/scheduling/rules/rules.queries.ts'
import {
  defineNotification,
  everyone,
  type NotificationDefinitions,
  type NotificationSources,
} from '../communication/notifications/define-notification.ts'

/** Returns the rule whose enforcement was lowered at the instant of the event; null when there is none. */
function loweredRule(
  { database }: NotificationSources,
  { organizationId, happenedAt }: DomainEvent,
): Promise<LoweredRule | null> {
  return findLoweredRule(database.db, organizationId, new Date(happenedAt))
}

/** Returns the rule overrides in the digest of the event's instant; null when there are none. */
async function notifiedOverrides(
  { database }: NotificationSources,
  { organizationId, happenedAt }: DomainEvent,
): Promise<{ overrides: OverriddenRule[] } | null> {
  const overrides = await findNotifiedOverrides(database.db, organizationId, new Date(happenedAt))
  return overrides.length === 0 ? null : { overrides }
}

/** The notifications of the booking rules, by their kind. */
export const ruleNotifications = {
  rule_lowered: defineNotification(loweredRule, everyone(['owner']), ruleLowered),
  rules_overridden: defineNotification(notifiedOverrides, everyone(admins), rulesOverridden),
} satisfies Partial<NotificationDefinitions>
