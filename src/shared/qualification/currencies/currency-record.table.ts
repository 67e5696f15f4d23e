import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { medicalClasses } from './medical.rules.ts'

/** A member's recorded dates of a currency; the latest record replaces an earlier one. */
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
    /** Of a medical: its class. The examination is its completion, and BasicMed has a course besides. */
    medicalClass: p.enum(medicalClasses).nullable(),
    courseAt: instant().nullable(),
  },
})

/** The last notice of the end of a currency that a member got: of which end, and how many days before it. */
export const CurrencyNotice = defineEntity({
  name: 'CurrencyNotice',
  tableName: 'currency_end_notice',
  properties: {
    ...tenantRecord,
    currencyRuleId: p.integer(),
    membershipId: p.integer(),
    /** The aircraft, for a currency that depends on the aircraft; else empty. */
    scope: p.text().default(''),
    toldFor: instant(),
    toldDays: p.smallint(),
  },
})
