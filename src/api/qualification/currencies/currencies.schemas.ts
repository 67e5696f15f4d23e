import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { currencyKinds } from '../../../shared/qualification/currencies/currency.rules.ts'
import { distinct, Id, InstantInput, name, PathId, RoleNames } from '../../http/schemas.ts'

const fields = {
  name: name(100).meta({ examples: ['90-day checkout'] }),
  kind: z.enum(currencyKinds).describe('`expiring`: somebody records a date; `recent_flights`: signed flights count'),
  roles: RoleNames.describe('Who must be current; empty: everyone'),
  reservationTypes: z.array(z.enum(reservationTypes)).max(50).transform(distinct).describe('Empty: all'),
  resourceIds: z
    .array(Id)
    .max(500)
    .transform(distinct)
    .describe('Empty: all. Recent flights count on these only, or on any plane'),
  blocking: z.boolean().describe('Whether who is not current is refused at booking'),
  warnDays: z
    .int()
    .min(0)
    .max(3650)
    .describe('For how many days before its end it is `expiring`; members are told 30, 14 and 3 days ahead in any case')
    .meta({ examples: [30] }),
  validCalendarMonths: z
    .int()
    .min(1)
    .max(600)
    .nullable()
    .describe('How long an expiring one is good for, to the end of the month; null: a date is given each time')
    .meta({ examples: [null] }),
  count: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .meta({ examples: [3] }),
  days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .meta({ examples: [90] }),
}

const example = {
  name: '90-day recency',
  kind: 'recent_flights',
  roles: ['renter'],
  count: 3,
  days: 90,
  blocking: true,
}

export const CurrencyBody = z
  .object({
    ...fields,
    roles: fields.roles.default([]),
    reservationTypes: fields.reservationTypes.default([]),
    resourceIds: fields.resourceIds.default([]),
    blocking: fields.blocking.default(false),
    warnDays: fields.warnDays.default(30),
    validCalendarMonths: fields.validCalendarMonths.default(null),
    count: fields.count.default(null),
    days: fields.days.default(null),
  })
  .meta({ examples: [example] })

export const CurrencyPatch = z
  .object(fields)
  .partial()
  .meta({ examples: [{ blocking: true }] })

export const CurrencyOfMemberParams = z.object({ id: PathId, currencyId: PathId })

export const RecordCurrencyBody = z
  .object({
    completedAt: InstantInput,
    expiresAt: InstantInput.nullable()
      .optional()
      .describe('Left out: as long as the currency is good for; null: never'),
    documentId: Id.nullish().describe('The document of the member that shows it, such as their medical'),
  })
  .meta({ examples: [{ completedAt: '2026-11-20T15:00:00Z' }] })
