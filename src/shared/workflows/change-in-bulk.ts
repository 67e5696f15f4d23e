import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { AppError } from '../platform/kernel/errors.ts'
import type { OperationToRun, PendingRow, RowOutcome } from '../platform/operations/operation.types.ts'
import { judged } from '../scheduling/recoveries/consent-now.rules.ts'
import { findResourceChoices } from '../scheduling/recoveries/displaced.queries.ts'
import { isMoved } from '../scheduling/recoveries/plan-rows.rules.ts'
import { recoveryErrors } from '../scheduling/recovery.errors.ts'
import { seatGuests } from '../scheduling/reservations/insert-reservations.ts'
import { loadFactsTogether } from '../scheduling/reservations/load-facts-together.ts'
import { isSamePlace, type Place, placeChanges } from '../scheduling/reservations/place.rules.ts'
import { type Candidate, type Planned, planTogether } from '../scheduling/reservations/plan-together.rules.ts'
import {
  type LockedReservation,
  lifecycleOf,
  lockReservations,
  seatsOf,
  storedBooking,
} from '../scheduling/reservations/reservation.access.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import { type Move, writePlaces } from '../scheduling/reservations/write-places.ts'
import type { BookingToPlan } from '../scheduling/rules/booking-input.types.ts'
import { recordOverrides } from '../scheduling/rules/record-overrides.ts'
import { endedAt } from '../scheduling/rules/resource.rules.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import type { BulkInput, PlanFrom } from './bulk.types.ts'
import { agreedChoices, changeOf, looksAtPresent, recordGiven } from './bulk-consent.access.ts'
import { deniedProblem, detailOf, notOpen, type Outcome, plain, refusedBy, rowProblem } from './bulk-outcome.rules.ts'
import { findActions } from './bulk-pool.access.ts'
import { knownSeats, targetsOf } from './bulk-target.rules.ts'
import { placeOf } from './change-reservation.ts'
import { endHeldPlaces } from './end-held-places.ts'
import { assertChargesStand, followReassigned } from './follow-reassigned.ts'
import { markCancelled } from './mark-cancelled.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** A booking with the places to which it may go, in order of preference. */
interface Going {
  row: LockedReservation
  from: Place
  choices: (BookingToPlan & { facts: ReturnType<Awaited<ReturnType<typeof loadFactsTogether>>> })[]
}

type Outcomes = Map<number, Outcome>

/**
 * Processes a group of rows of a bulk. Each booking is cancelled, or moved to the place that the action gives; the booking rules apply
 * as to a single change. A refused booking does not throw: the refusal is the outcome of its row. Nothing is written by a dry run, or by
 * an atomic bulk with a refused booking.
 * Implements interface §Reservations, POST /reservations/bulk.
 */
export async function changeInBulk(
  tx: Tx,
  actor: Actor,
  operation: OperationToRun,
  rows: readonly PendingRow[],
): Promise<RowOutcome[]> {
  const input = operation.input as unknown as BulkInput
  const asked = rows.map(({ subjectId }) => subjectId!)
  const locked = await lockReservations(tx, actor, asked)
  const outcomes: Outcomes = new Map()
  const open = locked.filter((row) => {
    const refused =
      notOpen(row, lifecycleOf(row), { now: tx.now, cancels: 'cancel' in input.action }) ?? hasLeft(input.action, row)
    if (refused) outcomes.set(row.id, refused)
    return !refused
  })
  const work = 'cancel' in input.action ? cancelAll : placeAll
  await work(tx, actor, { input, operation, open, outcomes })
  const stays = new Map(locked.map((row) => [row.id, { detail: { ...detailOf(row, placeOf(row)) } }]))
  return rows.map(({ number, subjectId }) => ({
    number,
    ...stays.get(subjectId!),
    ...(outcomes.get(subjectId!) ?? plain('unchanged')),
  }))
}

interface Work {
  input: BulkInput
  operation: OperationToRun
  open: readonly LockedReservation[]
  outcomes: Outcomes
}

