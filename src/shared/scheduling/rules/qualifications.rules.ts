import { modelKey } from '../../fleet/resources/model-names.rules.ts'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import { deskStaff, hasRole, type RoleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, MemberFacts, ResourceFacts, SettingsFacts } from './booking-facts.types.ts'
import { trainingFlights } from './duty.rules.ts'
import { type Coordinates, touchesNight } from './night.rules.ts'
import { membersOn } from './pilot.rules.ts'
import type { Finding } from './problems.ts'
import { ratedTypes } from './rating-check.rules.ts'
import type { EndorsementFacts } from './rating-papers.rules.ts'
import { settingsOf } from './rule-catalogue.rules.ts'
import { type NeededEndorsement, neededForRoute, type SoloFlight, soloFlightOf } from './solo-flight.rules.ts'

type RequiredDocuments = Pick<SettingsFacts, 'requiredDocuments'>

/**
 * Returns the categories of documents that an organization requires of a member's roles. Implements interface §Booking
 * rules.
 */
export function categoriesFor(roles: RoleFlags, { requiredDocuments }: RequiredDocuments): string[] {
  return [...new Set(rolesOf(roles).flatMap((role) => requiredDocuments[role] ?? []))]
}

/**
 * Checks that everyone on the booking has the documents that the organization requires of their roles: stored, not rejected
 * (verified, where that is required), and not expired at the start. An unverified document counts, but gives a warning.
 * Implements interface §Booking rules.
 */
export function checkDocuments({ actor, booking, seats, settings }: BookingFacts): Finding[] {
  return membersOn(seats).flatMap(({ seat, member, about }) =>
    categoriesFor(member.roles, settings).flatMap((category): Finding[] => {
      const valid = member.documents.filter((one) => one.category === category && isValid(one, booking.start))
      if (valid.some(({ verified }) => verified)) return []
      const named = { name: seat.name, category }
      if (valid.length > 0) return [{ ...about, ...schedulingErrors.documentUnverified(named), warnsOnly: true }]
      const fix = { action: 'record_document' as const, category, text: schedulingErrors.fixDocument({ category }) }
      const mayFix = hasRole(actor.roles, deskStaff) || actor.orgUserId === seat.orgUserId
      return [{ ...about, ...schedulingErrors.documentMissing(named), ...(mayFix && { fix }) }]
    }),
  )
}

function isValid({ expiresAt }: MemberFacts['documents'][number], start: Date): boolean {
  return expiresAt === null || expiresAt.getTime() > start.getTime()
}

/** The types of booking in which students train or use training equipment. */
const training: readonly ReservationType[] = ['dual', 'solo', 'sim']

/**
 * Checks that the citizenship of each student is verified before flight training or access to a simulator. Implements
 * interface §Booking rules and 49 CFR 1552.7(a).
 */
export function checkCitizenship({ booking, seats }: BookingFacts): Finding[] {
  if (!training.includes(booking.type)) return []
  return membersOn(seats.filter(({ side }) => side === 'students')).flatMap(({ seat: { name }, member, about }) =>
    member.citizenshipVerified ? [] : [{ ...about, ...schedulingErrors.citizenshipUnverified({ name }) }],
  )
}

/** The codes of the endorsements for solo flights, the same in both editions of AC 61-65. */
const soloCodes = ['A.3', 'A.4', 'A.5', 'A.6', 'A.7', 'A.8', 'A.9', 'A.10', 'A.11', 'A.12', 'A.13'] as const

/**
 * Checks that the student of a solo flight has the endorsements for the make and model at the start: A.3, A.4 and A.6 or A.7,
 * A.5 when the flight touches the night, and those for where it goes. The finding names the missing ones. Implements interface
 * §Booking rules and 14 CFR 61.87(b), (c), (n), (o), 61.93 and 61.95.
 */
