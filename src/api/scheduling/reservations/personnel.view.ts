import { z } from 'zod'
import type { Side } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import type { SeatRow } from '../../../shared/scheduling/reservations/booking-parts.types.ts'
import { personView } from '../../http/persons.ts'
import { Id, Person } from '../../http/schemas.ts'

const GuestSeat = z.object({
  guestId: Id,
  name: z.string(),
  email: z.string().nullable().optional().describe('Only in answers to staff; null when it is not known'),
  phone: z.string().nullable().optional().describe('Only in answers to staff; null when it is not known'),
})

/** The people on a booking, by side, in order. */
export const PersonnelView = z
  .object({
    instructors: z.array(Person),
    students: z.array(Person),
    renters: z.array(Person),
    pilots: z.array(Person),
    guests: z.array(GuestSeat),
  })
  .meta({ id: 'Personnel' })

/** A person on a booking, with the contact details where they were loaded. */
type Seat = Pick<SeatRow, 'side' | 'orgUserId' | 'guestId' | 'name'> & Partial<Pick<SeatRow, 'email' | 'phone'>>

/** Returns the seats of a booking by side; only staff see guests' contact details. */
export function personnelView(seats: readonly Seat[], withContacts: boolean): z.input<typeof PersonnelView> {
  const on = (side: Side) =>
    seats.flatMap(({ side: sits, orgUserId, name }) =>
      sits === side && orgUserId !== null ? [personView(orgUserId, name)] : [],
    )
  return {
    instructors: on('instructors'),
    students: on('students'),
    renters: on('renters'),
    pilots: on('pilots'),
    guests: seats.flatMap((seat) =>
      seat.guestId === null
        ? []
        : [{ guestId: seat.guestId, name: seat.name, ...(withContacts && { email: seat.email, phone: seat.phone }) }],
    ),
  }
}
