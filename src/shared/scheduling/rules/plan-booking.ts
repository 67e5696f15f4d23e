import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PlainError } from '../../platform/kernel/error-catalogue.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { estimateOf } from './balance.rules.ts'
import { forbidsBooking } from './booking.rules.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import type { BookingToPlan } from './booking-input.types.ts'
import { checksOf, judge } from './judge.rules.ts'
import { loadBookingFacts, type PlacedResource } from './load-booking-facts.ts'
import { assertHasCurrencies, loadOverrides } from './override.access.ts'
import { loadPool } from './pool.queries.ts'
import { poolOrders } from './pool-order.rules.ts'
import { type Finding, type Judgement, shapeProblem } from './problems.ts'
import { expandRecurrence, type Occurrence } from './recurrence.rules.ts'
import { type EndedAt, endedAt } from './resource.rules.ts'

/** A single booking, or one booking of a series, with the result of the rules. */
export interface JudgedOccurrence extends Judgement, EndedAt {
  occurrence: Occurrence
  resourceId: number | null
  /** The location of the resource; null without one. */
  resourceLocationId: number | null
}

/** The result of checking a booking or series before it is written. */
export interface BookingPlan {
  /** The error when the caller may not create it themselves; null when they may. */
  forbidden: PlainError<403> | null
  judged: JudgedOccurrence[]
  /** The bookings of a series that are left out because a rule refuses them. */
  skipped: JudgedOccurrence[]
  /** The resource that the caller named; null for a pool. */
  resourceId: number | null
  /** The location of the resource of the first booking; null without one. */
  resourceLocationId: number | null
  /** The expected cost of the first booking, without taxes; null when there is none. */
  estimatedCents: Cents | null
}

/**
 * Checks a booking or series against every rule and writes nothing, so that a check and the booking itself have the same
 * result. Implements interface §Reservations rule 7 (no prepaid series or maintenance).
 * @throws Invalid when the times, the recurrence, a person or the resource is invalid.
 */
export async function planBooking(db: Db, actor: Actor, now: Date, input: BookingToPlan): Promise<BookingPlan> {
  if (input.end.getTime() <= input.start.getTime()) throw refusal('end', schedulingErrors.endBeforeStart())
  if (input.collectionStyle === 'prepaid_fixed') {
    if (input.recurrence) throw refusal('collectionStyle', schedulingErrors.seriesPrepaid())
    if (input.type === 'maintenance') throw refusal('collectionStyle', schedulingErrors.maintenancePrepaid())
  }
  const occurrences = occurrencesOf(input)
  const span = { start: occurrences[0]!.start, end: occurrences.at(-1)!.end }
  const orders = await findOrders(db, actor, input, occurrences)
  const facts = await loadBookingFacts(db, actor, now, input, span, [...new Set(orders?.flat())])
  const forbidden = forbidsBooking(facts)
  const { overrides: given = [], keptOverrides: kept = [] } = input
  if (!forbidden) await assertHasCurrencies(db, actor.organizationId, given)
  const overrides = await loadOverrides(db, actor.organizationId, given, kept)
  const choices = choicesOf(facts, orders)
  const skips = input.recurrence?.onConflict === 'skip'
  const judged = judgeOccurrences({ ...facts, overrides }, occurrences, choices, skips)
  const { placed, skipped } = skips ? madeOf(judged) : { placed: judged, skipped: [] }
  return {
    forbidden,
    judged: placed.map((choice) => judgedOf(facts, choice)),
    skipped: skipped.map((choice) => judgedOf(facts, choice)),
    resourceId: input.resourceId,
    resourceLocationId: placed[0]?.resource?.locationId ?? null,
    estimatedCents: placed[0] ? estimateOf({ ...facts, resource: placed[0].resource }) : null,
  }
}

function judgedOf(facts: BookingFacts, choice: Choice): JudgedOccurrence {
  const { resource, ...judged } = choice
  return {
    ...judged,
    ...endedBy(facts, choice),
    resourceId: resource?.id ?? null,
    resourceLocationId: resource?.locationId ?? null,
  }
}

