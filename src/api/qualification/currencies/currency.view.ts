import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins, roles } from '../../../shared/platform/authz/roles.ts'
import { enforcements, overridingRoles } from '../../../shared/platform/authz/rule-settings.ts'
import { wallToInstant } from '../../../shared/platform/kernel/zones.ts'
import {
  type CurrencyRow,
  type FlightSince,
  MOST_FLIGHTS,
} from '../../../shared/qualification/currencies/currency.queries.ts'
import {
  currencyAudiences,
  currencyKinds,
  currencyStatuses,
  endReasons,
} from '../../../shared/qualification/currencies/currency.rules.ts'
import type { MemberCurrency } from '../../../shared/qualification/currencies/currency-state.queries.ts'
import { hoursScopes } from '../../../shared/qualification/currencies/hours-in-model.rules.ts'
import { medicalClasses, medicalPrivileges } from '../../../shared/qualification/currencies/medical.rules.ts'
import { evidenceKinds, needActions } from '../../../shared/qualification/currencies/recency.types.ts'
import { iso } from '../../http/iso.ts'
import { BookingReference, Day, Id, Instant, Person } from '../../http/schemas.ts'

/** A currency that members need. */
export const Currency = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(currencyKinds),
    roles: z.array(z.enum(roles)),
    reservationTypes: z.array(z.enum(reservationTypes)),
    resourceIds: z.array(Id),
    enforcement: z.enum(enforcements),
    liftedWhenSupervised: z.boolean(),
    overridableBy: z.array(z.enum(overridingRoles)),
    appliesTo: z.enum(currencyAudiences).meta({ choices: 'CurrencyAudience' }),
    blocking: z.boolean(),
    warnDays: z.int(),
    validCalendarMonths: z.int().nullable(),
    privilege: z.enum(medicalPrivileges).meta({ choices: 'MedicalPrivilege' }).nullable(),
    count: z.int().nullable(),
    days: z.int().nullable(),
    deciHours: z.int().nullable(),
    scope: z.enum(hoursScopes).meta({ choices: 'HoursScope' }).nullable(),
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
    privilege: row.privilege ?? null,
    count: row.flight_count ?? null,
    days: row.flight_days ?? null,
    deciHours: row.deci_hours ?? null,
    scope: row.scope_of_hours ?? null,
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
    scope: z
      .object({
        category: z.string(),
        class: z.string().nullable(),
        type: z.string().nullable(),
        tailwheel: z.boolean(),
        model: z.string().nullable().describe('The make and model, for `hours_in_model`'),
      })
      .nullable()
      .describe(
        'The kind of aircraft, for `passenger_day`, `passenger_night` and `instrument`. There is one row for each ' +
          'kind that the member flew in the last 365 days, and for `hours_in_model` one for each model or class flown. null for ' +
          'other currencies',
      ),
    status: z.enum(currencyStatuses),
    validUntil: Day.nullable().describe(
      'The last local day on which the member is current; null: no end, or never current',
    ),
    completedAt: Instant.nullable().describe(
      'The instant of the latest evidence, such as the latest flight; null: none',
    ),
    expiresAt: Instant.nullable().describe(
      'The first instant at which the member is no longer current; null: no end, or never current',
    ),
    evidence: z
      .array(
        z.object({
          kind: z.enum(evidenceKinds),
          id: Id,
          at: Instant,
          counted: z
            .int()
            .nullable()
            .describe(
              'How many landings, approaches, flights or tenths of an hour of this evidence count; null for evidence that is not a count',
            ),
        }),
      )
      .describe(
        'The evidence that the state is based on; `id` is that of a booking for `flight`, of the recorded dates for ' +
          '`record`, of the endorsement or test otherwise',
      ),
    needs: z
      .array(z.object({ action: z.enum(needActions), count: z.int().nullable(), by: Day.nullable() }))
      .describe(
        'The actions that restore the currency, or that keep it while it is `expiring`; empty while it is `current`. ' +
          '`by` is the last local day on which the action restores or keeps the currency; null: no such limit',
      ),
    graceUntil: Day.nullable().describe(
      'For `instrument`: the last local day on which practice restores the currency. After that only a proficiency ' +
        'check restores it (14 CFR 61.57(d)). null for other currencies',
    ),
    privileges: z
      .array(z.object({ privilege: z.enum(medicalPrivileges), validUntil: Day.nullable() }))
      .nullable()
      .describe('For `medical`: the last local day for each privilege (14 CFR 61.23(d)); null for other currencies'),
    class: z.enum(medicalClasses).meta({ choices: 'MedicalClass' }).nullable(),
    examinedAt: Instant.nullable(),
    courseAt: Instant.nullable(),
    documentId: Id.nullable(),
    endedEarly: z.boolean().describe('Whether somebody ended the currency before its own end'),
    endedOn: Day.nullable().describe(
      'The local day on which somebody ended the currency. From its start the member is not current. null: not ended',
    ),
    endedBecause: z
      .enum(endReasons)
      .meta({ choices: 'CurrencyEndReason' })
      .nullable()
      .describe('Why the currency was ended. Only the member and admins see it; null for others'),
    endedNote: z.string().nullable().describe('Only the member and admins see it; null for others'),
    flightsSince: z
      .array(BookingReference)
      .nullable()
      .describe(
        'The bookings on which the member flew since the currency was ended, at most 100, oldest first. Only admins see ' +
          'them; null for others, and when the currency is not ended',
      ),
    selfRecorded: z.boolean().describe('Whether the dates were recorded by the member, as staff'),
    mergedFrom: Person.nullable().describe(
      'The merged member from whom the dates were moved, with the name at the time of the merge; null: not moved',
    ),
  })
  .meta({ id: 'CurrencyRecord' })

/** Returns a member's state in a currency as the response shows it to this reader. */
export function currencyRecordView(state: MemberCurrency, flights: readonly FlightSince[], reader: Actor) {
  const { currency, record, evidence, ...rest } = state
  const isAdmin = is(reader, admins)
  const mayKnowWhy = isAdmin || state.orgUserId === reader.orgUserId
  const medical = record?.medicalClass ? record : null
  return {
    ...rest,
    scope: rest.scope && { ...rest.scope, model: rest.scope.model ?? null },
    currencyId: currency.id,
    currency,
    completedAt: iso(state.completedAt),
    expiresAt: iso(state.expiresAt),
    evidence: evidence.map((one) => ({ ...one, at: iso(one.at) })),
    class: medical?.medicalClass ?? null,
    examinedAt: iso(medical?.completedAt ?? null),
    courseAt: iso(medical?.courseAt ?? null),
    endedBecause: mayKnowWhy ? state.endedBecause : null,
    endedNote: mayKnowWhy ? state.endedNote : null,
    flightsSince: isAdmin && state.endedOn !== null ? flightsSince(flights, state.endedOn, reader) : null,
  } satisfies z.input<typeof CurrencyRecord>
}

function flightsSince(flights: readonly FlightSince[], endedOn: string, { organization }: Actor) {
  const endedAt = wallToInstant(endedOn, 0, organization.timeZoneName)
  return flights
    .flatMap(({ id, start }) => (start >= endedAt ? [{ id, start: iso(start) }] : []))
    .slice(0, MOST_FLIGHTS)
}
