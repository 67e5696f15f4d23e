import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { RuleKey } from './rule-catalogue.rules.ts'

/**
 * An override of a rule for one booking: by whom and why, with the resource and the start that the booking had then.
 * The reason may be medical, so it is stored here and in no event. Kysely writes the table; the ORM only declares its
 * columns.
 */
export const RuleOverride = defineEntity({
  name: 'RuleOverride',
  tableName: 'rule_override',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    rule: p.text().$type<RuleKey>(),
    /** The person whom the finding is about; null when it is about nobody. */
    membershipId: p.integer().nullable(),
    resourceId: p.integer().nullable(),
    startsAt: instant(),
    reason: p.text(),
    overriddenBy: p.integer(),
    /** When the digest with it was enqueued. */
    toldAt: instant().nullable(),
  },
})
