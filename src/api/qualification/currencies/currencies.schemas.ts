import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { enforcements } from '../../../shared/platform/authz/rule-settings.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import {
  currencyAudiences,
  currencyKinds,
  type EnforcementInput,
} from '../../../shared/qualification/currencies/currency.rules.ts'
import { medicalClasses, medicalPrivileges } from '../../../shared/qualification/currencies/medical.rules.ts'
import { distinct, Id, InstantInput, name, OverridingRoles, PathId, RoleNames } from '../../http/schemas.ts'

const fields = {
  name: name(100).meta({ examples: ['90-day checkout'] }),
  kind: z
    .enum(currencyKinds)
    .describe(
      'The school’s own rules: `expiring`, somebody records a date; `recent_flights`, so many signed flights in so many ' +
        'days, which is a rule of the school and not the recency for passengers of 14 CFR 61.57. Rules of a regulation: ' +
        '`passenger_day` and `passenger_night` (61.57(a), (b)) and `instrument` (61.57(c), (d)) by the flight log; ' +
        '`flight_review` (61.56); `medical` (61.23, BasicMed included); `instructor_certificate` (61.197)',
    )
    .meta({ examples: ['recent_flights'] }),
  roles: RoleNames.describe('Who must be current; empty: everyone'),
  reservationTypes: z.array(z.enum(reservationTypes)).max(50).transform(distinct).describe('Empty: all'),
  resourceIds: z
    .array(Id)
    .max(500)
    .transform(distinct)
    .describe('Empty: all. Recent flights count on these only, or on any plane'),
  enforcement: z
    .enum(enforcements)
    .describe(
      'What becomes of a booking when somebody is not current: `off` nothing, `warn` a warning, `block` refused',
    )
    .meta({ examples: ['warn'] }),
  liftedWhenSupervised: z.boolean().describe('Whether an instructor aboard lifts it from everybody else'),
  overridableBy: OverridingRoles.describe('The roles that may book in spite of it'),
  appliesTo: z.enum(currencyAudiences).describe('`pic`: only of whoever would be pilot in command'),
  blocking: z.boolean().describe('Older word for `enforcement`: true is `block`, false is not'),
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
  privilege: z
    .enum(medicalPrivileges)
    .nullable()
    .describe('What a `medical` is asked for (14 CFR 61.23(a)); `private` when left out')
    .meta({ examples: [null] }),
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
  enforcement: 'block',
}

const agree = ({ enforcement, blocking }: EnforcementInput) =>
  enforcement === undefined || blocking === undefined || blocking === (enforcement === 'block')
const disagreement = { path: ['blocking'], message: fieldErrors.sayTheSame({ other: 'enforcement' }) }

export const CurrencyBody = z
  .object({
    ...fields,
    roles: fields.roles.default([]),
    reservationTypes: fields.reservationTypes.default([]),
    resourceIds: fields.resourceIds.default([]),
    enforcement: fields.enforcement.optional(),
    liftedWhenSupervised: fields.liftedWhenSupervised.default(false),
    overridableBy: fields.overridableBy.default(['owner', 'admin']),
    appliesTo: fields.appliesTo.default('everyone'),
    blocking: fields.blocking.optional(),
    warnDays: fields.warnDays.default(30),
    validCalendarMonths: fields.validCalendarMonths.default(null),
    count: fields.count.default(null),
    days: fields.days.default(null),
    privilege: fields.privilege.default(null),
  })
  .refine(agree, disagreement)
  .meta({ examples: [example] })

export const CurrencyPatch = z
  .object(fields)
  .partial()
  .refine(agree, disagreement)
  .meta({ examples: [{ enforcement: 'block' }] })

export const CurrencyOfMemberParams = z.object({ id: PathId, currencyId: PathId })

export const RecordCurrencyBody = z
  .object({
    completedAt: InstantInput.optional().describe(
      'Required but for a medical. Of `flight_review`: the review, or the proficiency check or phase of WINGS that satisfies ' +
        'it (14 CFR 61.56(d), (e)), or a practical test that is not among the tests here; of `instrument`: the proficiency check (61.57(d)); of ' +
        '`instructor_certificate`: the renewal (61.197)',
    ),
    class: z
      .enum(medicalClasses)
      .optional()
      .describe('Of a medical; `basic` is BasicMed')
      .meta({ examples: ['third'] }),
    examinedAt: InstantInput.optional().describe('Of a medical, in place of `completedAt`'),
    courseAt: InstantInput.nullish().describe('Of BasicMed: the online course (14 CFR 61.23(c)(3))'),
    expiresAt: InstantInput.nullable()
      .optional()
      .describe('Of `expiring` alone. Left out: as long as the currency is good for; null: never'),
    documentId: Id.nullish().describe('The document of the member that shows it, such as their medical'),
  })
  .meta({ examples: [{ completedAt: '2026-11-20T15:00:00Z' }] })
