import { slicesOf } from '../../platform/db/stoppable.ts'
import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { knownFacts } from '../at-risk/judge-ahead.ts'
import { without } from '../reservations/plan-together.rules.ts'
import { type JudgedRow, seatsOf, storedBooking } from '../reservations/reservation.access.ts'
import type { ReservationRow } from '../reservations/reservation.queries.ts'
import { clashes, isAvailable } from '../rules/availability.rules.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import { membersOn } from '../rules/pilot.rules.ts'
import type { Problem } from '../rules/problems.ts'
import { isAsserted, isHeld } from './asserted.rules.ts'
import { consentFor } from './consent.rules.ts'
import { type Judged, judged, seenAfter, seenPlace } from './consent-now.rules.ts'
import type { PlanFacts } from './load-plan-facts.ts'
import { pickChoices } from './pick-choices.ts'
import { type Around, type PlaceToTry, placesToTry } from './places-to-try.rules.ts'
import { MOST_PLACES, type PlanPlace } from './plan-problem.rules.ts'
import { seatsAt } from './plan-rows.rules.ts'
import type { Consent } from './recovery.types.ts'

/** The most places at one start, and the most judgements of a plan. */
const MOST_AT_A_START = 3
const MOST_JUDGEMENTS = 12_000
/** How long a search runs before other work has its turn, in milliseconds: a request takes several turns, and two searches run at a time. */
export const SLICE_MS = 1
const NOTICE_MS = 2 * 3_600_000

/** A place that the rules accept. */
export interface AcceptedPlace extends PlanPlace {
  resourceId: number | null
  instructorId: number | null
  consent: Consent[]
  /** The most that its aircraft may cost, in cents: as much as the present one when nobody has to agree, else its own price. */
  mostCents: Cents
  after: readonly number[]
  facts: BookingFacts
}

/** A displaced booking with the places that it may get. */
export interface DisplacedBooking {
  id: number
  row: ReservationRow
  places: AcceptedPlace[]
  /** Whether the rules would still accept it where it stands. */
  stands: boolean
  /** Whether a part of the cause that takes it is on no record. */
  asserted: boolean
  /** Why it cannot stay. */
  problems: Problem[]
}

/**
 * How places are looked for. `exceptResourceId`: the resource that no booking gets at any time. `isTogether`: whether one displaced booking leaves
 * its place when another does; absent: all do.
 */
interface Looking {
  most?: number
  exceptResourceId?: number | undefined
  isTogether?(one: Interval, other: Interval): boolean
}

/**
 * Returns the displaced bookings by start, each with at most `most` places that the rules accept when all displaced bookings have left
 * theirs. A place where one of them stands says so, except beside a maintenance booking, which displaces all of its resource at once. Each
 * booking may use its share of the judgements that are left, so that those without any place leave the later ones theirs.
 * `isCut`: one had more places to judge. Implements interface §Recovery.
 */
export async function findPlaces(
  facts: PlanFacts,
  { most = MOST_PLACES, exceptResourceId, isTogether = () => true }: Looking = {},
): Promise<{ rows: DisplacedBooking[]; isCut: boolean }> {
  const isBooked = facts.recovery.cause.maintenance !== undefined
  const all = { left: MOST_JUDGEMENTS }
  const endSlice = slicesOf(SLICE_MS)
  const standing: { booking: Booking; here: Judged }[] = []
  for (const booking of facts.bookings) {
    await endSlice()
    const stored = factsAt(facts, booking.row, placeHere(booking.row))
    if (stored) standing.push({ booking, here: judged(stored) })
  }
  const held = new Set(standing.flatMap(({ here }) => (isHeld(here.judgement) ? (here.facts.resource?.id ?? []) : [])))
  const leaving = standing.filter(
    ({ booking, here }) => isBooked || booking.byOther || !isOnRecord(here.facts, held) || isHeld(here.judgement),
  )
  const rows: DisplacedBooking[] = []
  let isCut = false
  for (const { booking, here } of leaving) {
    const { row } = booking
    const { judgement } = here
    const beside = leaving.filter(({ booking: other }) => isTogether(timesOf(row), timesOf(other.row)))
    const away = new Set(beside.map(({ booking: other }) => other.row.id))
    const stands = !isBooked && judgement.problems.length === 0 && judgement.denied.length === 0
    const asserted = !isBooked && isAsserted(facts.recovery, booking, here, stands)
    const { problems } = judgement
    const displaced = { id: row.id, row, stands, asserted, problems, places: [] as AcceptedPlace[] }
    const share = Math.ceil(all.left / (leaving.length - rows.length))
    const asked = { left: share }
    rows.push(displaced)
    const from = seenPlace(facts.resources, here)
    const trying = { asked, most, exceptResourceId, away, endSlice }
    for await (const { place, at } of acceptedPlaces(facts, booking, trying)) {
      const to = seenAfter(facts.resources, at)
      const consent = consentFor({ type: row.type, seats: row.seats, stands }, from, to)
      const mostCents = consent.length === 0 ? from.cost : to.cost
      const after = isBooked ? [] : standingAt(at.facts, away)
      displaced.places.push({ ...place, consent, mostCents, takes: takesOf(place, row), after, facts: at.facts })
    }
    all.left -= share - asked.left
    isCut ||= asked.left <= 0
  }
  return { rows, isCut }
}

/**
 * A resource that is grounded, or that a deferral holds from some of its bookings, is judged by the rules; of any other, the cause is taken
 * to be true. `held`: the resources of which a record holds some booking.
 */
