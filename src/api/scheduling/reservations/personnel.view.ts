import { z } from 'zod'
import type { Side } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import type { SeatRow } from '../../../shared/scheduling/reservations/booking-parts.types.ts'
import { Id } from '../../http/schemas.ts'

/** A member with the id that bookings use. */
export const MemberView = z.object({ orgUserId: Id, name: z.string() }).meta({ id: 'MemberSeat' })

const GuestSeat = z.object({
  guestId: Id,
  name: z.string(),
  email: z.string().nullable().optional().describe('Only in answers to staff; null when it is not known'),
  phone: z.string().nullable().optional().describe('Only in answers to staff; null when it is not known'),
})

/** The people on a booking, by side, in order. */
export const PersonnelView = z
  .object({
    instructors: z.array(MemberView),
    students: z.array(MemberView),
    renters: z.array(MemberView),
    pilots: z.array(MemberView),
    guests: z.array(GuestSeat),
  })
  .meta({ id: 'Personnel' })

/** Returns the seats of a booking by side; only staff see guests' contact details. */
export function personnelView(seats: SeatRow[], withContacts: boolean): z.input<typeof PersonnelView> {
  const on = (side: Side) =>
    seats.flatMap((seat) =>
      seat.side === side && seat.orgUserId !== null ? [{ orgUserId: seat.orgUserId, name: seat.name }] : [],
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