/** Returns whether the changes are written: not in a dry run, and not in an atomic bulk with a refused booking. */
function isWritten({ input, operation, outcomes }: Work): boolean {
  const refused = [...outcomes.values()].some(({ outcome }) => outcome === 'refused')
  return !input.dryRun && !(operation.atomic && refused)
}

/** Sets the outcome of a booking that can be changed; in an atomic bulk with a refused booking it is unchanged. */
function recordOutcome(work: Work, row: LockedReservation, warnings: Outcome['warnings'], to: Place | null): void {
  const stays = work.operation.atomic && !work.input.dryRun && !isWritten(work)
  const detail = { ...detailOf(row, placeOf(row), to) }
  work.outcomes.set(row.id, stays ? { ...plain('unchanged'), warnings } : { ...plain('done'), warnings, detail })
}

async function cancelAll(tx: Tx, actor: Actor, work: Work): Promise<void> {
  const { input, operation, outcomes } = work
  const { reason, category } = 'cancel' in input.action ? input.action.cancel : { reason: '', category: '' }
  const planned = 'cancel' in input.action ? (input.action.cancel.from ?? []) : []
  const doubted = work.open.filter((row) => planned.some(({ id, whileRefused }) => id === row.id && whileRefused))
  for (const row of await findStanding(tx, actor, doubted)) {
    outcomes.set(row.id, refusedBy(rowProblem('CHANGED_MEANWHILE', workflowsErrors.standsAgain())))
  }
  const open = work.open.filter((row) => !outcomes.has(row.id))
  if (isWritten(work)) {
    const entities = open.map(({ entity }) => entity)
    await markCancelled(tx, actor, entities, { reason, category, notify: input.notify, operationId: operation.id })
  }
  for (const row of open) recordOutcome(work, row, [], null)
}

/** Returns which of these bookings the rules accept where they stand. */
async function findStanding(tx: Tx, actor: Actor, rows: readonly LockedReservation[]): Promise<LockedReservation[]> {
  if (rows.length === 0) return []
  const bookings = rows.map(storedBooking)
  const factsOf = await loadFactsTogether(tx.db, actor, tx.now, bookings)
  return rows.filter((_row, at) => {
    const { problems, denied } = judged(factsOf(bookings[at]!)).judgement
    return problems.length + denied.length === 0
  })
}

async function placeAll(tx: Tx, actor: Actor, work: Work): Promise<void> {
  const { input, open, outcomes } = work
  const going = await choicesOf(tx, actor, input, open, outcomes)
  const candidates: Candidate[] = going.map(({ row, choices }) => ({
    id: row.id,
    choices: choices.map(({ facts }) => facts),
  }))
  const planned = planTogether(candidates)
  const accepted: (Going & { plan: Planned; to: Place; reseated: boolean })[] = []
  for (const one of going) {
    const plan = planned.get(one.row.id)!
    const { problems, denied } = plan.judgement
    if (plan.choice === null) {
      outcomes.set(one.row.id, refusedBy(...problems, ...denied.map(deniedProblem)))
      continue
    }
    const { start, end, resourceId, locationId, seats, facts } = one.choices[plan.choice]!
    const stored = input.dryRun ? knownSeats(facts) : await seatGuests(tx, actor.organizationId, seats)
    const to = { start, end, resourceId, locationId, seats: stored }
    const reseated = placeChanges(one.from, { ...one.from, seats: stored }) !== null
    accepted.push({ ...one, plan, to, reseated })
  }
  if (isWritten(work)) {
    const moves: Move[] = accepted.map(({ row, to, reseated }) => ({
      entity: row.entity,
      to,
      seats: reseated ? to.seats : null,
    }))
    await writePlaces(tx, actor.organization.settings, moves)
    const placed = accepted.map(({ row, choices, plan, to }) => ({
      id: row.id,
      ...endedAt(choices[plan.choice!]!.facts, to),
    }))
    await endHeldPlaces(tx, actor, placed)
    for (const { row, from, to, plan } of accepted) {
      await followReassigned(tx, row, to.seats)
      const changes = placeChanges(from, to)
      const after = { ...changes?.after, operationId: work.operation.id }
      recordGiven(tx, actor, { operationId: work.operation.id, ...changeOf(work.input.action, row.id)?.given }, row.id)
      emit(tx, actor, { kind: 'reservation.changed', subject: { kind: 'reservation', id: row.id }, ...changes, after })
      const judged = [{ occurrence: { index: 1, start: to.start, end: to.end }, ...plan.judgement }]
      await recordOverrides(tx, actor, { judged, resourceId: to.resourceId }, [row.id])
    }
  }
  for (const { row, to, plan } of accepted) recordOutcome(work, row, plan.judgement.warnings, to)
}

