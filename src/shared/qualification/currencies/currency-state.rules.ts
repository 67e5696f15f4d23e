import { addDays, endOfDay, localDate } from '../../platform/kernel/zones.ts'
import { type CurrencyStatus, cutShort, type regulatedKinds, statusAt } from './currency.rules.ts'
import { noScope } from './currency-scopes.rules.ts'
import { type FlownHours, type HoursRequirement, hoursState } from './hours-in-model.rules.ts'
import { instrumentRecency } from './instrument.rules.ts'
import { type MedicalClass, type MedicalPrivilege, type MedicalRecency, medicalRecency } from './medical.rules.ts'
import { passengerRecency } from './passenger.rules.ts'
import type {
  AircraftScope,
  Evidence,
  Need,
  PilotFacts,
  Recency,
  RenewingCheck,
  RenewingEndorsement,
} from './recency.types.ts'
import { type RecentFlightsRequirement, recentFlights } from './recent-flights.rules.ts'
import { flightReviewRecency, instructorRecency, type SoloEndorsement } from './review.rules.ts'

/** The requirement of a currency: a recorded date, `count` signed flights in `days` days, or what a regulation requires. */
export type Requirement =
  | { kind: 'expiring' }
  | RecentFlightsRequirement
  | HoursRequirement
  | { kind: Exclude<(typeof regulatedKinds)[number], 'medical'> }
  | { kind: 'medical'; privilege: MedicalPrivilege }

/** The recorded dates of one member. For a medical, `completedAt` is the examination. */
export interface RecordedDates {
  id: number
  completedAt: Date
  expiresAt: Date | null
  medicalClass: MedicalClass | null
  /** When the online course of BasicMed was taken. */
  courseAt: Date | null
  /** The local day on which somebody ended the currency before its recorded end; null: it was not ended. */
  endedOn: string | null
}

/** The evidence of one member: the recorded dates, the signed flights that count, and the facts that regulations need. */
export interface CurrencyEvidence {
  record: RecordedDates | null
  flights: readonly { id: number; flownAt: Date }[]
  /** The hours that count for a currency of hours. */
  hours: readonly FlownHours[]
  /** Null for a currency that does not follow a regulation. */
  pilot: PilotFacts | null
}

/**
 * A member's state in a currency. `expiresAt` is the first instant at which it is no longer met; null when it has no end or
 * was never met.
 */
export interface CurrencyState {
  completedAt: Date | null
  expiresAt: Date | null
  /** The last local day on which it is met; null when it has no end or was never met. */
  validUntil: string | null
  status: CurrencyStatus
  /** Whether somebody ended it before its recorded end. */
  endedEarly: boolean
  evidence: Evidence[]
  /** The actions that restore the currency or, while it is `expiring`, keep it; empty while it is `current`. */
  needs: Need[]
  /** For `instrument`: the last day on which the pilot's own practice restores it. */
  graceUntil: string | null
  /** For `medical`: the last valid day for each privilege. */
  privileges: MedicalRecency['privileges'] | null
}

type Judged = Pick<CurrencyState, 'completedAt' | 'expiresAt' | 'evidence' | 'needs'> & Partial<CurrencyState>

/**
 * Returns a member's state in a currency at an instant. The status is `expiring` in the last `warnDays` days. Days are local
 * days of the organization. `scope` is the aircraft for `passenger_day`, `passenger_night` and `instrument`. Without a scope
 * no flight counts for passengers, and `instrument` is calculated for airplanes. Implements interface §Currencies.
 */
export function currencyStateAt(
  now: Date,
  rule: { requires: Requirement; warnDays: number },
  evidence: CurrencyEvidence,
  zone: string,
  scope: AircraftScope | null = null,
): CurrencyState {
  const judged = endedEarly(judge(now, rule.requires, evidence, zone, scope), evidence.record?.endedOn ?? null, zone)
  const found = judged.completedAt !== null || judged.expiresAt !== null
  const status = found ? statusAt(now, judged.expiresAt, rule.warnDays) : 'missing'
  return {
    validUntil: judged.expiresAt && localDate(new Date(judged.expiresAt.getTime() - 1), zone),
    graceUntil: null,
    privileges: null,
    ...judged,
    status,
    needs: status === 'current' ? [] : judged.needs,
  }
}

/** Returns the state of a currency after somebody ended it on a local day. What restores it has no last day then. */
function endedEarly(judged: Judged, endedOn: string | null, zone: string): Judged & { endedEarly: boolean } {
  const end = cutShort(judged.expiresAt, endedOn, zone)
  if (endedOn === null || !end.endedEarly) return { ...judged, endedEarly: false }
  const { validUntil: _, privileges, ...rest } = judged
  const last = addDays(endedOn, -1)
  return {
    ...rest,
    ...end,
    needs: judged.needs.map((need) => ({ ...need, by: null })),
    ...(privileges && {
      privileges: privileges.map(({ privilege, validUntil }) => ({
        privilege,
        validUntil: validUntil && (validUntil < last ? validUntil : last),
      })),
    }),
  }
}

