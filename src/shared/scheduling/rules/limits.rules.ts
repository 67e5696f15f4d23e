import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import { addDays, dayOfWeek, localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, BookingLimits, CallerBooking, SettingsFacts } from './booking-facts.types.ts'
import type { Finding } from './problems.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Returns the limits on a member's own bookings. With several roles the most generous figure applies, and no limit when one
 * of the roles has no figure. Desk staff have no limits. Implements interface §Booking rules.
 */
export function limitsOf(roles: RoleFlags, { bookingLimits }: Pick<SettingsFacts, 'bookingLimits'>): BookingLimits {
  if (hasRole(roles, deskStaff)) return {}
  const own = (['student', 'renter', 'instructor', 'technician'] as const)
    .filter((role) => roles[role])
    .map((role): BookingLimits => bookingLimits[role] ?? {})
  const generous = (key: keyof BookingLimits, choose: (...figures: number[]) => number) => {
    const figures = own.map((limits) => limits[key] ?? null)
    return figures.length === 0 || figures.includes(null) ? null : choose(...(figures as number[]))
  }
  return {
    maxDaysAhead: generous('maxDaysAhead', Math.max),
    maxMinutes: generous('maxMinutes', Math.max),
    maxOpenBookings: generous('maxOpenBookings', Math.max),
    maxHoursPerWeek: generous('maxHoursPerWeek', Math.max),
    minNoticeMinutes: generous('minNoticeMinutes', Math.min),
  }
}

/**
 * Checks the limits on the caller's own bookings, when the caller is seated on this one. Maintenance is exempt. Days and
 * weeks (Monday to Sunday) are those of the organization's zone; a booking counts in the week in which it starts. Implements
 * interface §Booking rules.
 */
export function checkLimits({ actor, booking, seats, settings, callerBookings, now, zone }: BookingFacts): Finding[] {
  if (booking.type === 'maintenance' || !seats.some(({ orgUserId }) => orgUserId === actor.orgUserId)) return []
  const limits = limitsOf(actor.roles, settings)
  const { maxDaysAhead, maxMinutes, maxOpenBookings, maxHoursPerWeek, minNoticeMinutes } = limits
  const others = callerBookings.filter(({ reservationId }) => reservationId === null || reservationId !== booking.id)
  const found: Pick<Finding, 'field' | 'code' | 'message'>[] = []
  if (maxDaysAhead != null && localDate(booking.start, zone) > addDays(localDate(now, zone), maxDaysAhead)) {
    found.push({ field: 'start', ...schedulingErrors.tooFarAhead({ days: maxDaysAhead }) })
  }
  if (minNoticeMinutes != null && booking.start.getTime() - now.getTime() < minNoticeMinutes * MINUTE_MS) {
    found.push({ field: 'start', ...schedulingErrors.tooShortNotice({ minutes: minNoticeMinutes }) })
  }
  if (maxMinutes != null && lengthOf(booking) > maxMinutes * MINUTE_MS) {
    found.push({ field: 'end', ...schedulingErrors.tooLong({ minutes: maxMinutes }) })
  }
  if (maxOpenBookings != null && others.filter(({ open }) => open).length >= maxOpenBookings) {
    found.push({ field: 'personnel', ...schedulingErrors.tooManyOpen({ limit: maxOpenBookings }) })
  }
  if (maxHoursPerWeek != null) {
    const monday = mondayOf(booking.start, zone)
    const inWeek = others.filter(({ start }) => mondayOf(start, zone) === monday)
    const total = [...inWeek, booking].reduce((sum, one) => sum + lengthOf(one), 0)
    if (total > maxHoursPerWeek * HOUR_MS) {
      found.push({ field: 'personnel', ...schedulingErrors.tooManyHours({ hours: maxHoursPerWeek }) })
    }
  }
  return found.map((finding) => ({ ...finding, orgUserId: actor.orgUserId }))
}

function lengthOf({ start, end }: Pick<CallerBooking, 'start' | 'end'>): number {
  return end.getTime() - start.getTime()
}

function mondayOf(instant: Date, zone: string): string {
  return addDays(localDate(instant, zone), 1 - dayOfWeek(instant, zone))
}
