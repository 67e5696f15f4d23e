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
    /** Null: never expires. */
    expiresAt: instant().nullable(),
    documentId: p.integer().nullable(),
    recordedBy: p.integer(),
    /** The member from whom a merge brought it. */
    mergedFrom: p.integer().nullable(),
    /** For a medical: its class. `completedAt` is then the examination; BasicMed also has a course. */
    medicalClass: p.enum(medicalClasses).nullable(),
    courseAt: instant().nullable(),
    /** Set when its member was erased: until when the law has the organization keep it. */
    keptUntil: instant().nullable(),
  },
})

/** The last notice that a member got of the end of a currency: the end it was for, and its days before that end. */
export const CurrencyNotice = defineEntity({
  name: 'CurrencyNotice',
  tableName: 'currency_end_notice',
  properties: {
    ...tenantRecord,
    currencyRuleId: p.integer(),
    membershipId: p.integer(),
    /** The `scopeKey` of the aircraft, for a currency that depends on the aircraft; else empty. */
    scope: p.text().default(''),
    toldFor: instant(),
    toldDays: p.smallint(),
  },
})
