import type { ReservationType } from '../fleet/resources/reservation-types.rules.ts'
import type { PlannedPlace } from '../scheduling/recoveries/recovery.types.ts'
import type { PlaceParts } from '../scheduling/reservations/place.rules.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'

/** A change of one booking; absent fields do not change. */
export interface BulkChange {
  id: number
  start?: string | undefined
  end?: string | undefined
  resourceId?: number | null | undefined
  /** The new people of whole sides, which replace these sides of the booking. */
  sides?: { side: SeatInput['side']; seats: SeatInput[] }[] | undefined
  /** Where the booking has to be for the change; a plan found it there. */
  from?: PlannedPlace | undefined
}

/** The action on each booking. It has exactly one of the keys. */
export type BulkAction =
  | { cancel: { reason: string; category: string } }
  | { move: { minutes: number } }
  | { reassign: { resourceIds?: number[] | undefined; instructorOrgUserId?: number | undefined } }
  | { changes: BulkChange[] }

/** A bulk as its operation stores it in JSON. */
export interface BulkInput {
  action: BulkAction
  dryRun: boolean
  notify: boolean
  overrides: GivenOverride[]
  /** The recovery that the bulk applies. */
  recoveryId?: number
}

/** The facts about a changed booking that the notifications at the end of the bulk need. */
export interface BulkDetail {
  title: string
  zone: string
  start: string
  end: string
  /** The changed parts of its place; null for a cancelled booking. */
  after: PlaceParts | null
  orgUserIds: number[]
  guestIds: number[]
}

/** The selection of bookings: by id, or those that start in a window. */
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