/** Returns the refusal of a booking that is no longer where a plan found it: somebody moved it meanwhile. Null when it is there. */
function hasLeft(action: BulkInput['action'], row: LockedReservation): Outcome | null {
  const planned: readonly PlanFrom[] =
    'changes' in action ? action.changes : 'cancel' in action ? (action.cancel.from ?? []) : []
  const { from } = planned.find(({ id }) => id === row.id) ?? {}
  if (from === undefined || !isMoved(from, row)) return null
  return refusedBy(rowProblem('CHANGED_MEANWHILE', recoveryErrors.movedMeanwhile()))
}

/** Returns the bookings to move, each with the facts of its possible places. Sets the outcomes of the other bookings. */
async function choicesOf(
  tx: Tx,
  actor: Actor,
  input: BulkInput,
  open: readonly LockedReservation[],
  outcomes: Outcomes,
): Promise<Going[]> {
  const { action } = input
  if ('cancel' in action) return []
  const actionOf = await findActions(tx, actor, action, open)
  const asked = open.flatMap((row) => {
    const from = placeOf(row)
    const targets = targetsOf(actionOf(row), row.id, row.type, { ...from, seats: seatsOf(from.seats) })
    if (targets === 'no_such_seat') {
      outcomes.set(
        row.id,
        refusedBy(rowProblem('INVALID', schedulingErrors.noInstructorSeat({ type: row.type }).message)),
      )
      return []
    }
    const toJudge = targets.map(({ start, end, resourceId, seats }): BookingToPlan => {
      const locationId = resourceId === from.resourceId ? from.locationId : null
      return { ...storedBooking(row), start, end, resourceId, locationId, seats }
    })
    return [{ row, from, toJudge }]
  })
  const present = asked.flatMap(({ row }) => (looksAtPresent(action, row.id) ? [storedBooking(row)] : []))
  const all = [...asked.flatMap(({ toJudge }) => toJudge), ...present]
  if (all.length === 0) return []
  const places = asked.map(({ from }) => from)
  await lockSlots(tx.db, {
    resourceIds: [...new Set([...all, ...places].flatMap(({ resourceId }) => resourceId ?? []))],
    seats: [...all.flatMap(({ seats }) => seats), ...places.flatMap(({ seats }) => seatsOf(seats))],
  })
  const factsOf = await loadFactsTogether(tx.db, actor, tx.now, all, input.overrides)
  const resources = present.length > 0 ? await findResourceChoices(tx.db, actor.organizationId) : []
  return asked.flatMap(({ row, from, toJudge }) => {
    try {
      const choices = toJudge.map((booking) => {
        const facts = factsOf(booking)
        const stays = booking.resourceId === from.resourceId
        const locationId = stays ? from.locationId : (facts.locationOfResource ?? from.locationId)
        return { ...booking, locationId, facts: { ...facts, booking: { ...facts.booking, locationId } } }
      })
      const stays = choices.every(({ start, end, resourceId, facts }) =>
        isSamePlace(from, { ...from, start, end, resourceId, seats: facts.seats }),
      )
      if (stays) {
        outcomes.set(row.id, plain('unchanged'))
        return []
      }
      for (const { facts } of choices) assertChargesStand(actor, row, facts.seats)
      const agreed = agreedChoices(action, row, choices, { resources, factsOf })
      if (!Array.isArray(agreed)) {
        outcomes.set(row.id, refusedBy(rowProblem('CONSENT_NEEDED', agreed)))
        return []
      }
      return [{ row, from, choices: agreed }]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes.set(row.id, refusedBy(rowProblem(error.code ?? 'INVALID', error.message)))
      return []
    }
  })
}
