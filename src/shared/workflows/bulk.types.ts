import type { ReservationType } from '../fleet/resources/reservation-types.rules.ts'
import type { PlaceParts } from '../scheduling/reservations/place.rules.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'

/** A change of one booking; what is left out stays. */
export interface BulkChange {
  id: number
  start?: string | undefined
  end?: string | undefined
  resourceId?: number | null | undefined
  /** Whole sides, by name. */
  sides?: { side: SeatInput['side']; seats: SeatInput[] }[] | undefined
}

/** What is done to each booking. Exactly one of the keys. */
export type BulkAction =
  | { cancel: { reason: string; category: string } }
  | { move: { minutes: number } }
  | { reassign: { resourceIds?: number[] | undefined; instructorOrgUserId?: number | undefined } }
  | { changes: BulkChange[] }

/** A bulk as its operation keeps it: JSON. */
export interface BulkInput {
  action: BulkAction
  dryRun: boolean
  notify: boolean
  overrides: GivenOverride[]
}

/** What the end of a bulk needs of a booking that was changed. */
export interface BulkDetail {
  title: string
  zone: string
  start: string
  end: string
  /** The parts that differ; of a cancelled booking none. */
  after: PlaceParts | null
  orgUserIds: number[]
  guestIds: number[]
}

/** Which bookings: these, or those that start in a window. */
export type BulkSelection =
  | { ids: readonly number[] }
  | {
      start: Date
      end: Date
      resourceIds?: readonly number[] | undefined
      locationIds?: readonly number[] | undefined
      orgUserIds?: readonly number[] | undefined
      types?: readonly ReservationType[] | undefined
    }
