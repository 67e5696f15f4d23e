import type { ReservationType } from '../fleet/resources/reservation-types.rules.ts'
import type { Cents } from '../platform/kernel/units.ts'
import type { Consent, FoundPlace } from '../scheduling/recoveries/recovery.types.ts'
import type { PlaceParts, StoredPlace } from '../scheduling/reservations/place.rules.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'

/** Where a plan found a booking, which is changed only while it is there. */
export interface PlanFrom {
  id: number
  from?: FoundPlace | undefined
  /** Whether it is cancelled only while the rules refuse it there, as they did when it was planned. */
  whileRefused?: boolean | undefined
}

/** A change of one booking; absent fields do not change. */
export interface BulkChange extends PlanFrom {
  start?: string | undefined
  end?: string | undefined
  resourceId?: number | null | undefined
  /** The new people of whole sides, which replace these sides of the booking. */
  sides?: { side: SeatInput['side']; seats: SeatInput[] }[] | undefined
  /** The most that its aircraft may cost, in cents. */
  mostCents?: Cents | undefined
  /** Of a planned change: to what its people agreed, and whether the plan books its present place. */
  planned?: { agreed: readonly Consent['because'][]; isDisplaced: boolean } | undefined
  /** How somebody agreed to the change, as the desk recorded it; `orgUserId` is null for a guest. */
  given?: { how: string; orgUserId: number | null } | undefined
}

/** The resources and the instructors to which bookings may go, each in order of preference. */
export interface BulkReassignment {
  /** With `pool`, its resources when the bulk was started. */
  resourceIds?: number[] | undefined
  /** The pool whose resources each booking takes by their booked hours of its day. */
  pool?: string | undefined
  /** The only instructor. */
  instructorOrgUserId?: number | undefined
  instructorOrgUserIds?: number[] | undefined
}

/** The action on each booking. It has exactly one of the keys. */
export type BulkAction =
  | { cancel: { reason: string; category: string; from?: PlanFrom[] } }
  | { move: { minutes: number } }
  | { reassign: BulkReassignment }
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

/** The facts about a booking that its row and the notifications at the end of the bulk need. */
export interface BulkDetail extends StoredPlace {
  title: string
  zone: string
  /** The changed parts of its place; null for a cancelled booking, and absent for one that stays as it is. */
  after?: PlaceParts | null
  orgUserIds: number[]
  guestIds: number[]
}

/** The selection of bookings: by id, or those that start in a window. */
export type BulkSelection =
  | { ids: readonly number[] }
  | {
      start: Date
      end: Date
      /** `starts`: the booking starts in the window. `overlaps`: a closure over the window affects the booking. */
      match: 'starts' | 'overlaps'
      resourceIds?: readonly number[] | undefined
      locationIds?: readonly number[] | undefined
      orgUserIds?: readonly number[] | undefined
      instructorOrgUserIds?: readonly number[] | undefined
      types?: readonly ReservationType[] | undefined
    }