/** Returns the bookings of a series that can be made, numbered anew, and the others. When none can be made, all stay and are refused. */
function madeOf(judged: readonly Choice[]): { placed: Choice[]; skipped: Choice[] } {
  const made = judged.filter(({ problems }) => problems.length === 0)
  if (made.length === 0) return { placed: [...judged], skipped: [] }
  const placed = made.map((one, at) => ({ ...one, occurrence: { ...one.occurrence, index: at + 1 } }))
  return { placed, skipped: judged.filter(({ problems }) => problems.length > 0) }
}

/** Returns the order in which each booking of a series takes the resources of its pool; null when it names none. */
async function findOrders(
  db: Db,
  { organizationId }: Actor,
  { pool = null, locationId }: BookingToPlan,
  occurrences: readonly Occurrence[],
): Promise<number[][] | null> {
  if (pool === null) return null
  const starts = occurrences.map(({ start }) => start)
  return poolOrders(await loadPool(db, organizationId, { pool, locationId }, starts), starts)
}

/** Returns the resources among which each booking of a series chooses: those of the pool, or the one that is named. */
function choicesOf({ resource, locationId, pooled }: LoadedFacts, orders: number[][] | null) {
  const named = resource && locationId !== null ? { ...resource, locationId } : null
  const byId = new Map(pooled.map((one) => [one.id, one]))
  return (at: number): (PlacedResource | null)[] => orders?.[at]?.flatMap((id) => byId.get(id) ?? []) ?? [named]
}

type LoadedFacts = Awaited<ReturnType<typeof loadBookingFacts>>

/**
 * Checks each booking of a series on the same facts, with the first of its choices that is accepted, or else the first one.
 * One for which no guest's hold and no offer ends goes before one for which it does. Limits and instructors' training include the earlier
 * bookings of the series; with `skips`, only those that can be made.
 */
function judgeOccurrences(
  facts: BookingFacts,
  occurrences: readonly Occurrence[],
  choices: (at: number) => (PlacedResource | null)[],
  skips: boolean,
): Choice[] {
  const checks = checksOf(facts)
  const before: (Occurrence & { reservationId: null; open: boolean })[] = []
  return occurrences.map((occurrence, at) => {
    const { start, end } = occurrence
    const callerBookings = [...facts.callerBookings, ...before]
    const seats = facts.seats.map((seat) => ({ ...seat, training: [...seat.training, ...before] }))
    const booking = { ...facts.booking, start, end }
    const judged = choices(at)
      .values()
      .map((resource) => ({
        occurrence,
        resource,
        ...judge({ ...facts, callerBookings, seats, booking, resource }, checks),
      }))
    const first = firstOf(judged, (choice) => endsNothing(facts, choice))
    if (!skips || first.problems.length === 0) before.push({ ...occurrence, reservationId: null, open: true })
    return first
  })
}

interface Choice extends Judgement {
  occurrence: Occurrence
  resource: PlacedResource | null
}

function endedBy({ offers, seats }: BookingFacts, { resource, occurrence }: Choice): EndedAt {
  return endedAt({ offers, seats, resource }, occurrence)
}

function endsNothing(facts: BookingFacts, choice: Choice): boolean {
  const { endsHoldsOf, endsOffers } = endedBy(facts, choice)
  return endsHoldsOf.length + endsOffers.length === 0
}

function firstOf(judged: Iterable<Choice>, isFree: (choice: Choice) => boolean): Choice {
  let [first, held]: (Choice | undefined)[] = []
  for (const choice of judged) {
    first ??= choice
    if (choice.problems.length > 0 || choice.denied.length > 0) continue
    if (isFree(choice)) return choice
    held ??= choice
  }
  return held ?? first!
}

function occurrencesOf({ recurrence, start, end, zone }: BookingToPlan): Occurrence[] {
  if (!recurrence) return [{ index: 1, start, end }]
  const series = expandRecurrence(recurrence, { start, end }, zone)
  if (!series.problems) return series.occurrences
  throw invalidFields(series.problems.map(shapeProblem))
}

function refusal(field: string, problem: Pick<Finding, 'code' | 'message'>) {
  return invalidFields([shapeProblem({ ...problem, field })])
}
