import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Role } from '../../platform/authz/roles.ts'
import { enforcements, type OverridingRole } from '../../platform/authz/rule-settings.ts'
import { tenantRecord } from '../../platform/db/columns.ts'
import { currencyAudiences, currencyKinds } from './currency.rules.ts'
import { medicalPrivileges } from './medical.rules.ts'

/**
 * A currency that members need. An empty list of roles, types or resources means all. `expiring` has a recorded date,
 * computed from `validCalendarMonths` unless given; `recent_flights` counts signed flights; the other kinds follow a
 * regulation.
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
    enforcement: p.enum(enforcements).default('warn'),
    liftedWhenSupervised: p.boolean().default(false),
    overridableBy: p.json<readonly OverridingRole[]>(),
    appliesTo: p.enum(currencyAudiences).default('everyone'),
    warnDays: p.integer().default(30),
    validCalendarMonths: p.integer().nullable(),
    flightCount: p.integer().nullable(),
    flightDays: p.integer().nullable(),
    /** The privilege that a medical is for: 14 CFR 61.23(a). */
    privilege: p.enum(medicalPrivileges).nullable(),
  },
})
export type CurrencyRule = InferEntity<typeof CurrencyRule>
