import { modelKey, modelKeysOf } from '../../fleet/resources/model-names.rules.ts'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { type AskedRatings, instructorRatings, pilotRatings, ratingsFor } from '../../qualification/ratings.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, ResourceFacts, SeatFacts } from './booking-facts.types.ts'
import { membersOn, pilotInCommand } from './pilot.rules.ts'
import type { Finding, Fix } from './problems.ts'
import {
  additionalTraining,
  instrumentInstructors,
  instruments,
  paperNames,
  type RatingFacts,
} from './rating-papers.rules.ts'
import { settingsOf } from './rule-catalogue.rules.ts'

/** The types of booking on which somebody is asked for ratings. */
export const ratedTypes: readonly ReservationType[] = ['rental', 'shared', 'dual', 'guest', 'sim']

/** The types on which a seated instructor is asked for the ratings of the aircraft: 14 CFR 61.195(b). */
const instructed: readonly ReservationType[] = ['dual', 'guest', 'rental']
/** The types on which an instructor gives training in the aircraft: 14 CFR 61.195(f). */
const trained: readonly ReservationType[] = ['dual', 'rental']

/** Days after the rule blocks for the first time in which what is not on record still only warns. */
const GRACE_DAYS = 30
/** Tenths of an hour as pilot in command in the make and model: 14 CFR 61.195(f). */
const LEAST_PIC_TENTHS = 50

/** A paper that somebody lacks. `known`: the certificate that would show it is on record and verified. */
interface Lack {
  paper: string
  rule: string
  known: boolean
}

/** What somebody lacks for one row of the rule, and what would cure it. */
interface Lacking {
  lacks: readonly Lack[]
  fix: 'certificate' | 'endorsement'
}

/**
 * Checks that whoever is pilot in command of a rental or shared flight, and every seated instructor, has the certificates,
 * ratings and endorsements for the aircraft at the start of the booking: 14 CFR 61.3(a), 61.31(d)–(f) and (i), 61.195(b), (c)
 * and (f). Only verified parts of the profile, proven endorsements and the log count. A fact of the aircraft that is not on
 * record asks nothing. Implements interface §Booking rules.
 */
export function checkRatings(facts: BookingFacts): Finding[] {
  const { booking, resource } = facts
  if (!ratedTypes.includes(booking.type)) return []
  const aircraft = resource?.kind === 'plane' && resource.aircraft ? ratingsFor(resource.aircraft) : null
  return askedOf(facts).flatMap(({ seat, ratings, about }) => {
    const rows = seat.side === 'instructors' ? instructorLacks : pilotLacks
    const found = rows(ratings, aircraft, facts).map((row) => findingOf(row, seat, facts))
    const hours = aircraft && seat.side === 'instructors' ? hoursFinding(ratings, aircraft, seat, facts) : []
    return [...found, ...hours].map((finding) => ({ ...about, ...finding }))
  })
}

/** Returns the people whom the rule asks. With an instructor aboard, a rental asks the instructor alone. */
function askedOf({ booking, seats }: BookingFacts) {
  const pilot = pilotInCommand({ booking, seats })
  const isAsked = (seat: SeatFacts) =>
    seat.side === 'instructors' || (seat === pilot && (booking.type === 'rental' || booking.type === 'shared'))
  return membersOn(seats.filter(isAsked)).flatMap(({ seat, member, about }) =>
    member.ratings ? [{ seat, about, ratings: member.ratings }] : [],
  )
}

type Lacks = (held: RatingFacts, aircraft: AskedRatings | null, facts: BookingFacts) => Lacking[]

const pilotLacks: Lacks = (held, aircraft, facts) => {
  if (!aircraft) return []
  return [
    { lacks: certificateLacks(held, aircraft), fix: 'certificate' as const },
    { lacks: endorsementLacks(held, facts), fix: 'endorsement' as const },
  ].filter(({ lacks }) => lacks.length > 0)
}

