import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { inSlices } from '../../platform/db/stoppable.ts'
import { completedAfterRollback, type Tx } from '../../platform/db/transaction.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { assertBookable } from '../rules/assert-bookable.ts'
import { type BookingInput, type BookingToPlan, peopleOf, type SeatInput } from '../rules/booking-input.types.ts'
import { organizationFacts, seatFacts, timesOf } from '../rules/load-booking-facts.ts'
import { type BookingPlan, planBooking } from '../rules/plan-booking.ts'
import type { Fix } from '../rules/problems.ts'
import { qualificationsFor } from '../rules/qualifications.rules.ts'
import { loadSchedulingSnapshot } from '../rules/scheduling-snapshot.queries.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { waitlistErrors } from '../waitlist.errors.ts'
import { findInstructors, findResourcesFor } from './candidates.queries.ts'
import { cureOf } from './cure.rules.ts'
import { type OpeningsFacts, openingsFrom, slotsAt } from './openings.rules.ts'

/** The most resources that a fix names. */
export const MOST_RESOURCES = 10
/** The most instructors that a fix names. */
const MOST_INSTRUCTORS = 5
/** A fix contains a free time at most this many days after the booking's start. */
const DAYS_AHEAD = 7
const DAY_MS = 86_400_000

/**
 * Checks a booking against every rule like `planBooking`. Adds a fix to a single booking that is refused, if one search finds
 * it: other resources, the next free time, or other instructors, under the same rules; of maintenance the time that `shopTime` finds. Implements
 * interface §Booking rules.
 * @throws Invalid as `planBooking`.
 */
export async function planWithFix(
  db: Db,
  actor: Actor,
  now: Date,
  input: BookingToPlan,
  shopTime: Search,
): Promise<BookingPlan> {
  return withFix(db, actor, now, input, await planBooking(db, actor, now, input), shopTime)
}

/**
 * Returns the plan of a booking that breaks no rule. The caller holds the locks of its slot. The fix of a refused booking
 * is searched after the rollback, so that the next request for the slot does not wait for the search.
 * @throws the refusals of `planBooking` and `assertBookable`, and OfferEnded when an accepted offer said a lower price
 */
export async function planBookable(
  tx: Tx,
  actor: Actor,
  input: BookingToPlan,
  zone: string,
  shopTime: Search,
): Promise<BookingPlan> {
  const plan = await planBooking(tx.db, actor, tx.now, input)
  try {
    assertBookable(plan, zone)
  } catch (refusal) {
    throw completedAfterRollback(refusal as Error, async (db) =>
      assertBookable(await withFix(db, actor, tx.now, input, plan, shopTime), zone),
    )
  }
  const { mostCents = null } = input
  if (mostCents !== null && plan.estimatedCents! > mostCents) {
    throw waitlistErrors.offerEnded({}, { status: 'withdrawn' })
  }
  return plan
}

async function withFix(
  db: Db,
  actor: Actor,
  now: Date,
  input: BookingToPlan,
  plan: BookingPlan,
  shopTime: Search,
): Promise<BookingPlan> {
  const [only, another] = plan.judged
  if (plan.forbidden || !only || another) return plan
  const cure = cureOf(only.problems)
  const { resourceId } = only
  if (cure === null) return withInstructors(db, actor, now, input, plan)
  if (cure === 'resource' && resourceId === null) return plan
  const search = input.type === 'maintenance' ? shopTime : cure === 'resource' ? otherResources : nextTime
  const fix = await search(db, actor, now, { ...input, resourceId })
  if (!fix) return plan
  return { ...plan, judged: [{ ...only, problems: only.problems.map((problem) => ({ ...problem, fix })) }] }
}

