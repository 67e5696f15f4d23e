import { overlaps } from '../../platform/kernel/instants.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, ClosureFacts } from './booking-facts.types.ts'
import type { Finding } from './problems.ts'
import { spanInWords } from './wording.rules.ts'

/**
 * Checks that no closure overlaps the booking: of the organization, of its location or that of its resource, or of the
 * resource. Maintenance is exempt. Implements interface §Closures.
 */
export function checkClosures({ booking, resource, closures }: BookingFacts): Finding[] {
  if (booking.type === 'maintenance') return []
  const day = localDate(booking.start, booking.zone)
  return closures
    .filter((closure) => overlaps(closure, booking) && isOf(closure, { booking, resource }))
    .map((closure) => {
      const { reason, resourceId, locationId } = closure
      const about = { span: spanInWords(closure, booking.zone, day), reason }
      if (resourceId !== null) {
        const found = schedulingErrors.resourceClosedFor({ ...about, resource: resource!.name })
        return { field: 'resource', resourceId, ...found }
      }
      const closed = locationId === null ? schedulingErrors.schoolClosedFor : schedulingErrors.locationClosedFor
      return { field: 'start', ...closed(about) }
    })
}

function isOf(
  { resourceId, locationId }: ClosureFacts,
  { booking, resource }: Pick<BookingFacts, 'booking' | 'resource'>,
): boolean {
  if (resourceId !== null) return resource?.id === resourceId
  return locationId === null || booking.locationId === locationId || resource?.locationId === locationId
}