/** The pilot certificate with category and class: 14 CFR 61.3(a), 61.31(d). The first that is missing is named. */
function certificateLacks({ pilot }: RatingFacts, aircraft: AskedRatings): Lack[] {
  const above = { paper: paperNames.certificate, rule: '61.3(a)' }
  if (!pilot?.grade) return [{ ...above, known: false }]
  if (pilot.grade === 'student') return [{ ...above, known: true }]
  if (pilotRatings(pilot.ratings).has(aircraft.pilot)) return []
  return [{ paper: paperNames[aircraft.pilot]!, rule: '61.31(d)', known: true }]
}

/** The endorsements for complex, high-performance and tailwheel airplanes: 14 CFR 61.31(e), (f), (i). */
function endorsementLacks({ pilot, loggedBefore, endorsed }: RatingFacts, { booking, resource }: BookingFacts): Lack[] {
  const isHeld = (code: string) =>
    loggedBefore.includes(code) ||
    endorsed.some(({ rating, expiresAt }) => rating === code && (!expiresAt || expiresAt > booking.start))
  return trainingFor(resource)
    .filter(({ code }) => !isHeld(code))
    .map(({ code, rule }) => ({ paper: paperNames[code]!, rule, known: pilot !== null }))
}

function trainingFor(resource: ResourceFacts | null) {
  if (resource?.aircraft?.category !== 'airplane') return []
  const { complex, highPerformance } = resource
  const asks = { CPX: complex, HP: highPerformance, TW: resource.aircraft.tailwheel }
  return additionalTraining.filter(({ code }) => asks[code])
}

const instructorLacks: Lacks = (held, aircraft, facts) => {
  const { booking, instrumentLessons } = facts
  const ofInstrument = (booking.type === 'dual' && aircraft !== null) || booking.type === 'sim'
  const isInstrument = ofInstrument && booking.lessonIds.some((id) => instrumentLessons.has(id))
  const onAircraft = aircraft && instructed.includes(booking.type) ? aircraft : null
  return [
    { lacks: onAircraft ? ratingLacks(held, onAircraft) : [], fix: 'certificate' as const },
    { lacks: onAircraft ? endorsementLacks(held, facts) : [], fix: 'endorsement' as const },
    { lacks: isInstrument ? instrumentLacks(held, aircraft) : [], fix: 'certificate' as const },
  ].filter(({ lacks }) => lacks.length > 0)
}

/** The instructor and pilot certificates with category and class: 14 CFR 61.195(b). */
function ratingLacks({ pilot, instructor }: RatingFacts, aircraft: AskedRatings): Lack[] {
  const rule = '61.195(b)'
  const isStudent = pilot?.grade === 'student'
  const teaches = instructor !== null && instructorRatings(instructor.ratings).has(aircraft.instructor)
  const flies = pilot !== null && !isStudent && pilotRatings(pilot.ratings).has(aircraft.pilot)
  return [
    ...(teaches ? [] : [{ paper: paperNames[aircraft.instructor]!, rule, known: instructor !== null }]),
    ...(flies ? [] : [{ paper: paperNames[aircraft.pilot]!, rule, known: pilot !== null }]),
  ]
}

/**
 * The instrument ratings on both certificates for instrument training: 14 CFR 61.195(c). An airline transport certificate
 * has the privileges of the instrument rating (61.167(a)(1)). In a simulator those of any category count.
 */
function instrumentLacks({ pilot, instructor }: RatingFacts, aircraft: AskedRatings | null): Lack[] {
  const rule = '61.195(c)'
  const of = (asked: string | null | undefined, all: readonly string[]) => (aircraft ? [asked ?? []].flat() : all)
  const teaching = of(aircraft?.instrumentInstructor, instrumentInstructors)
  const flying = of(aircraft?.instrument, instruments)
  const has = (held: ReadonlySet<string>, some: readonly string[]) => some.some((code) => held.has(code))
  const teaches = instructor !== null && has(instructorRatings(instructor.ratings), teaching)
  const isAirline = pilot?.grade === 'airline_transport'
  const flies = pilot !== null && (isAirline || has(pilotRatings(pilot.ratings), flying))
  return [
    ...(teaches || teaching.length === 0
      ? []
      : [{ paper: paperNames[teaching[0]!]!, rule, known: instructor !== null }]),
    ...(flies || flying.length === 0 ? [] : [{ paper: paperNames[flying[0]!]!, rule, known: pilot !== null }]),
  ]
}

