import type { Actor } from '../../../src/shared/platform/authz/actor.ts'
import { createReservation } from '../../../src/shared/workflows/create-reservation.ts'
import { ZONE } from './found-school.ts'
import type { SchoolTransaction } from './school-transaction.ts'

type Given = Parameters<typeof createReservation>[2]
/** What the demo's bookings differ in. */
type Booking = Pick<Given, 'title' | 'type' | 'start' | 'end' | 'resourceId' | 'seats'> &
  Partial<Pick<Given, 'passengers' | 'ifr' | 'overrides'>>

/** Books at `madeAt` and returns the id of the booking. What a booking does not name is left empty; it is billed at close-out. */
export async function makeBooking(
  school: SchoolTransaction,
  madeAt: Date,
  by: Actor,
  booking: Booking,
): Promise<number> {
  const given: Given = {
    id: null,
    zone: ZONE,
    notes: null,
    locationId: null,
    passengers: 0,
    ifr: false,
    recurrence: null,
    collectionStyle: 'close_out',
    prepaidAmountCents: null,
    ...booking,
  }
  const { ids } = await school.at(madeAt, (tx) => createReservation(tx, by, given))
  return ids[0]!
}
