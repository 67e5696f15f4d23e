import type { ReservationType, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { GivenOverride, KeptOverride } from './override.types.ts'
import type { BookingRecurrence } from './recurrence.rules.ts'
import type { SoloFlight } from './solo-flight.rules.ts'

/** A seat of a request: a member, a known guest, or a guest who is not stored yet. */
export type SeatInput = { side: Side; index: number } & (
  | { orgUserId: number }
  | { guestId: number }
  | { name: string; email: string | null; phone: string | null }
)

/** A booking as requested, before the rules run. */
export interface BookingInput extends Interval {
  /** The booking that is moved; null for a new one. */
  id: number | null
  type: ReservationType
  zone: string
  resourceId: number | null
  /** Null: the resource's location. */
  locationId: number | null
  /** The number of people aboard who are not on the booking. */
  passengers: number
  ifr: boolean
  /** Where a solo flight goes; absent: not said. */
  solo?: SoloFlight | null | undefined
  collectionStyle?: 'close_out' | 'prepaid_fixed'
  seats: SeatInput[]
  /** The lessons that are planned on it; absent: none. */
  lessonIds?: readonly number[] | undefined
  /** The booking request that is being approved; its own slot hold is ignored. */
  requestId?: number | undefined
  /** The offer that is being accepted; it does not hold its place against its own booking. */
  offerId?: number | undefined
  /** The most that it may cost, in cents: what an offer of it said. Absent or null: any price. */
  mostCents?: Cents | null | undefined
  /** Whether open offers to the caller count as bookings, for the limits of an offer that is made. */
  countsOffers?: boolean
}

/** A booking with its recurrence and payment. */
export interface BookingToPlan extends BookingInput {
  /** The overrides that the caller gives; absent: none. */
  overrides?: readonly GivenOverride[] | undefined
  /** The stored overrides of the booking; absent: none, as for a new one. */
  keptOverrides?: readonly KeptOverride[] | undefined
  recurrence: BookingRecurrence | null
  /** The pool of which each booking takes the first resource that is accepted; it has no `resourceId`. Absent or null: none. */
  pool?: string | null | undefined
  collectionStyle: 'close_out' | 'prepaid_fixed'
}

/** A booking, or a series of them, to create. */
export interface NewBooking extends BookingToPlan {
  title: string
  notes: string | null
  prepaidAmountCents: Cents | null
  /** The URL of a ground lesson's video call. */
  meetingUrl?: string | null
}

/** Returns the ids of the members and the known guests on the seats. */
export function peopleOf(seats: readonly SeatInput[]): { memberIds: number[]; guestIds: number[] } {
  return {
    memberIds: seats.flatMap((seat) => ('orgUserId' in seat ? [seat.orgUserId] : [])),
    guestIds: seats.flatMap((seat) => ('guestId' in seat ? [seat.guestId] : [])),
  }
}
