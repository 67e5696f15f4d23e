import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { roles } from '../../../shared/platform/authz/roles.ts'
import { enforcements, overridingRoles } from '../../../shared/platform/authz/rule-settings.ts'
import type { CurrencyRow } from '../../../shared/qualification/currencies/currency.queries.ts'
import {
  currencyAudiences,
  currencyKinds,
  currencyStatuses,
} from '../../../shared/qualification/currencies/currency.rules.ts'
import type { MemberCurrency } from '../../../shared/qualification/currencies/currency-state.queries.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** A currency that members need. */
export const Currency = z
  .object({
    id: Id,
    name: z.string().meta({ examples: ['Flight review'] }),
    kind: z.enum(currencyKinds),
    roles: z.array(z.enum(roles)),
    reservationTypes: z.array(z.enum(reservationTypes)),
    resourceIds: z.array(Id),
    enforcement: z.enum(enforcements),
    liftedWhenSupervised: z.boolean(),
    overridableBy: z.array(z.enum(overridingRoles)),
    appliesTo: z.enum(currencyAudiences),
    blocking: z.boolean(),
    warnDays: z.int().meta({ examples: [30] }),
    validCalendarMonths: z
      .int()
      .nullable()
      .meta({ examples: [24] }),
    count: z.int().nullable(),
    days: z.int().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Currency' })

/** Returns a currency as the response shows it. */
export function currencyView(row: CurrencyRow): z.input<typeof Currency> {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    roles: row.roles,
    reservationTypes: row.reservation_types,
    resourceIds: row.resource_ids,
    enforcement: row.enforcement,
    liftedWhenSupervised: row.lifted_when_supervised,
    overridableBy: [...row.overridable_by],
    appliesTo: row.applies_to,
    blocking: row.enforcement === 'block',
    warnDays: row.warn_days,
    validCalendarMonths: row.valid_calendar_months ?? null,
    count: row.flight_count ?? null,
    days: row.flight_days ?? null,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** A member's state in one currency. */
export const CurrencyRecord = z
  .object({
    orgUserId: Id,
    currencyId: Id,
    currency: z.object({ id: Id, name: z.string(), kind: z.enum(currencyKinds), blocking: z.boolean() }),
    completedAt: Instant.nullable().describe('Recent flights: the latest flight'),
    expiresAt: Instant.nullable().describe('Recent flights: when they will have lapsed'),
    documentId: Id.nullable(),
    status: z.enum(currencyStatuses),
  })
  .meta({ id: 'CurrencyRecord' })

/** Returns a member's state in a currency as the response shows it. */
export function currencyRecordView({ currency, ...state }: MemberCurrency): z.input<typeof CurrencyRecord> {
  return {
    ...state,
    currencyId: currency.id,
    currency,
    completedAt: iso(state.completedAt),
    expiresAt: iso(state.expiresAt),
  }
}
