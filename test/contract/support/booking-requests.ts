import type { TestApp } from '../../support/app.ts'
import type { School } from '../../support/builders.ts'
import { expectOk } from '../../support/flights.ts'

/** Booking requests of the school's renter, each pending: one to read and cancel, and one for each decision. */
export interface BookingRequestRecords {
  bookingRequest: number
  approvable: number
  approvableToo: number
  rejectable: number
}

/** Builds them through the interface; each is for a day of its own. */
export async function buildBookingRequests(api: TestApp, school: School): Promise<BookingRequestRecords> {
  const on = async (date: string) => {
    const times = { start: `${date}T10:00:00Z`, end: `${date}T12:00:00Z` }
    const body = { ...times, type: 'rental', resource: { id: school.plane.id } }
    return (await expectOk<{ id: number }>(api, school.renter, 'POST', '/booking-requests', body)).id
  }
  return {
    bookingRequest: await on('2027-02-01'),
    approvable: await on('2027-02-02'),
    approvableToo: await on('2027-02-03'),
    rejectable: await on('2027-02-04'),
  }
}
