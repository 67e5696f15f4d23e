import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/** A member's recorded dates of an expiring currency; the latest record replaces an earlier one. */
export const CurrencyRecord = defineEntity({
  name: 'CurrencyRecord',
  tableName: 'currency_record',
  properties: {
    ...tenantRecord,
    currencyRuleId: p.integer(),
    membershipId: p.integer(),
    completedAt: instant(),
    /** Null never expires. */
    expiresAt: instant().nullable(),
    documentId: p.integer().nullable(),
    recordedBy: p.integer(),
  },
})

/** The last notice of the end of a currency that a member got: of which end, and how many days before it. */
export const CurrencyNotice = defineEntity({
  name: 'CurrencyNotice',
  tableName: 'currency_notice',
  properties: {
    ...tenantRecord,
    currencyRuleId: p.integer(),
    membershipId: p.integer(),
    toldFor: instant(),
    toldDays: p.smallint(),
  },
})
