import type { ReservationType, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Recurrence } from './recurrence.rules.ts'

/** A seat as asked for: a member, a guest of ours, or a guest who is not known yet. */
export type SeatInput = { side: Side; index: number } & (
  | { orgUserId: number }
  | { guestId: number }
  | { name: string; email: string | null; phone: string | null }
)

/** A booking as asked for, before the rules see it. */
export interface BookingInput extends Interval {
  /** The booking that is moved; null for a new one. */
  id: number | null
  type: ReservationType
  zone: string
  resourceId: number | null
  seats: SeatInput[]
  /** The booking request that this approves: the slot that it holds is held for this booking. */
  requestId?: number | undefined
}

/** A booking with what is asked of it beyond one slot. */
export interface BookingToPlan extends BookingInput {
  recurrence: Recurrence | null
  collectionStyle: 'close_out' | 'prepaid_fixed'
}

/** A booking, or a series of them, to make. */
export interface NewBooking extends BookingToPlan {
  title: string
  notes: string | null
  locationId: number | null
  prepaidAmountCents: number | null
  /** Where the call of a ground lesson takes place. */
  meetingUrl?: string | null
}

/** The members and the known guests on the seats. */
export function peopleOf(seats: readonly SeatInput[]): { memberIds: number[]; guestIds: number[] } {
  return {
    memberIds: seats.flatMap((seat) => ('orgUserId' in seat ? [seat.orgUserId] : [])),
    guestIds: seats.flatMap((seat) => ('guestId' in seat ? [seat.guestId] : [])),
  }
}
