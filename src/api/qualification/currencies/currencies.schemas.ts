import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { enforcements } from '../../../shared/platform/authz/rule-settings.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inTenths } from '../../../shared/platform/kernel/units.ts'
import {
  currencyAudiences,
  currencyKinds,
  type EnforcementInput,
  endReasons,
} from '../../../shared/qualification/currencies/currency.rules.ts'
import { hoursScopes } from '../../../shared/qualification/currencies/hours-in-model.rules.ts'
import { medicalClasses, medicalPrivileges } from '../../../shared/qualification/currencies/medical.rules.ts'
import { MomentInput } from '../../http/moments.ts'
import { OverridingRoles, RoleNames } from '../../http/role-schemas.ts'
import { distinct, Id, InstantInput, name, note, PathId } from '../../http/schemas.ts'

const fields = {
  name: name(100),
  kind: z
    .enum(currencyKinds)
    .describe(
      'The rule that decides who is current. Rules of the school: with `expiring`, a member is current until a ' +
        'recorded date; with `recent_flights`, a member needs `count` signed flights in `days` days, which does not ' +
        'replace the passenger recency of 14 CFR 61.57; with `hours_in_model`, `deciHours` of flight time that the log has in `days` days, as insurers ask. Rules of a regulation: `passenger_day` and `passenger_night` ' +
        '(61.57(a), (b)) and `instrument` (61.57(c), (d)) are decided from the flight log; `flight_review` (61.56); `medical` (61.23, with BasicMed); `instructor_certificate` ' +
        '(61.197)',
    ),
  roles: RoleNames.describe('The roles that must be current; empty: everyone'),
  reservationTypes: z
    .array(z.enum(reservationTypes))
    .max(50)
    .transform(distinct)
    .describe('The types of booking to which the currency applies; empty: all'),
  resourceIds: z
    .array(Id)
    .max(500)
    .transform(distinct)
    .describe('The resources to which the currency applies, and on which recent flights count; empty: all'),
  enforcement: z
    .enum(enforcements)
    .describe(
      'What happens to a booking when somebody on it is not current. `off`: nothing. `warn`: it gets a warning. ' +
        '`block`: it is refused',
    ),
  liftedWhenSupervised: z.boolean().describe('Whether an instructor on the booking exempts the others on it'),
  overridableBy: OverridingRoles.describe('The roles that can override the currency'),
  appliesTo: z
    .enum(currencyAudiences)
    .describe('Who on a booking must be current: `everyone`, or `pic`: only the pilot in command'),
  blocking: z
    .boolean()
    .describe('The older form of `enforcement`: true means `block`, false turns `block` into `warn`'),
  warnDays: z
    .int()
    .min(0)
    .max(3650)
    .describe(
      'How many days before the end the status becomes `expiring`. Members are notified 30, 14 and 3 days before the ' +
        'end, whatever this value is',
    ),
  validCalendarMonths: z
    .int()
    .min(1)
    .max(600)
    .nullable()
    .describe(
      'For `expiring`: how many calendar months a recorded date is valid; it ends with the last day of a month. ' +
        'null: each record has its own end',
    ),
  count: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .describe('For `recent_flights`: the required number of flights; null for other kinds'),
  privilege: z
    .enum(medicalPrivileges)
    .nullable()
    .describe('For `medical`: the privilege that the medical must allow (14 CFR 61.23(a)); null: `private`'),
  days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe(
      'For `recent_flights` and `hours_in_model`: the number of days in which the flights or hours must be flown; ' +
        'null: without a limit of time for `hours_in_model`, and for other kinds',
    ),
  deciHours: inTenths(z.int().min(1).max(100_000))
    .nullable()
    .describe('For `hours_in_model`: the required time in tenths of an hour; null for other kinds'),
  scope: z
    .enum(hoursScopes)
    .nullable()
    .describe(
      'For `hours_in_model`: flown in the make and model (`make_model`, the default), in the category and class, or in any ' +
        'aircraft; null for other kinds',
    ),
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
    deciHours: fields.deciHours.default(null),
    scope: fields.scope.default(null),
    privilege: fields.privilege.default(null),
  })
  .refine(agree, disagreement)

export const CurrencyPatch = z.object(fields).partial().refine(agree, disagreement)

export const CurrencyOfMemberParams = z.object({ id: PathId, currencyId: PathId })

export const EndCurrencyBody = z.object({
  on: MomentInput.describe(
    'The local day on which the currency ended, or an instant of this day: today or at most 60 days ago, and not ' +
      'before the recorded dates. From the start of this day the member is no longer current',
  ),
  because: z
    .enum(endReasons)
    .describe(
      'Why it ended: the certificate is `denied`, `suspended` or `surrendered`, or a medical `condition` (14 CFR 61.53). ' +
        'Only the member and admins see it',
    ),
  note: note(2000).nullish().describe('Only the member and admins see it'),
})

export const RecordCurrencyBody = z.object({
  completedAt: MomentInput.optional().describe(
    'When it was completed, an instant or a local day; required except for a `medical`. For `flight_review`: the review, or the proficiency ' +
      'check or WINGS phase in its place (14 CFR 61.56(d), (e)), or a practical test that is not recorded here. For ' +
      '`instrument`: the proficiency check (61.57(d)). For `instructor_certificate`: the renewal (61.197)',
  ),
  class: z
    .enum(medicalClasses)
    .optional()
    .describe('The class of a `medical`, for which it is required; `basic` is BasicMed'),
  examinedAt: MomentInput.optional().describe(
    'When the examination of a `medical` took place, an instant or a local day, in place of `completedAt`',
  ),
  courseAt: MomentInput.nullish().describe(
    'When the online course of BasicMed was completed, an instant or a local day (14 CFR 61.23(c)(3)); required for `basic`, null otherwise',
  ),
  expiresAt: InstantInput.nullable()
    .optional()
    .describe('When it ends, for `expiring` only; default: by `validCalendarMonths` of the currency; null: never'),
  documentId: Id.nullish().describe(
    'The document of the member that proves it, such as a medical; null: none, also when the document is deleted later',
  ),
})
