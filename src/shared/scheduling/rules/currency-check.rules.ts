import { hasRole, staff } from '../../platform/authz/roles.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { askedByAircraft, countedKinds, cutShort } from '../../qualification/currencies/currency.rules.ts'
import {
  type CurrencyState,
  currencyStateAt,
  type Requirement,
} from '../../qualification/currencies/currency-state.rules.ts'
import type { HoursRequirement } from '../../qualification/currencies/hours-in-model.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, CurrencyFacts, MemberFacts } from './booking-facts.types.ts'
import { touchesNight } from './night.rules.ts'
import { isSupervised, membersOn, pilotInCommand } from './pilot.rules.ts'
import type { Finding, Fix } from './problems.ts'

/**
 * Returns the check of a currency at the booking's start, for bookings of its types and with its resources. Everyone on the
 * booking with one of its roles must be current; when it applies to the pilot in command, only that person. Implements
 * interface §Reservations rule 6 and interface §Booking rules.
 */
export function checkCurrency(rule: CurrencyFacts): (facts: BookingFacts) => Finding[] {
  return (facts) => {
    const { booking, resource } = facts
    if (!isExercised(rule.requires, facts)) return []
    if (!meantFor(rule.reservationTypes, booking.type)) return []
    if (rule.resourceIds.length > 0 && (resource === null || !rule.resourceIds.includes(resource.id))) return []
    const pilot = rule.appliesTo === 'pic' ? pilotInCommand(facts) : null
    const asked = rule.appliesTo === 'pic' ? (pilot ? [pilot] : []) : facts.seats
    return membersOn(asked)
      .filter(({ member }) => rule.roles.length === 0 || hasRole(member.roles, rule.roles))
      .flatMap(({ seat, member, about }) => {
        const unmet = unmetRequirement(rule, member, facts)
        if (unmet === null) return []
        const fix = fixOf(rule, facts, about.orgUserId)
        return [{ ...about, ...schedulingErrors.notCurrent({ name: seat.name, currency: rule.name, unmet }), fix }]
      })
  }
}

/** Returns whether it depends on the resource whether a currency is met. */
export function asksResource({ requires, resourceIds }: CurrencyFacts): boolean {
  return resourceIds.length > 0 || askedByAircraft(requires.kind)
}

/**
 * Returns whether a booking exercises the privilege of a currency: carrying passengers (14 CFR 61.57(a)), carrying them at
 * night (61.57(b)), flying under instrument flight rules (61.57(c)), or flying an aircraft whose model is known, for hours in
 * it. A guest counts as a passenger. False for these without an aircraft; true for all other currencies.
 */
function isExercised(requires: Requirement, { booking, resource }: BookingFacts): boolean {
  const { kind } = requires
  if (!askedByAircraft(kind)) return true
  if (!resource?.aircraft) return false
  if (requires.kind === 'hours_in_model') return requires.scope !== 'make_model' || resource.modelKeys.length > 0
  if (kind === 'instrument') return booking.ifr
  const carries = booking.passengers > 0 || booking.type === 'guest'
  return carries && (kind === 'passenger_day' || touchesNight(booking, resource, 'passengers'))
}

/**
 * Returns why a currency is not met at the start of a booking; null when it is met. Days are local days of the organization.
 */