/** Returns the plan of a refused booking with the instructors whom the caller could book in place of one who lacks a rating. */
async function withInstructors(
  db: Db,
  actor: Actor,
  now: Date,
  input: BookingToPlan,
  plan: BookingPlan,
): Promise<BookingPlan> {
  const only = plan.judged[0]!
  const lacking = new Set(only.problems.flatMap(({ fix, orgUserId }) => (isOfInstructor(fix) ? [orgUserId] : [])))
  const [replaced, another] = lacking
  if (replaced === undefined || another !== undefined) return plan
  const seated = peopleOf(input.seats).memberIds
  const others = (await findInstructors(db, actor.organizationId)).filter((id) => !seated.includes(id))
  const crews = others.map((id) =>
    input.seats.map((seat) =>
      'orgUserId' in seat && seat.orgUserId === replaced && seat.side === 'instructors'
        ? { ...seat, orgUserId: id }
        : seat,
    ),
  )
  const facts = await loadFacts(
    db,
    actor,
    now,
    input,
    crews.map((seats) => ({ resourceId: input.resourceId, seats })),
  )
  const found = await inSlices(slotsAt(facts, input.start, MOST_INSTRUCTORS))
  const orgUserIds = found.flatMap(({ crew }) =>
    crew.flatMap(({ side, orgUserId }) => (side === 'instructors' && orgUserId !== null ? [orgUserId] : [])),
  )
  const chosen = orgUserIds.filter((id) => !seated.includes(id))
  const problems = only.problems.map((problem) =>
    isOfInstructor(problem.fix) ? { ...problem, fix: { ...problem.fix, orgUserIds: chosen } } : problem,
  )
  return { ...plan, judged: [{ ...only, problems }] }
}

function isOfInstructor(fix: Fix | undefined): fix is Fix & { action: 'choose_instructor' } {
  return fix?.action === 'choose_instructor'
}

/** A search for the fix of a refused booking; null when it finds none. */
export type Search = (db: Db, actor: Actor, now: Date, input: BookingInput) => Promise<Fix | null>

const otherResources: Search = async (db, actor, now, input) => {
  const all = await findResourcesFor(db, actor.organizationId, input.type)
  const others = all.filter((id) => id !== input.resourceId)
  const facts = await loadFacts(db, actor, now, input, choicesOf(input, others))
  const found = await inSlices(slotsAt(facts, input.start, MOST_RESOURCES))
  const resourceIds = found.flatMap(({ resource }) => (resource ? [resource.id] : []))
  if (resourceIds.length === 0) return null
  const names = found.map(({ resource }) => resource!.name).join(', ')
  return { action: 'choose_resource', resourceIds, text: schedulingErrors.fixResource({ resources: names }) }
}

const nextTime: Search = async (db, actor, now, input) => {
  const last = input.start.getTime() + DAYS_AHEAD * DAY_MS
  const span = { start: input.start, end: new Date(last + input.end.getTime() - input.start.getTime()) }
  const facts = await loadFacts(db, actor, now, input, choicesOf(input, [input.resourceId]), span)
  const starts = { start: new Date(Math.max(input.start.getTime() + 1, now.getTime())), end: new Date(last + 1) }
  const [slot] = await inSlices(openingsFrom(facts, starts, 1))
  if (!slot) return null
  const [start, end] = [slot.start.toISOString(), slot.end.toISOString()]
  return { action: 'choose_time', start, end, text: schedulingErrors.fixTime() }
}

/** A resource and a crew to try instead of those of a booking. */
interface Choice {
  resourceId: number | null
  seats: readonly SeatInput[]
}

function choicesOf({ seats }: BookingInput, resourceIds: readonly (number | null)[]): Choice[] {
  return resourceIds.map((resourceId) => ({ resourceId, seats }))
}

/** Returns the facts of the same booking with these resources and crews instead of its own. */
async function loadFacts(
  db: Db,
  actor: Actor,
  now: Date,
  input: BookingInput,
  choices: readonly Choice[],
  span: Interval = input,
): Promise<OpeningsFacts> {
  const snapshot = await loadSchedulingSnapshot(db, actor.organizationId, {
    ...peopleOf([...input.seats, ...choices.flatMap(({ seats }) => seats)]),
    resourceIds: [...new Set(choices.flatMap(({ resourceId }) => resourceId ?? []))],
    span,
    now,
    exceptRequestId: input.requestId,
    callerId: actor.orgUserId,
    lessonIds: input.lessonIds,
    ...qualificationsFor(input.type, actor.organization.settings),
  })
  return {
    ...organizationFacts(actor, now, snapshot),
    booking: timesOf(input),
    choices: choices.map(({ resourceId, seats }) => {
      const resource = resourceId === null ? null : snapshot.resources.get(resourceId)!
      const taken = resource === null ? [] : (snapshot.taken.resources.get(resource.id) ?? [])
      return { resource: resource && { ...resource, taken }, crews: [seats.map((seat) => seatFacts(seat, snapshot))] }
    }),
  }
}
