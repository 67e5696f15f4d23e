import type { NewBooking } from '../rules/booking-input.types.ts'
import type { PlannedMaintenance } from './recovery.types.ts'

/** Returns a maintenance booking as its recovery keeps it. */
export function plannedMaintenance(input: NewBooking & { resourceId: number }): PlannedMaintenance {
  const { title, notes, resourceId, locationId, start, end, zone, overrides = [] } = input
  return { title, notes, resourceId, locationId, start: start.toISOString(), end: end.toISOString(), zone, overrides }
}

/** Returns the maintenance booking that a recovery keeps, as the use case that creates it takes it. */
export function bookingOf({ start, end, reservationId: _, ...kept }: PlannedMaintenance): NewBooking {
  return {
    ...kept,
    id: null,
    type: 'maintenance',
    start: new Date(start),
    end: new Date(end),
    seats: [],
    passengers: 0,
    ifr: false,
    recurrence: null,
    collectionStyle: 'close_out',
    prepaidAmountCents: null,
  }
}
