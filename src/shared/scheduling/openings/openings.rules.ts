import type { Interval } from '../../platform/kernel/instants.ts'
import { clashes } from '../rules/availability.rules.ts'
import type { BookingFacts, ResourceFacts, SeatFacts } from '../rules/booking-facts.types.ts'
import { type Check, checksOf, judge } from '../rules/judge.rules.ts'
import type { Problem } from '../rules/problems.ts'

/** The facts of a booking, but with resources and crews to choose from instead of its own resource and crew. */
export interface OpeningsFacts extends Omit<BookingFacts, 'seats' | 'resource'> {
  /**
   * Each resource (null: none) with its possible crews, in order of preference. Crews may be generated lazily: 500
   * resources and 500 instructors make 250,000 combinations, and the search takes the first free crew of each resource.
   */
  choices: readonly { resource: ResourceFacts | null; crews: Iterable<readonly SeatFacts[]> }[]
  /** Whether a slot with a resource is wanted, beside what the booking rules say; absent: every slot is. */
  isWanted?: IsWanted | undefined
}

export type IsWanted = (slot: Interval, resource: ResourceFacts) => boolean

/** A slot that can be booked, with its resource, crew, and the warnings of its booking. */
export interface Opening extends Interval {
  resource: ResourceFacts | null
  crew: readonly SeatFacts[]
  warnings: Problem[]
}

/** Milliseconds between offered starts: openings start on quarter hours. */
export const GRID_MS = 15 * 60_000

/** Returns the first quarter hour at or after an instant. */
export function gridAt(instant: Date): Date {
  return new Date(Math.ceil(instant.getTime() / GRID_MS) * GRID_MS)
}

/**
 * Returns at most `most` openings that start on quarter hours within an interval and are as long as the booking in the facts:
 * for each start the free resources, each with the first possible crew. A slot is offered exactly when no booking rule
 * refuses it. Rules about one person run once per start. Implements interface §Booking rules.
 */
export function openingsFrom(facts: OpeningsFacts, starts: Interval, most: number): Opening[] {
  const checks = checksOf(facts)
  const found: Opening[] = []
  for (let at = gridAt(starts.start).getTime(); at < starts.end.getTime() && found.length < most; at += GRID_MS) {
    found.push(...openingsAt(facts, new Date(at), most - found.length, checks))
  }
  return found
}

/**
 * Returns at most `most` openings at one start, which need not be a quarter hour: the free resources, each with the first
 * possible crew. Implements interface §Booking rules.
 */
export function openingsAt(
  facts: OpeningsFacts,
  start: Date,
  most = Number.POSITIVE_INFINITY,
  checks: readonly Check[] = checksOf(facts),
): Opening[] {
  const length = facts.booking.end.getTime() - facts.booking.start.getTime()
  const booking = { ...facts.booking, start, end: new Date(start.getTime() + length) }
  const fitOf = fitAt({ ...facts, booking }, about(checks, 'person'))
  const isOpen = hoursAt({ ...facts, booking }, about(checks, 'resource').filter(isOfHours))
  const ofResource = about(checks, 'resource').filter((check) => !isOfHours(check))
  const found: Opening[] = []
  for (const { resource, crews } of facts.choices) {
    if (found.length >= most) break
    // What is taken is known without a finding and its sentence; most starts of a busy week end here.
    if (resource && clashes(booking, resource.taken).length > 0) continue
    if (resource && facts.isWanted?.(booking, resource) === false) continue
    if (resource && !isOpen(resource)) continue
    const fit = fitOf(crews)
    const [first] = fit
    if (!first) continue
    const slot = { ...facts, booking, resource }
    if (judge({ ...slot, seats: [] }, ofResource).problems.length > 0) continue
    for (const crew of fit) {
      const judgement = judge({ ...slot, seats: crew }, checks)
      if (judgement.problems.length > 0) continue
      found.push({ start, end: booking.end, resource, crew, warnings: judgement.warnings })
      break
    }
  }
  return found
}

/**
 * Returns the problems that no other time solves: those of the type, the seats, the kind of resource and the length. Checks
 * the first resource with its first crew. Implements interface §Booking rules.
 */
export function timeIndependentProblems(facts: OpeningsFacts): Problem[] {
  const [choice] = facts.choices
  const [seats] = choice?.crews ?? []
  if (!choice || !seats) return []
  const { problems } = judge({ ...facts, resource: choice.resource, seats })
  return problems.filter(
    ({ rule, field }) =>
      rule === 'type_not_allowed' || rule === 'side_limit' || (rule === 'booking_shape' && field !== 'start'),
  )
}

/**
 * Returns the blocking checks about one resource or one person alone, which run before the whole crew is checked. Leaves out
 * checks that do not apply when an instructor is on board, because they depend on the whole crew.
 */
function about(checks: readonly Check[], what: Check['about']): Check[] {
  return checks.filter(
    (check) => check.about === what && check.settings.enforcement === 'block' && !check.settings.liftedWhenSupervised,
  )
}

const isOfHours = ({ key }: Check) => key === 'opening_hours'

/** Returns a function that says whether a slot is within the hours of a resource. Resources with the same hours are asked once. */
function hoursAt(slot: Omit<OpeningsFacts, 'choices'>, checks: readonly Check[]): (resource: ResourceFacts) => boolean {
  const known = new Map<string, boolean>()
  return (resource) => {
    const { zone, flyingDayStartMinute: from, flyingDayEndMinute: to } = resource
    const key = `${zone} ${from} ${to}`
    const answer = known.get(key) ?? judge({ ...slot, resource, seats: [] }, checks).problems.length === 0
    known.set(key, answer)
    return answer
  }
}

type Crew = readonly SeatFacts[]

/**
 * Returns a function that finds the crews for a slot of which each person is fit. It keeps the result per person and per list of
 * crews, because every resource is tried with the same people.
 */
function fitAt(
  slot: Omit<OpeningsFacts, 'choices'>,
  checks: readonly Check[],
): (crews: Iterable<Crew>) => Iterable<Crew> {
  const known = new Map<number, boolean>()
  const isFit = (seat: SeatFacts) => {
    if (seat.orgUserId === null) return true
    const answer = known.get(seat.orgUserId) ?? isFree(slot, seat, checks)
    known.set(seat.orgUserId, answer)
    return answer
  }
  const ofCrews = new Map<Iterable<Crew>, Iterable<Crew>>()
  return (crews) => {
    const fit = ofCrews.get(crews) ?? remembered(fitting(crews, isFit))
    ofCrews.set(crews, fit)
    return fit
  }
}

/** Returns whether no check refuses a person. A clash is found first, without its sentence. */
function isFree(slot: Omit<OpeningsFacts, 'choices'>, seat: SeatFacts, checks: readonly Check[]): boolean {
  if (clashes(slot.booking, seat.taken).length > 0) return false
  return judge({ ...slot, resource: null, seats: [seat] }, checks).problems.length === 0
}

function* fitting(crews: Iterable<Crew>, isFit: (seat: SeatFacts) => boolean): Iterable<Crew> {
  for (const crew of crews) if (crew.every(isFit)) yield crew
}

/** Returns the same items, each of which is made once, when it is first asked for. */
export function remembered<T>(items: Iterable<T>): Iterable<T> {
  const source = items[Symbol.iterator]()
  const made: T[] = []
  return {
    *[Symbol.iterator]() {
      for (let at = 0; ; at++) {
        if (at === made.length) {
          const { done, value } = source.next()
          if (done) return
          made.push(value)
        }
        yield made[at]!
      }
    },
  }
}