function unmetRequirement(rule: CurrencyFacts, member: MemberFacts, facts: BookingFacts): Sentence | null {
  const { requires } = rule
  const { booking, zone } = facts
  if (requires.kind === 'expiring') {
    const record = member.currencyRecords.find((one) => one.currencyId === rule.id)
    if (!record) return schedulingErrors.nothingOnRecord()
    const { endedOn = null } = record
    const { expiresAt, endedEarly } = cutShort(record.expiresAt, endedOn, zone)
    if (expiresAt === null || expiresAt.getTime() > booking.start.getTime()) return null
    if (endedEarly && endedOn !== null) return schedulingErrors.endedOn({ date: endedOn })
    return schedulingErrors.expiredOn({ date: localDate(expiresAt, zone) })
  }
  if (requires.kind !== 'recent_flights') return unmetRegulation(rule, member, facts)
  const earliest = addDays(localDate(booking.start, zone), -requires.days)
  const flights = member.signedFlights.filter(
    ({ currencyId, flownAt }) =>
      currencyId === rule.id && flownAt.getTime() < booking.start.getTime() && localDate(flownAt, zone) >= earliest,
  )
  if (flights.length >= requires.count) return null
  return schedulingErrors.tooFewFlights({ flown: flights.length, count: requires.count, days: requires.days })
}

/** Returns why a requirement of a regulation is not met at the start of a booking; null when it is met. */
function unmetRegulation(
  { id, requires }: CurrencyFacts,
  { regulated }: MemberFacts,
  facts: BookingFacts,
): Sentence | null {
  const { booking, resource, zone } = facts
  const evidence = regulated.get(id) ?? { record: null, flights: [], hours: [], pilot: null }
  const scope = resource?.aircraft ? { ...resource.aircraft, modelKeys: resource.modelKeys } : null
  const state = currencyStateAt(booking.start, { requires, warnDays: 0 }, evidence, zone, scope)
  const { status, validUntil, endedEarly } = state
  if (status === 'current') return null
  if (requires.kind === 'hours_in_model') return tooFewHours(requires, state.evidence, facts)
  const endedOn = evidence.record?.endedOn ?? null
  if (endedEarly && endedOn !== null) return schedulingErrors.endedOn({ date: endedOn })
  return validUntil === null ? schedulingErrors.nothingOnRecord() : schedulingErrors.expiredOn({ date: validUntil })
}

/** Returns how many hours count at the start of a booking, of how many that are needed. */
function tooFewHours(
  { deciHours, days, scope }: HoursRequirement,
  evidence: CurrencyState['evidence'],
  { booking, resource, zone }: BookingFacts,
): Sentence {
  const earliest = days === null ? '' : addDays(localDate(booking.start, zone), -days)
  const tenths = evidence.reduce(
    (sum, { at, counted }) => (localDate(at, zone) >= earliest ? sum + (counted ?? 0) : sum),
    0,
  )
  const { make = null, model = null } = resource ?? {}
  const named = [make, model].filter((word) => word !== null).join(' ')
  const hours = { flown: (tenths / 10).toFixed(1), needed: (deciHours / 10).toFixed(1) }
  const told =
    scope === 'make_model'
      ? schedulingErrors.tooFewInModel({ ...hours, model: named })
      : schedulingErrors.tooFewHours(hours)
  return days === null ? told : schedulingErrors.inLastDays({ told, days })
}

/**
 * Returns how to fix an unmet currency; undefined when there is no fix. In a solo, rental or shared booking without an
 * instructor: book an instructor, when the currency applies to the pilot in command or is not required under supervision.
 * Otherwise, for staff: record a newer record, unless the currency is counted from flights.
 */
function fixOf(rule: CurrencyFacts, { actor, booking, seats }: BookingFacts, orgUserId?: number): Fix | undefined {
  const isPilots = booking.type === 'solo' || booking.type === 'rental' || booking.type === 'shared'
  if (isPilots && !isSupervised(seats) && (rule.appliesTo === 'pic' || rule.liftedWhenSupervised)) {
    return { action: 'book_with_instructor', text: schedulingErrors.fixInstructor() }
  }
  if (countedKinds.includes(rule.requires.kind) || orgUserId === undefined || !hasRole(actor.roles, staff))
    return undefined
  const text = schedulingErrors.fixRecord({ currency: rule.name })
  return { action: 'record_currency', currencyId: rule.id, orgUserId, text }
}

function meantFor<T>(wanted: readonly T[], actual: T): boolean {
  return wanted.length === 0 || wanted.includes(actual)
}
