import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Role } from '../../platform/authz/roles.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { currencyKinds } from './currency.rules.ts'

/**
 * A currency that members need. Empty lists of roles, types and resources mean all of them. An expiring currency has a
 * recorded date, computed from `validCalendarMonths` unless given. Recent flights are counted.
 */
export const CurrencyRule = defineEntity({
  name: 'CurrencyRule',
  tableName: 'currency_rule',
  properties: {
    ...tenantRecord,
    name: p.text(),
    kind: p.enum(currencyKinds),
    roles: p.json<Role[]>(),
    reservationTypes: p.json<ReservationType[]>(),
    resourceIds: p.json<number[]>(),
    blocking: p.boolean().default(false),
    warnDays: p.integer().default(30),
    validCalendarMonths: p.integer().nullable(),
    flightCount: p.integer().nullable(),
    flightDays: p.integer().nullable(),
  },
})
export type CurrencyRule = InferEntity<typeof CurrencyRule>

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
export type CurrencyRecord = InferEntity<typeof CurrencyRecord>

/** The last end of a currency that a member was notified of; another end gets another notification. */
export const CurrencyNotice = defineEntity({
  name: 'CurrencyNotice',
  tableName: 'currency_notice',
  properties: { ...tenantRecord, currencyRuleId: p.integer(), membershipId: p.integer(), toldFor: instant() },
})
export type CurrencyNotice = InferEntity<typeof CurrencyNotice>
