import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import { localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { clashes } from './availability.rules.ts'
import type { BookingFacts, BusyTime, ResourceFacts } from './booking-facts.types.ts'
import { holds, offersAt, offersOver } from './offers.rules.ts'
import type { Finding } from './problems.ts'
import { minuteInWords, spanInWords } from './wording.rules.ts'

/**
 * Checks that the resource has no other live booking at the time, and no slot hold that blocks the caller. Implements
 * interface §Reservations rule 2.
 */
export function checkResourceFree(facts: BookingFacts): Finding[] {
  const { booking, resource } = facts
  if (!resource) return []
  const day = localDate(booking.start, booking.zone)
  const offers = facts.offers.length === 0 ? [] : offersAt(facts, [booking])
  const isOffered = offers.some((offer) => offer.resourceId === resource.id && holds(offer, facts))
  const about = { field: 'resource', resourceId: resource.id }
  const offered = isOffered ? [{ ...about, ...schedulingErrors.resourceOffered({ resource: resource.name }) }] : []
  const taken = clashes(booking, resource.taken).map((other) => ({
    field: 'resource',
    resourceId: resource.id,
    ...resourceClash(resource.name, other.reservationId, spanInWords(other, booking.zone, day)),
    reservationId: other.reservationId ?? undefined,
  }))
  return [...taken, ...offered]
}

/** Checks that the resource fits the type of booking. Implements interface §Reservations rule 4. */
export function checkKind({ booking: { type }, resource }: BookingFacts): Finding[] {
  const kinds = typeRules[type].resources
  if (!resource || kinds.includes(resource.kind)) return []
  const unfit = { type, kinds: kinds.join(' or '), resource: resource.name, kind: resource.kind }
  return [{ field: 'resource', resourceId: resource.id, ...schedulingErrors.resourceUnfit(unfit) }]
}

function resourceClash(resource: string, reservationId: number | null, span: string) {
  if (reservationId === null) return schedulingErrors.resourceHeld({ resource, span })
  return schedulingErrors.resourceTaken({ resource, span, reservationId })
}

/**
 * Checks that the booking starts and ends within the flying day of the resource or, without one, of the organization. Times
 * are in the resource's zone, or the organization's when no resource is named. Of an overnight booking only the start and the
 * end are checked. Maintenance is exempt. A flying day that ends before it starts runs past midnight. Implements interface
 * §Resources (flying-day hours).
 */
export function checkHours({ booking, resource, settings, zone }: BookingFacts): Finding[] {
  if (booking.type === 'maintenance') return []
  const hours = flyingDay(resource) ?? flyingDay(settings)
  if (!hours) return []
  const place = resource?.zone ?? zone
  const startsWithin = within(booking.start, booking.start, hours, place)
  const lastMoment = new Date(booking.end.getTime() - 1)
  const endsWithin = [booking.end, lastMoment].some((day) => within(booking.end, day, hours, place))
  if (startsWithin && endsWithin) return []
  const open = { from: minuteInWords(hours[0]), to: minuteInWords(hours[1]), zone: place }
  const problem = resource
    ? schedulingErrors.resourceClosed({ resource: resource.name, ...open })
    : schedulingErrors.organizationClosed(open)
  const about = { ...problem, resourceId: resource?.id }
  return [...(startsWithin ? [] : [{ ...about, field: 'start' }]), ...(endsWithin ? [] : [{ ...about, field: 'end' }])]
}

type Hours = readonly [fromMinute: number, toMinute: number]

function flyingDay(
  of: { flyingDayStartMinute: number | null; flyingDayEndMinute: number | null } | null,
): Hours | null {
  if (!of || of.flyingDayStartMinute === null || of.flyingDayEndMinute === null) return null
  return [of.flyingDayStartMinute, of.flyingDayEndMinute]
}

/**
 * Returns whether a moment is within the hours of the local date of `day`, opening and closing included. Hours may run past
 * midnight.
 */
function within(moment: Date, day: Date, [from, to]: Hours, zone: string): boolean {
  const date = localDate(day, zone)
  const opened = moment.getTime() >= wallToInstant(date, from, zone).getTime()
  const notClosed = moment.getTime() <= wallToInstant(date, to, zone).getTime()
  return from < to ? opened && notClosed : opened || notClosed
}

/**
 * Divides the busy times of a resource into those that block the caller (`taken`) and those that do not (`yielding`). An
 * unconfirmed slot hold blocks members and the public; desk staff may book over it, and so does an open offer of the place
 * (`isOffered`), since guests take nothing that is offered. That ends it.
 */
export function busyFor(
  { roles }: { roles: RoleFlags },
  busy: readonly BusyTime[] = [],
  isOffered = false,
): Required<Pick<ResourceFacts, 'taken' | 'yielding'>> {
  const isFirst = isOffered || hasRole(roles, deskStaff)
  const yields = (time: BusyTime) => time.unconfirmedRequestId !== undefined && isFirst
  return { taken: busy.filter((time) => !yields(time)), yielding: busy.filter(yields) }
}

/** What of others ends when a place is booked: the unconfirmed holds of guests' requests, and open offers. */
export interface EndedAt {
  endsHoldsOf: number[]
  endsOffers: number[]
}

/** Returns what ends when the resource and the people of a booking are booked at a time. */
export function endedAt(facts: Pick<BookingFacts, 'offers' | 'seats' | 'resource'>, time: Interval): EndedAt {
  const overlapped = facts.resource?.yielding?.filter((hold) => overlaps(hold, time)) ?? []
  return {
    endsHoldsOf: overlapped.flatMap(({ unconfirmedRequestId }) => unconfirmedRequestId ?? []),
    endsOffers: facts.offers.length === 0 ? [] : offersOver(facts, time),
  }
}