export function checkSoloEndorsements(facts: BookingFacts): Finding[] {
  const { booking, resource, seats } = facts
  if (booking.type !== 'solo') return []
  const place = resource ?? { zone: booking.zone, coordinates: null }
  const needed = neededForSolo(booking, place, soloFlightOf(facts))
  return membersOn(seats.filter(({ side }) => side === 'students')).flatMap(({ seat, member, about }) => {
    const isHeld = ({ codes, ofModel, fits }: NeededEndorsement) =>
      member.endorsements.some(
        (one) => codes.includes(one.code) && isFor(one, booking.start, ofModel ? resource : null) && fits(one),
      )
    const missing = needed.filter((one) => !isHeld(one))
    if (missing.length === 0) return []
    const codes = missing
      .map(({ codes: oneOf, named }) => oneOf.join(' or ') + (named ? ` for ${named}` : ''))
      .join(', ')
    const text = schedulingErrors.fixEndorsement({ codes })
    const fix = { action: 'sign_endorsement' as const, codes: missing.flatMap((one) => one.codes), text }
    return [{ ...about, ...schedulingErrors.endorsementMissing({ name: seat.name, codes }), fix }]
  })
}

/**
 * Returns the endorsements that a student needs for a solo flight at a place: for the make and model, for the night that it touches, and for
 * where it goes; null for a local flight. Implements 14 CFR 61.87(b), (c), (n), (o), 61.93 and 61.95.
 */
export function neededForSolo(
  flight: Interval,
  place: { zone: string; coordinates: Coordinates | null },
  route: SoloFlight | null,
): NeededEndorsement[] {
  const needed = [forModel('A.3'), forModel('A.4'), forModel('A.6', 'A.7')]
  if (touchesNight(flight, place, 'logged')) needed.push(forModel('A.5'))
  return route ? [...needed, ...neededForRoute(route, flight.start, place.zone)] : needed
}

function forModel(...codes: string[]): NeededEndorsement {
  return { codes, ofModel: true, named: null, fits: () => true }
}

/**
 * Returns whether an endorsement is valid at an instant and names the make and model of an aircraft. When the make and model
 * of the aircraft are unknown, every endorsement matches.
 */
export function isFor(
  { expiresAt, makeAndModel }: EndorsementFacts,
  at: Date,
  resource: Pick<ResourceFacts, 'modelKeys'> | null,
): boolean {
  if (expiresAt !== null && expiresAt.getTime() <= at.getTime()) return false
  const { modelKeys = [] } = resource ?? {}
  return modelKeys.length === 0 || modelKeys.includes(modelKey(makeAndModel ?? ''))
}

/** The facts about people to load, besides their busy times. */
export interface WantedQualifications {
  documentCategories: readonly string[]
  verifiedOnly: boolean
  endorsementCodes: readonly string[]
  /** Whether the certificates, ratings and experience are read. */
  ratings: boolean
  /** Whether the flight training that instructors give is read. */
  training: boolean
  /** Whether the balances of the ledger are read. */
  balances: boolean
  /** Whether the verification of the citizenship is read. */
  citizenship: boolean
  /** Whether the weather and the pilots' limits are read, for flights that start soon. */
  weather: boolean
}

/** Returns the facts that the rules need for a type of booking. Implements interface §Booking rules. */
export function qualificationsFor(
  type: ReservationType,
  settings: Pick<SettingsFacts, 'requiredDocuments' | 'rules'> & { requireVerifiedDocuments: boolean },
): WantedQualifications {
  return {
    documentCategories: [...new Set(Object.values(settings.requiredDocuments).flat())],
    verifiedOnly: settings.requireVerifiedDocuments,
    endorsementCodes: type === 'solo' ? soloCodes : [],
    ratings: ratedTypes.includes(type) && settingsOf('pilot_rating', settings.rules).enforcement !== 'off',
    training: trainingFlights.includes(type),
    balances: settingsOf('minimum_balance', settings.rules).enforcement !== 'off',
    citizenship: settingsOf('citizenship', settings.rules).enforcement !== 'off',
    weather: settingsOf('pilot_minimums', settings.rules).enforcement !== 'off',
  }
}