/** The five hours as pilot in command in the make and model of a multiengine airplane or helicopter: 14 CFR 61.195(f). */
function hoursFinding(held: RatingFacts, aircraft: AskedRatings, seat: SeatFacts, facts: BookingFacts) {
  const { booking, resource } = facts
  const isAsked = aircraft.pilot === 'RH' || aircraft.instructor === 'CFI-AME'
  if (!isAsked || !trained.includes(booking.type) || !resource || resource.modelKeys.length === 0) return []
  const isModel = (key: string) => resource.modelKeys.includes(key)
  const before = held.hours.filter(({ makeAndModel }) => isModel(modelKey(makeAndModel)))
  const here = held.logged.filter((one) => modelKeysOf({ ...one, plain: false }).some(isModel))
  const logged = here.reduce((sum, { picTenths }) => sum + picTenths, 0)
  const tenths = before.reduce((sum, { picDeciHours }) => sum + picDeciHours, logged)
  if (tenths >= LEAST_PIC_TENTHS) return []
  const model = [resource.make, resource.model].filter((word) => word !== null).join(' ')
  const message = schedulingErrors.picHoursMissing({ name: seat.name, hours: (tenths / 10).toFixed(1), model })
  const known = held.instructor !== null && held.pilot !== null
  return [{ ...message, ...weight(known, facts), fix: fixOf({ lacks: [], fix: 'certificate' }, known, seat) }]
}

function findingOf(row: Lacking, seat: SeatFacts, facts: BookingFacts) {
  const papers = row.lacks.map(({ paper }) => paper).join(' and no ')
  const rules = [...new Set(row.lacks.map(({ rule }) => rule))].join(', ')
  const known = row.lacks.some((lack) => lack.known)
  const message = schedulingErrors.ratingMissing({ name: seat.name, papers, rules })
  return { ...message, ...weight(known, facts), fix: fixOf(row, known, seat) }
}

/** Returns the mark of what is known to be missing, or of what is not on record, which only warns in the first 30 days. */
function weight(known: boolean, facts: BookingFacts): Pick<Finding, 'details' | 'warnsOnly'> {
  return { details: { known }, ...(!known && isNew(facts) && { warnsOnly: true as const }) }
}

/**
 * Returns whether the rule blocks for the first time since at most 30 local days: the day on which it was set to block is
 * day 0. They run once. Implements interface §Booking rules.
 */
function isNew({ now, zone, settings: { rules } }: BookingFacts): boolean {
  const since = rules.pilot_rating?.blockedSince
  if (since === undefined || settingsOf('pilot_rating', rules).enforcement !== 'block') return false
  return localDate(now, zone) <= addDays(localDate(new Date(since), zone), GRACE_DAYS)
}

function fixOf({ lacks, fix }: Lacking, known: boolean, seat: SeatFacts): Fix {
  if (fix === 'endorsement') {
    const codes = additionalTraining
      .filter(({ code }) => lacks.some(({ paper }) => paper === paperNames[code]))
      .map(({ endorsement }) => endorsement)
    const text = schedulingErrors.fixAdditionalTraining({ codes: codes.join(', ') })
    return { action: 'sign_endorsement', codes, text }
  }
  if (known && seat.side === 'instructors') {
    return { action: 'choose_instructor', orgUserIds: [], text: schedulingErrors.fixOtherInstructor() }
  }
  const text = schedulingErrors.fixCertificate({ name: seat.name })
  return { action: 'record_certificate', orgUserId: seat.orgUserId ?? 0, text }
}
