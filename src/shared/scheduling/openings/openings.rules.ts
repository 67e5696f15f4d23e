import type { Interval } from '../../platform/kernel/instants.ts'
import type { Steps } from '../../platform/kernel/steps.ts'
import { clashes } from '../rules/availability.rules.ts'
import type { BookingFacts, ResourceFacts, SeatFacts } from '../rules/booking-facts.types.ts'
import { type Check, checksOf, judge } from '../rules/judge.rules.ts'
import type { Finding, Problem } from '../rules/problems.ts'

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
export function* openingsFrom(facts: OpeningsFacts, starts: Interval, most: number): Steps<Opening[]> {
  const checks = checksOf(facts)
  const found: Opening[] = []
  for (let at = gridAt(starts.start).getTime(); at < starts.end.getTime() && found.length < most; at += GRID_MS) {
    found.push(...(yield* openingsAt(facts, new Date(at), most - found.length, checks)))
  }
  return found
}

/**
 * Returns at most `most` openings at one start, which need not be a quarter hour: the free resources, each with the first
 * possible crew. Implements interface §Booking rules.
 */
export function* openingsAt(
  facts: OpeningsFacts,
  start: Date,
  most = Number.POSITIVE_INFINITY,
  checks: readonly Check[] = checksOf(facts),
): Steps<Opening[]> {
  yield
  const length = facts.booking.end.getTime() - facts.booking.start.getTime()
  const booking = { ...facts.booking, start, end: new Date(start.getTime() + length) }
  const slot = { ...facts, booking, resource: null, seats: [] }
  const ofResource = checksThatAsk(checks, 'resource')
  const askHours = hoursAt(slot, ofResource.filter(isOfHours))
  const others = ofResource.filter((check) => !isOfHours(check))
  const fitOf = fitAt(slot, checks)
  const openings: Opening[] = []
  for (const { resource, crews } of facts.choices) {
    if (openings.length >= most) break
    // What is taken is known without a finding and its sentence; most starts of a busy week end here.
    if (resource && clashes(booking, resource.taken).length > 0) continue
    if (resource && facts.isWanted?.(booking, resource) === false) continue
    const open = askHours(resource)
    if (open.isRefused) continue
    const fit = fitOf(crews)
    const [first] = fit
    if (!first) continue
    const itself = answerOf({ ...slot, resource }, others)
    if (itself.isRefused) continue
    for (const { crew, found } of fit) {
      yield
      const again = [...open.found, ...itself.found, ...found]
      const left = checks.filter((check) => check.asks === 'booking' || again.includes(check))
      const judgement = judge({ ...slot, resource, seats: crew }, left)
      if (judgement.problems.length > 0) continue
      openings.push({ start, end: booking.end, resource, crew, warnings: judgement.warnings })
      break
    }
  }
  return openings
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

/** What checks say of a resource, a person or a crew alone: whether one refuses the slot, and the others with findings. */
interface Answer {
  isRefused: boolean
  found: readonly Check[]
}

function checksThatAsk(checks: readonly Check[], what: Check['asks']): Check[] {
  return checks.filter(({ asks }) => asks === what)
}

function answerOf(slot: BookingFacts, checks: readonly Check[]): Answer {
  const found: Check[] = []
  for (const check of checks) {
    const findings = check.find(slot)
    if (findings.length === 0) continue
    if (isRefusedBy(check, findings, slot)) return { isRefused: true, found }
    found.push(check)
  }
  return { isRefused: false, found }
}

/** A check that does not apply when an instructor is on board refuses nothing without the crew. */
function isRefusedBy(check: Check, findings: readonly Finding[], slot: BookingFacts): boolean {
  const { enforcement, liftedWhenSupervised } = check.settings
  if (enforcement !== 'block') return false
  if (liftedWhenSupervised) return check.asks === 'crew' && judge(slot, [check]).problems.length > 0
  return findings.some(({ warnsOnly }) => !warnsOnly)
}

const isOfHours = ({ key }: Check) => key === 'opening_hours'

/** Returns a function that asks about the hours of a resource. Resources with the same hours are asked once. */
function hoursAt(slot: BookingFacts, checks: readonly Check[]): (resource: ResourceFacts | null) => Answer {
  const known = new Map<string, Answer>()
  return (resource) => {
    const { zone, flyingDayStartMinute: from, flyingDayEndMinute: to } = resource ?? {}
    const key = `${zone} ${from} ${to}`
    const answer = known.get(key) ?? answerOf({ ...slot, resource }, checks)
    known.set(key, answer)
    return answer
  }
}

type Crew = readonly SeatFacts[]

/** A crew that nothing refuses apart from the resource, with the checks that have findings about it. */
interface FitCrew {
  crew: Crew
  found: readonly Check[]
}

/**
 * Returns a function that finds the fit crews of a list. It keeps the answers per person and per list of crews, because every
 * resource is tried with the same people.
 */
function fitAt(slot: BookingFacts, checks: readonly Check[]): (crews: Iterable<Crew>) => Iterable<FitCrew> {
  const [ofPerson, ofCrew] = [checksThatAsk(checks, 'person'), checksThatAsk(checks, 'crew')]
  const people = new Map<number | SeatFacts, Answer>()
  const askPerson = (seat: SeatFacts) => {
    const key = seat.orgUserId ?? seat
    const answer = people.get(key) ?? personAnswer(slot, seat, ofPerson)
    people.set(key, answer)
    return answer
  }
  const fitting = function* (crews: Iterable<Crew>): Iterable<FitCrew> {
    for (const crew of crews) {
      if (crew.some((seat) => askPerson(seat).isRefused)) continue
      const together = answerOf({ ...slot, seats: crew }, ofCrew)
      if (together.isRefused) continue
      yield { crew, found: [...together.found, ...crew.flatMap((seat) => askPerson(seat).found)] }
    }
  }
  const ofCrews = new Map<Iterable<Crew>, Iterable<FitCrew>>()
  return (crews) => {
    const fit = ofCrews.get(crews) ?? remembered(fitting(crews))
    ofCrews.set(crews, fit)
    return fit
  }
}

/** A clash is found first, without its sentence. */
function personAnswer(slot: BookingFacts, seat: SeatFacts, checks: readonly Check[]): Answer {
  if (clashes(slot.booking, seat.taken).length > 0) return { isRefused: true, found: [] }
  return answerOf({ ...slot, seats: [seat] }, checks)
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
