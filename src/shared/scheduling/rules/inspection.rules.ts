import { readingInWords } from '../../fleet/maintenance/reminder.rules.ts'
import { ZERO } from '../../platform/kernel/units.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, InspectionLimit } from './booking-facts.types.ts'
import type { Finding } from './problems.ts'

const HUNDREDTH_MS = 36_000

/**
 * Checks that the booking passes no maintenance item of its resource: a date within it or before it, a reading that the
 * booked time would pass, or landings that are made already. Maintenance is exempt. Implements interface §Booking rules.
 */
export function checkInspections({ booking, resource }: BookingFacts): Finding[] {
  if (!resource || booking.type === 'maintenance') return []
  const hours = Math.ceil((booking.end.getTime() - booking.start.getTime()) / HUNDREDTH_MS)
  return resource.inspections.flatMap(({ name: item, limits }) => {
    const passed = limits.find((limit) => passes(limit, booking.end, hours))
    if (!passed) return []
    const { basis, dueAt, due } = passed
    const about = { item, resource: resource.name }
    return [
      {
        ...{ field: 'resource', resourceId: resource.id },
        ...(basis === 'calendar'
          ? schedulingErrors.inspectionDueOn({ ...about, date: localDate(dueAt!, resource.zone) })
          : schedulingErrors.inspectionDueAt({ ...about, reading: readingInWords(basis, due ?? ZERO) })),
      },
    ]
  })
}

function passes({ basis, dueAt, due, reads }: InspectionLimit, end: Date, hours: number): boolean {
  if (basis === 'calendar') return dueAt !== null && dueAt.getTime() < end.getTime()
  if (due === null || reads === null) return false
  return basis === 'landings' ? reads >= due : reads + hours > due
}