function isOnRecord({ resource }: BookingFacts, held: ReadonlySet<number>): boolean {
  return resource !== null && (resource.grounded || (resource.deferrals.length > 0 && held.has(resource.id)))
}

type Booking = PlanFacts['bookings'][number]

interface Trying {
  asked: { left: number }
  most: number
  exceptResourceId: number | undefined
  away: ReadonlySet<number>
  endSlice(): Promise<void>
}

async function* acceptedPlaces(
  plan: PlanFacts,
  booking: Booking,
  { asked, most, exceptResourceId, away, endSlice }: Trying,
): AsyncGenerator<{ place: PlaceToTry; at: Judged }> {
  const { row } = booking
  const here = placeHere(row)
  const atStart = new Map<number, number>()
  const crews = new Map<string, boolean>()
  let found = 0
  for (const place of placesToTry(pickChoices(plan, booking), aroundOf(plan))) {
    if (found === most || asked.left <= 0) return
    await endSlice()
    if (place.resourceId === exceptResourceId) continue
    const start = place.start.getTime()
    if ((atStart.get(start) ?? 0) === MOST_AT_A_START || isSame(place, here) || isAway(plan, place)) continue
    const crew = `${start} ${place.instructorId}`
    if (crews.get(crew) === false) continue
    const stored = factsAt(plan, row, place)
    if (!stored) continue
    const facts = without(stored, away)
    if (!crews.has(crew)) crews.set(crew, isCrewFree(facts, row))
    if (!crews.get(crew) || !isResourceFree(facts)) continue
    asked.left -= 1
    const at = judged(facts)
    if (at.judgement.problems.length > 0 || at.judgement.denied.length > 0) continue
    atStart.set(start, (atStart.get(start) ?? 0) + 1)
    found += 1
    if (facts === stored) yield { place, at }
    else {
      asked.left -= 1
      // Who has to agree follows from the bookings as they stand, as when it is applied.
      yield { place, at: judged(stored) }
    }
  }
}

function aroundOf({ actor, now, recovery }: PlanFacts): Around {
  const notBefore = new Date(now.getTime() + NOTICE_MS)
  return { zone: actor.organization.timeZoneName, days: recovery.reach.days, notBefore }
}

function placeHere(row: JudgedRow): Omit<PlaceToTry, 'points'> {
  const instructor = row.seats.find(({ side }) => side === 'instructors')
  return {
    start: row.starts_at,
    end: row.ends_at,
    resourceId: row.resource?.id ?? null,
    instructorId: instructor?.orgUserId ?? null,
  }
}

function timesOf({ starts_at: start, ends_at: end }: JudgedRow): Interval {
  return { start, end }
}

function isSame(one: Omit<PlaceToTry, 'points'>, other: Omit<PlaceToTry, 'points'>): boolean {
  const isAtOnce = one.start.getTime() === other.start.getTime()
  return isAtOnce && one.resourceId === other.resourceId && one.instructorId === other.instructorId
}

/** Returns whether a cause names the resource or the instructor for this time. */
function isAway({ recovery: { cause, start, end } }: PlanFacts, place: PlaceToTry): boolean {
  const named =
    cause.resourceIds?.includes(place.resourceId ?? 0) || cause.instructorOrgUserIds?.includes(place.instructorId ?? 0)
  return named === true && overlaps(place, { start, end })
}

function factsAt(
  plan: PlanFacts,
  row: ReservationRow,
  { start, end, resourceId, instructorId }: Omit<PlaceToTry, 'points'>,
) {
  const booking = storedBooking(row)
  const stays = resourceId === booking.resourceId
  const locationId = stays ? booking.locationId : null
  const seats = seatsAt(seatsOf(row.seats), { instructorOrgUserId: instructorId })
  const facts = knownFacts(() => plan.factsOf({ ...booking, start, end, resourceId, locationId, seats }))
  if (!facts) return null
  const location = stays ? booking.locationId : (facts.locationOfResource ?? booking.locationId)
  return { ...facts, booking: { ...facts.booking, locationId: location } }
}

/** Returns whether nobody is booked then and, at another time, everybody works then: a person's pattern is not only a rule. */
function isCrewFree({ booking, seats, zone }: BookingFacts, row: ReservationRow): boolean {
  if (seats.some(({ taken }) => clashes(booking, taken).length > 0)) return false
  if (booking.start.getTime() === row.starts_at.getTime()) return true
  return membersOn(seats).every(
    ({ member }) =>
      isAvailable(member.availability, booking, zone) && !member.timeOff.some((away) => overlaps(away, booking)),
  )
}

function isResourceFree({ booking, resource }: BookingFacts): boolean {
  return resource === null || clashes(booking, resource.taken).length === 0
}

/** Returns which of these bookings stand in the way of a place. */
function standingAt({ booking, resource, seats }: BookingFacts, away: ReadonlySet<number>): number[] {
  const taken = [...(resource?.taken ?? []), ...seats.flatMap((seat) => seat.taken)]
  const found = clashes(booking, taken).flatMap(({ reservationId }) => reservationId ?? [])
  return [...new Set(found)].filter((id) => away.has(id))
}

function takesOf({ resourceId, instructorId }: PlaceToTry, row: ReservationRow): string[] {
  const others = row.seats.filter(({ side }) => side !== 'instructors')
  const people = others.map(({ orgUserId, guestId }) =>
    orgUserId === null ? `guest ${guestId}` : `person ${orgUserId}`,
  )
  if (instructorId !== null) people.push(`person ${instructorId}`)
  return resourceId === null ? people : [...people, `resource ${resourceId}`]
}
