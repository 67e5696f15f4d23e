import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { Seated } from '../reservations/place.rules.ts'
import type { GivenOverride } from '../rules/override.types.ts'
import type { Problem } from '../rules/problems.ts'

/** A maintenance booking that its recovery writes when it is applied, as JSON keeps it: instants in ISO 8601. */
export interface PlannedMaintenance {
  title: string
  notes: string | null
  resourceId: number
  locationId: number | null
  start: string
  end: string
  zone: string
  overrides: readonly GivenOverride[]
  /** The booking, once it is written. */
  reservationId?: number
}

/**
 * What takes the bookings of a recovery: resources, instructors, a closure, or these bookings themselves. With `maintenance`, that
 * booking takes its resource.
 */
export interface RecoveryCause {
  resourceIds?: number[] | undefined
  instructorOrgUserIds?: number[] | undefined
  closureId?: number | undefined
  reservationIds?: number[] | undefined
  maintenance?: PlannedMaintenance | undefined
}

export const instructorReaches = ['own', 'course', 'any'] as const
export const poolReaches = ['same', 'model', 'approved'] as const

/** Where a recovery looks for places. `days`: local days before and after the booking. */
export interface RecoveryReach {
  days: number
  instructors: (typeof instructorReaches)[number]
  pools: (typeof poolReaches)[number]
}

export const recoveryStatuses = ['planning', 'ready', 'applied', 'ended'] as const
export type RecoveryStatus = (typeof recoveryStatuses)[number]

/** `exact`: the plan is proved to be the best one. */
export const planBases = ['exact', 'search'] as const
export type PlanBasis = (typeof planBases)[number]

/** A recovery as it is planned. */
export interface RecoveryToPlan extends Interval {
  operationId: number
  organizationId: number
  cause: RecoveryCause
  reach: RecoveryReach
}

/** What becomes of a booking in a plan: what changes first, or `left`. */
export const planOutcomes = ['aircraft', 'instructor', 'time', 'left'] as const
export type PlanOutcome = (typeof planOutcomes)[number]

/**
 * Why a place was not offered. `booking_changed`: its booking is no longer where the plan found it. `offered`: the booking or the place
 * has an open offer. `no_account`: who has to agree has none. `not_reached`: no message reaches them. `refused`: the rules refuse the place. `too_late`: the time is too short.
 * `waits`: another booking of the plan stands there until it is moved.
 */
export const unofferedCauses = [
  'booking_changed',
  'no_account',
  'not_reached',
  'offered',
  'refused',
  'too_late',
  'waits',
] as const
export type UnofferedCause = (typeof unofferedCauses)[number]

export const consentCauses = ['other_time', 'other_instructor', 'other_aircraft'] as const

/** A person who has to agree, and to what; `orgUserId` is null for a guest, whom the desk asks. */
export interface Consent {
  orgUserId: number | null
  because: (typeof consentCauses)[number]
}

/** A place in a plan: instants in ISO 8601. */
export interface PlannedPlace {
  start: string
  end: string
  resourceId: number | null
  instructorOrgUserId: number | null
}

/** Where, and with whom, a plan found a booking. */
export interface FoundPlace extends PlannedPlace {
  seats: Seated[]
}

/** What the operation stores of a row of a plan. */
export interface RecoveryDetail {
  from: FoundPlace
  /** Null for a booking that is left. */
  to: PlannedPlace | null
  consent: Consent[]
  points: number
  /** The most that the aircraft of its new place may cost, in cents; absent when it is left. */
  mostCents?: Cents
  /** The bookings of the plan that stand at its new place until they are moved. */
  after?: readonly number[]
  /** Whether the rules accepted it where it stood: the desk alone says that it cannot stay. */
  stands?: boolean
  /** Of a booking that is left: why it cannot stay. */
  problems: Problem[]
  /** The bulk operation that applies it, and how the desk says that the consent was given. */
  appliedBy?: number
  how?: string
  /** The offer to the person who has to agree, and who asked them. */
  offerId?: number
  offeredBy?: number
  /** Why it was not offered; null again when it is. */
  unoffered?: UnofferedCause | null
}
