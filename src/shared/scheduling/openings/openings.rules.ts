import type { Interval } from '../../platform/kernel/instants.ts'
import type { Steps } from '../../platform/kernel/steps.ts'
import { clashes } from '../rules/availability.rules.ts'
import type { BookingFacts, ResourceFacts, SeatFacts } from '../rules/booking-facts.types.ts'
import { type Check, checksOf, judge } from '../rules/judge.rules.ts'
import type { Problem } from '../rules/problems.ts'

/** The facts of a booking without overrides, but with resources and crews to choose from instead of its own. */
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

/** A slot that can be booked, with its resource and crew. */
export interface Slot extends Interval {
  resource: ResourceFacts | null
  crew: Crew
}

type Crew = readonly SeatFacts[]

/** A slot that can be booked, with the warnings of its booking. */
export interface Opening extends Slot {
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
export function* openingsFrom(facts: OpeningsFacts, starts: Interval, most: number): Steps<Opening[]> {
  const checks = checksOf(facts)
  const found: Opening[] = []
  for (let at = gridAt(starts.start).getTime(); at < starts.end.getTime() && found.length < most; at += GRID_MS) {
    found.push(...(yield* openingsAt(facts, new Date(at), most - found.length, checks)))
  }
  return found
}

/** Returns at most `most` openings at one start like `slotsAt`, with their warnings. */
export function* openingsAt(
  facts: OpeningsFacts,
  start: Date,
  most = Number.POSITIVE_INFINITY,
  checks: readonly Check[] = checksOf(facts),
): Steps<Opening[]> {
  const openings: Opening[] = []
  for (const slot of yield* slotsAt(facts, start, most, checks)) {
    openings.push(withWarnings(facts, slot, checks))
    yield
  }
  return openings
}

/** Returns a slot that can be booked with the warnings of its booking. */
export function withWarnings(facts: OpeningsFacts, slot: Slot, checks: readonly Check[]): Opening {
  const { start, end, resource, crew: seats } = slot
  const { warnings } = judge({ ...facts, booking: { ...facts.booking, start, end }, resource, seats }, checks)
  return { ...slot, warnings }
}

/**
 * Returns at most `most` slots at one start, which need not be a quarter hour: the free resources, each with the first
 * possible crew. Runs only the rules that refuse a booking, each once for what it asks. Implements interface §Booking rules.
 */
export function* slotsAt(
  facts: OpeningsFacts,
  start: Date,
  most = Number.POSITIVE_INFINITY,
  checks: readonly Check[] = checksOf(facts),
): Steps<Slot[]> {
  yield
  const length = facts.booking.end.getTime() - facts.booking.start.getTime()
  const end = new Date(start.getTime() + length)
  const booking = { ...facts.booking, start, end }
  const asked = { ...facts, booking, resource: null, seats: [] }
  const ofResource = checksThatAsk(checks, 'resource')
  const isOpen = hoursAt(asked, ofResource.filter(isOfHours))
  const others = ofResource.filter((check) => !isOfHours(check))
  const ofBooking = checksThatAsk(checks, 'booking')
  const fitOf = fitAt(asked, checks)
  const slots: Slot[] = []
  for (const { resource, crews } of facts.choices) {
    if (slots.length >= most) break
    // What is taken is known without a finding and its sentence; most starts of a busy week end here.
    if (resource && clashes(booking, resource.taken).length > 0) continue
    if (resource && facts.isWanted?.(booking, resource) === false) continue
    if (!isOpen(resource)) continue
    const fit = fitOf(crews)
    const [first] = fit
    if (!first || isRefused({ ...asked, resource }, others)) continue
    for (const crew of fit) {
      yield
      if (isRefused({ ...asked, resource, seats: crew }, ofBooking)) continue
      slots.push({ start, end, resource, crew })
      break
    }
  }
  return slots
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
 * Returns the checks that ask for one part of a booking and can refuse it. A check of a person that an instructor on board
 * lifts asks for the crew, and one of a resource for the whole booking.
 */
function checksThatAsk(checks: readonly Check[], what: Check['asks']): Check[] {
  const lifted = { person: 'crew', resource: 'booking', crew: 'crew', booking: 'booking' } as const
  return checks.filter(({ asks, settings: { enforcement, liftedWhenSupervised } }) => {
    if (enforcement !== 'block') return false
    return (liftedWhenSupervised ? lifted[asks] : asks) === what
  })
}

/** Returns whether a check refuses a booking. Only a finding that may be lifted is judged once more. */
function isRefused(booking: BookingFacts, checks: readonly Check[]): boolean {
  return checks.some((check) => {
    const blocking = check.find(booking).some(({ warnsOnly }) => !warnsOnly)
    return blocking && (!check.settings.liftedWhenSupervised || judge(booking, [check]).problems.length > 0)
  })
}

const isOfHours = ({ key }: Check) => key === 'opening_hours'

/** Returns a function that says whether a slot is within the hours of a resource. Resources with the same hours are asked once. */
function hoursAt(slot: BookingFacts, checks: readonly Check[]): (resource: ResourceFacts | null) => boolean {
  const known = new Map<string, boolean>()
  return (resource) => {
    const { zone, flyingDayStartMinute: from, flyingDayEndMinute: to } = resource ?? {}
    const key = `${zone} ${from} ${to}`
    const answer = known.get(key) ?? !isRefused({ ...slot, resource }, checks)
    known.set(key, answer)
    return answer
  }
}

/**
 * Returns a function that finds the crews of a list that no check refuses apart from the resource. It keeps the answers per
 * person and per list of crews, because every resource is tried with the same people.
 */
function fitAt(slot: BookingFacts, checks: readonly Check[]): (crews: Iterable<Crew>) => Iterable<Crew> {
  const [ofPerson, ofCrew] = [checksThatAsk(checks, 'person'), checksThatAsk(checks, 'crew')]
  const people = new Map<number | SeatFacts, boolean>()
  const isFit = (seat: SeatFacts) => {
    const key = seat.orgUserId ?? seat
    const answer = people.get(key) ?? isFree(slot, seat, ofPerson)
    people.set(key, answer)
    return answer
  }
  const fitting = function* (crews: Iterable<Crew>): Iterable<Crew> {
    for (const crew of crews) if (crew.every(isFit) && !isRefused({ ...slot, seats: crew }, ofCrew)) yield crew
  }
  const ofCrews = new Map<Iterable<Crew>, Iterable<Crew>>()
  return (crews) => {
    const fit = ofCrews.get(crews) ?? remembered(fitting(crews))
    ofCrews.set(crews, fit)
    return fit
  }
}

/** Returns whether no check refuses a person. A clash is found first, without its sentence. */
function isFree(slot: BookingFacts, seat: SeatFacts, checks: readonly Check[]): boolean {
  return clashes(slot.booking, seat.taken).length === 0 && !isRefused({ ...slot, seats: [seat] }, checks)
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
