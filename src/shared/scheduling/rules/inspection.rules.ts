import type { ExcludedOperation } from '../../fleet/maintenance/deferral.rules.ts'
import { overdueMessage, readingInWords } from '../../fleet/maintenance/maintenance-item.rules.ts'
import type { MaintenanceScope } from '../../fleet/resources/resource.rules.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { ZERO } from '../../platform/kernel/units.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, ResourceFacts } from './booking-facts.types.ts'
import type { InspectionFacts, InspectionLimit } from './inspection-facts.types.ts'
import { touchesNight } from './night.rules.ts'
import { isSupervised } from './pilot.rules.ts'
import type { Finding } from './problems.ts'

const HUNDREDTH_MS = 36_000

type Booked = Pick<BookingFacts, 'booking' | 'seats' | 'now'>

/**
 * Checks that no overdue grounding item and no deferred squawk forbids the booking. A deferred squawk excludes operations (14
 * CFR 91.213(d)). For example, a deferred landing light excludes flights by night for hire (91.205(c)(4)). An item of the
 * scope `for_hire_or_instruction` forbids instruction, flights with a guest, and a student's solo in a Part 141 course
 * (91.409(b), 141.39(a)(3)); an item of the scope `ifr` forbids flights under instrument flight rules (91.411). An item of
 * the scope `all` grounds the aircraft itself, so it is not checked here. Implements interface §Reservations rule 2.
 */
export function checkHeld(facts: BookingFacts): Finding[] {
  const { resource, now } = facts
  if (!resource) return []
  const overdue = resource.inspections
    .filter((item) => item.scope !== 'all' && isHeldBy(item, facts))
    .map(({ name, limits }) => overdueMessage(name, limits.find((limit) => isOverdue(limit, now))!, resource.zone))
  const deferred = resource.deferrals.flatMap(({ title, excludes }) => {
    const excluded = excludes.find((operation) => isOperation(operation, flightOf(facts), resource))
    return excluded ? [`${title} is deferred: not ${inWords[excluded]}`] : []
  })
  return [...overdue, ...deferred].map((reason) => ({
    field: 'resource',
    resourceId: resource.id,
    ...schedulingErrors.resourceGroundedFor({ resource: resource.name, reason }),
  }))
}

const inWords: Readonly<Record<ExcludedOperation, string>> = {
  night: 'by night',
  ifr: 'under instrument flight rules',
  for_hire_or_instruction: 'for hire or instruction',
  night_for_hire_or_instruction: 'by night for hire or instruction',
}

/** What decides which operations a flight is. */
export interface FlightKind extends Interval {
  type: string
  ifr: boolean
  /** Whether an instructor is seated as such. */
  supervised: boolean
  /** Whether a student on board is in a Part 141 course. */
  inPart141: boolean
}

/** Returns whether a flight is an operation that a deferral excludes. Night is defined as in 14 CFR 1.1. */
export function isOperation(
  operation: ExcludedOperation,
  flight: FlightKind,
  place: Pick<ResourceFacts, 'zone' | 'coordinates'>,
): boolean {
  if (flight.type === 'maintenance') return false
  if (operation === 'ifr') return flight.ifr
  const included = operation === 'night' || isForHireOrInstruction(flight)
  return included && (operation === 'for_hire_or_instruction' || touchesNight(flight, place, 'logged'))
}

function isForHireOrInstruction({ type, supervised, inPart141 }: FlightKind): boolean {
  if (type === 'rental' || type === 'shared') return supervised
  if (type === 'solo') return inPart141
  return type === 'dual' || type === 'guest'
}

function flightOf({ booking, seats }: Booked): FlightKind {
  const inPart141 = seats.some(({ side, member }) => side === 'students' && member?.inPart141)
  return { ...booking, supervised: isSupervised(seats), inPart141 }
}

/**
 * Checks that no maintenance item that applies to the booking comes due by its end: a date before its end, a reading that the
 * booked time would pass, or landings or hours of use that are at their limit already. For flights under visual flight rules
 * an item of the scope `ifr` only warns. Maintenance is exempt, and so are items that `checkHeld` reports. Implements
 * interface §Booking rules, docs/decisions/0024.
 */
export function checkInspections(facts: BookingFacts): Finding[] {
  const { booking, resource } = facts
  if (!resource || booking.type === 'maintenance') return []
  const hours = Math.ceil((booking.end.getTime() - booking.start.getTime()) / HUNDREDTH_MS)
  return resource.inspections.flatMap((item) => {
    if (item.scope === 'for_hire_or_instruction' && !isInScope(item.scope, facts)) return []
    if (item.scope !== 'all' && isHeldBy(item, facts)) return []
    const passed = item.limits.find((limit) => passes(limit, booking.end, hours))
    if (!passed) return []
    const found = whenPassed(item.name, passed, resource)
    return isInScope(item.scope, facts) ? [found] : [{ ...found, warnsOnly: true }]
  })
}

function isHeldBy(item: InspectionFacts, facts: Booked): boolean {
  return item.grounding && isInScope(item.scope, facts) && item.limits.some((limit) => isOverdue(limit, facts.now))
}

/** Returns whether a maintenance item of a scope applies to a booking; it never applies to a maintenance booking. */
function isInScope(scope: MaintenanceScope, booked: Booked): boolean {
  const { type, ifr } = booked.booking
  if (type === 'maintenance') return false
  if (scope !== 'for_hire_or_instruction') return scope === 'all' || ifr
  return isForHireOrInstruction(flightOf(booked))
}

function isOverdue({ basis, dueAt, due, reads }: InspectionLimit, now: Date): boolean {
  if (basis === 'calendar') return dueAt !== null && dueAt.getTime() < now.getTime()
  return due !== null && reads !== null && reads >= due
}

function passes(limit: InspectionLimit, end: Date, hours: number): boolean {
  const { basis, due, reads } = limit
  if (basis === 'calendar' || basis === 'landings' || basis === 'use') return isOverdue(limit, end)
  return due !== null && reads !== null && reads + hours > due
}

function whenPassed(item: string, { basis, dueAt, due }: InspectionLimit, { id, name, zone }: ResourceFacts): Finding {
  const about = { item, resource: name }
  return {
    field: 'resource',
    resourceId: id,
    ...(basis === 'calendar'
      ? schedulingErrors.inspectionDueOn({ ...about, date: localDate(dueAt!, zone) })
      : schedulingErrors.inspectionDueAt({ ...about, reading: readingInWords(basis, due ?? ZERO) })),
  }
}
