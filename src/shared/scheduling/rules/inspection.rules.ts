import { formatReading } from '../../platform/kernel/hours.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, InspectionFacts } from './booking-facts.types.ts'
import type { Finding } from './problems.ts'

const HUNDREDTH_MS = 36_000

/**
 * Checks that the booking passes no maintenance item of its resource: a date within it or before it, or a reading that
 * the booked time would pass. Maintenance is exempt. Implements interface §Booking rules.
 */
export function checkInspections({ booking, resource }: BookingFacts): Finding[] {
  if (!resource || booking.type === 'maintenance') return []
  const hours = Math.ceil((booking.end.getTime() - booking.start.getTime()) / HUNDREDTH_MS)
  return resource.inspections
    .filter((item) => passes(item, booking.end, hours))
    .map((item) => ({
      ...{ field: 'resource', resourceId: resource.id },
      ...(item.dueAt !== null
        ? schedulingErrors.inspectionDueOn({
            ...{ item: item.name, resource: resource.name },
            date: localDate(item.dueAt, resource.zone),
          })
        : schedulingErrors.inspectionDueAt({
            ...{ item: item.name, resource: resource.name },
            reading: formatReading(item.dueHundredths!),
          })),
    }))
}

function passes({ dueAt, dueHundredths, reads }: InspectionFacts, end: Date, hours: number): boolean {
  if (dueAt !== null) return dueAt.getTime() < end.getTime()
  return dueHundredths !== null && reads !== null && reads + hours > dueHundredths
}
