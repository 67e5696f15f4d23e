import type { ReservationType, ResourceKind, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { GroundedFor } from '../../identity/members/availability.rules.ts'
import type { TaxRate } from '../../identity/organizations/taxes.rules.ts'
import type { Role, RoleFlags } from '../../platform/authz/roles.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { ApprovalFacts } from '../../qualification/approvals/approval.rules.ts'
import type { CurrencyEvidence, Requirement } from '../../qualification/currencies/currency-state.rules.ts'
import type { AircraftScope } from '../../qualification/currencies/recency.types.ts'
import type { PilotMinimums } from '../../qualification/minimums/minimums.rules.ts'
import type { StationReports } from '../weather/weather-during.rules.ts'
import type { DeferralFacts, InspectionFacts } from './inspection-facts.types.ts'
import type { Coordinates } from './night.rules.ts'
import type { OfferFacts } from './offer-facts.types.ts'
import type { Overrides } from './override.types.ts'
import type { EndorsementFacts, RatingFacts } from './rating-papers.rules.ts'
import type { StoredRules } from './rule-catalogue.rules.ts'
import type { SoloFlight } from './solo-flight.rules.ts'

/** All facts that the booking rules need. The search for openings checks many slots with the same facts and other times. */
export interface BookingFacts {
  now: Date
  /** The organization's zone, in which weekly availability is stored. */
  zone: string
  actor: { orgUserId: number; roles: RoleFlags; isPublic?: true }
  booking: BookingTimes
  seats: readonly SeatFacts[]
  resource: ResourceFacts | null
  settings: SettingsFacts
  currencies: readonly CurrencyFacts[]
  /** The closures that overlap the times of the booking or the search. */
  closures: readonly ClosureFacts[]
  /** The caller's bookings, except maintenance: those that are not over, and those that start in the weeks of the booking. */
  callerBookings: readonly CallerBooking[]
  /** The open offers that overlap the times of the booking or the search. */
  offers: readonly OfferFacts[]
  overrides: Overrides
  /** Of the lessons that the booking plans, those of a course for an instrument rating. */
  instrumentLessons: ReadonlySet<number>
  /** Of the lessons that the booking plans, those that credit solo and cross-country time. */
  crossCountryLessons: ReadonlySet<number>
  /** The weather reports by location id; empty when no rule needs them. */
  weather: ReadonlyMap<number, StationReports>
}

/** A time when the organization, one location or one resource is closed. */
export interface ClosureFacts extends Interval {
  reason: string
  locationId: number | null
  resourceId: number | null
}

/** A booking on which the caller is seated; `open` is true while it is not over. */
export interface CallerBooking extends BusyTime {
  open: boolean
}

/** A booking apart from its people and resource. `id` is null for a new one; a moved one does not clash with itself. */
export interface BookingTimes extends Interval {
  id: number | null
  type: ReservationType
  /** The booking's own location; null means the location of its resource. */
  locationId: number | null
  /** The number of people aboard who are not on the booking. */
  passengers: number
  /** Whether it is flown under instrument flight rules. */
  ifr: boolean
  /** Where a solo flight goes; null or absent: local, or as its planned lesson says. */
  solo?: SoloFlight | null
  /** Whether its package is charged when it is booked. */
  prepaid?: boolean
  /** The lessons that are planned on it. */
  lessonIds: readonly number[]
  /** The zone of the booking, in which messages show times. */
  zone: string
}

/** An interval taken by a live booking, or by a slot hold (`reservationId` null). */
export interface BusyTime extends Interval {
  reservationId: number | null
  /** For a slot hold that its guest has not confirmed yet: the id of its request. */
  unconfirmedRequestId?: number
}

/** A person on the booking. For a guest `member` is null and `guestId` is set, or null until the guest is stored. */
export interface SeatFacts {
  side: Side
  orgUserId: number | null
  guestId: number | null
  name: string
  member: MemberFacts | null
  taken: readonly BusyTime[]
  /** The flight training that the person gives as an instructor: by the Hobbs for flown bookings, otherwise as booked. */
  training: readonly BusyTime[]
}

export interface MemberFacts {
  roles: RoleFlags
  grounded: boolean
  groundedReason: string | null
  /** Whether `grounded` keeps the member off every seat, or only from flying as pilot in command. */
  groundedFor: GroundedFor
  /** The approvals on resources, makes and models; checked only where the organization requires them. */
  approvals: readonly ApprovalFacts[]
  /** The weekly availability, in the organization's zone; empty means always available. */
  availability: readonly AvailabilityItem[]
  timeOff: readonly Interval[]
  /** The recorded ends of currencies, null never expires; and the local day on which somebody ended one before. */
  currencyRecords: readonly { currencyId: number; expiresAt: Date | null; endedOn?: string | null }[]
  /** The documents of the required categories that are not rejected; where that is required, only verified ones. */
  documents: readonly { category: string; expiresAt: Date | null; verified: boolean }[]
  /** For a solo flight: proven endorsements with the codes of the rule `endorsement` that are not superseded. */
  endorsements: readonly EndorsementFacts[]
  /** The profile names how the school verified it, or a proven endorsement A.14 proves it. False when no rule needs it. */
  citizenshipVerified: boolean
  /** The certificates, ratings and experience; null when no rule needs them. */
  ratings: RatingFacts | null
  /** Whether the member is enrolled in a Part 141 course. */
  inPart141: boolean
  /** The member who pays for this member and has accepted it; null when the member pays. */
  billToId: number | null
  billToName: string | null
  /** Whether autopay was declined for an open invoice of the payer. */
  cardDeclined: boolean
  /** What the member has paid ahead; null when no rule needs it. */
  account: AccountFacts | null
  /** The member's personal weather limits; null when none are set, or no rule needs them. */
  minimums: PilotMinimums | null
  /** In cents per hour of instruction. */
  rates: { flight: Cents | null; ground: Cents | null; sim: Cents | null }
  /** Starts of the member's signed flights that the `recent_flights` currencies count. */
  signedFlights: readonly { currencyId: number; flownAt: Date }[]
  /** The evidence for the currencies, by the id of the currency. */
  regulated: ReadonlyMap<number, CurrencyEvidence>
}

/**
 * What a member has paid ahead: the balance of the payer's ledger in cents, and the member's packages that cover the flight, oldest first.
 * `taxExempt`: no taxes are added to what the payer owes.
 */
export interface AccountFacts {
  balance: Cents
  packages: readonly PackageFacts[]
  taxExempt: boolean
}

/**
 * What is left of a package, in cents or tenths of an hour, for these resources and kinds of invoice line (an empty list:
 * all).
 */
export interface PackageFacts {
  unit: 'cents' | 'deci_hours'
  remaining: number
  resourceIds: readonly number[]
  lineKinds: readonly string[]
}

/** Minutes after local midnight on a day of the week, 1 Monday to 7 Sunday; 1440 is the end of the day. */
export interface AvailabilityItem {
  dayOfWeek: number
  startMinute: number
  endMinute: number
}

export interface ResourceFacts {
  id: number
  locationId: number
  name: string
  kind: ResourceKind
  make: string | null
  model: string | null
  /** The keys of what names its make and model in endorsements and logs (`modelKey`); empty: it is not known. */
  modelKeys: readonly string[]
  /** The aircraft scope for a pilot's currency; null for other resources. */
  aircraft: AircraftScope | null
  complex: boolean
  highPerformance: boolean
  /** The zone of the resource's location, in which its flying day is given. */
  zone: string
  /** The position of the location; null when it is not recorded. */
  coordinates: Coordinates | null
  flyingDayStartMinute: number | null
  flyingDayEndMinute: number | null
  grounded: boolean
  groundedReason: string | null
  /** In cents per hour. */
  rates: { wet: Cents | null; dry: Cents | null }
  /** Its maintenance items. */
  inspections: readonly InspectionFacts[]
  /** Its deferred squawks that exclude operations. */
  deferrals: readonly DeferralFacts[]
  taken: readonly BusyTime[]
  /** The slot holds that do not block the caller. They end when the caller books over them. */
  yielding?: readonly BusyTime[]
}

/** The limits on the bookings that members of a role make for themselves; an absent or null figure means no limit. */
export interface BookingLimits {
  maxDaysAhead?: number | null | undefined
  maxMinutes?: number | null | undefined
  maxOpenBookings?: number | null | undefined
  maxHoursPerWeek?: number | null | undefined
  minNoticeMinutes?: number | null | undefined
}

export interface SettingsFacts {
  flyingDayStartMinute: number | null
  flyingDayEndMinute: number | null
  aircraftApprovalRequired: boolean
  overridesNeedPaper: boolean
  /** The roles whose bookings need a booking request. */
  approvalRequired: { student: boolean; renter: boolean }
  /** The categories of documents that each role needs. */
  requiredDocuments: Readonly<Partial<Record<Role, readonly string[]>>>
  /** The minimum balance that a booking must leave, in cents. */
  minimumBalanceCents: Cents
  aircraftRateKind: 'wet' | 'dry'
  /** ISO 4217. */
  currency: string
  /** The taxes that are added to invoices. */
  taxRates: readonly TaxRate[]
  /** How charges are divided among the people of the paying side. */
  chargeRules: Record<'aircraft' | 'instruction', 'one_payer' | 'split_evenly'>
  /** The limits on the bookings that members of a role make for themselves. */
  bookingLimits: Readonly<Record<'student' | 'renter' | 'instructor' | 'technician', BookingLimits | null>>
  /** The organization's settings of the rules of the catalogue. */
  rules: StoredRules
}

/** A currency rule for the people on the booking; an empty list means all. */
export interface CurrencyFacts extends RuleSettings {
  id: number
  name: string
  /** Whether it applies to everyone on the booking or to the pilot in command. */
  appliesTo: 'everyone' | 'pic'
  roles: readonly Role[]
  reservationTypes: readonly ReservationType[]
  resourceIds: readonly number[]
  requires: Requirement
}