function judge(
  now: Date,
  requires: Requirement,
  { record, flights, hours, pilot }: CurrencyEvidence,
  zone: string,
  scope: AircraftScope | null,
): Judged {
  if (requires.kind === 'expiring') return recordedState(record, zone)
  if (requires.kind === 'recent_flights') return recentFlights(requires, flightsBefore(now, flights), { now, zone })
  if (requires.kind === 'hours_in_model') return hoursState(requires, flightsBefore(now, hours), scope, { now, zone })
  const recency = recencyOf(requires, { record: until(now, record), pilot: pilot ?? nobody, scope, now, zone })
  const { validUntil, evidence } = recency
  const latest = evidence.reduce<Date | null>((a, { at }) => (a && a > at ? a : at), null)
  const met = validUntil !== null
  return { ...recency, completedAt: met ? latest : null, expiresAt: met ? endOfDay(validUntil, zone) : null }
}

const nobody: PilotFacts = {
  birthDate: null,
  certificated: false,
  instructorEnd: null,
  flights: [],
  endorsements: [],
  tests: [],
}

function until(now: Date, record: RecordedDates | null): RecordedDates | null {
  return record && record.completedAt <= now ? record : null
}

interface RegulatedFacts {
  record: RecordedDates | null
  pilot: PilotFacts
  scope: AircraftScope | null
  now: Date
  zone: string
}

type Regulated = Exclude<Requirement, { kind: 'expiring' } | { kind: 'recent_flights' } | HoursRequirement>

type JudgedRecency = Recency & Partial<Pick<CurrencyState, 'graceUntil' | 'privileges'>>

function recencyOf(requires: Regulated, facts: RegulatedFacts): JudgedRecency {
  const { record, pilot, scope, now, zone } = facts
  const today = localDate(now, zone)
  const flights = pilot.flights.filter(({ at }) => at < now)
  const recorded = record && checkOf('record', { id: record.id, at: record.completedAt }, zone)
  switch (requires.kind) {
    case 'passenger_day':
      return passengerRecency('day', scope ?? noScope, scope ? flights : [], today)
    case 'passenger_night':
      return passengerRecency('night', scope ?? noScope, scope ? flights : [], today)
    case 'instrument':
      return instrumentRecency((scope ?? noScope).category, flights, checks('instrument', facts, recorded), today)
    case 'flight_review': {
      const solo = pilot.certificated ? null : soloOf(facts)
      return flightReviewRecency([...checks('flight_review', facts, recorded), ...testsPassed(facts)], solo)
    }
    case 'medical':
      return medicalRecency(medicalOf(record, zone), pilot.birthDate, requires.privilege)
    case 'instructor_certificate': {
      // A record without an end is of a certificate that stood in the profile alone when somebody ended it.
      const renewal = recorded &&
        record?.expiresAt && { ...recorded, validUntil: localDate(new Date(record.expiresAt.getTime() - 1), zone) }
      return instructorRecency({ profileEnd: pilot.instructorEnd, record: renewal ?? null })
    }
  }
}

function checkOf(kind: RenewingCheck['kind'], { id, at }: { id: number; at: Date }, zone: string): RenewingCheck {
  return { kind, id, at, day: localDate(at, zone) }
}

/** Returns the endorsements and the recorded date, up to now, each of which alone renews a currency. */
function checks(
  renews: RenewingEndorsement['renews'],
  { pilot, now, zone }: RegulatedFacts,
  recorded: RenewingCheck | null,
): RenewingCheck[] {
  const endorsed = pilot.endorsements.filter((one) => one.renews === renews && one.at <= now)
  return [...endorsed.map((one) => checkOf('endorsement', one, zone)), ...(recorded ? [recorded] : [])]
}

/** Returns the practical tests that were passed up to now: each replaces a flight review, 14 CFR 61.56(d). */
function testsPassed({ pilot, now, zone }: RegulatedFacts): RenewingCheck[] {
  return pilot.tests.filter(({ at }) => at <= now).map((one) => checkOf('test', one, zone))
}

/** Returns the solo endorsement that ends last. An endorsement without an end date does not count. */
function soloOf({ pilot, now, zone }: RegulatedFacts): SoloEndorsement | null {
  const valid = pilot.endorsements.flatMap(({ renews, id, at, expiresAt }) =>
    renews === 'solo' && expiresAt !== null && at <= now
      ? [{ id, at, validUntil: localDate(new Date(expiresAt.getTime() - 1), zone) }]
      : [],
  )
  return valid.reduce<SoloEndorsement | null>((a, b) => (a && a.validUntil >= b.validUntil ? a : b), null)
}

function medicalOf(record: RecordedDates | null, zone: string) {
  if (!record?.medicalClass) return null
  const { id, completedAt: at, medicalClass, courseAt } = record
  const courseOn = courseAt && localDate(courseAt, zone)
  return { id, at, class: medicalClass, examinedOn: localDate(at, zone), courseOn }
}

function recordedState(record: RecordedDates | null, zone: string): Judged {
  const end = record?.expiresAt ?? null
  const by = end && localDate(new Date(end.getTime() - 1), zone)
  return {
    completedAt: record?.completedAt ?? null,
    expiresAt: end,
    evidence: record ? [{ kind: 'record', id: record.id, at: record.completedAt, counted: null }] : [],
    needs: [{ action: 'record', count: null, by }],
  }
}

/** Returns the flights before an instant, the latest first. */
function flightsBefore<Flight extends { flownAt: Date }>(now: Date, flights: readonly Flight[]): Flight[] {
  return flights.filter(({ flownAt }) => flownAt < now).sort((a, b) => b.flownAt.getTime() - a.flownAt.getTime())
}
