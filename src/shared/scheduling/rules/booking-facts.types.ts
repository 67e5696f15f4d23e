import type { DuePoint } from '../../fleet/maintenance/maintenance-item.rules.ts'
import type { ReservationType, ResourceKind, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { MaintenanceScope } from '../../fleet/resources/resource.rules.ts'
import type { Role, RoleFlags } from '../../platform/authz/roles.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents, Hundredths } from '../../platform/kernel/units.ts'
import type { CurrencyEvidence, Requirement } from '../../qualification/currencies/currency-state.rules.ts'
import type { AircraftScope } from '../../qualification/currencies/recency.types.ts'
import type { PilotMinimums } from '../../qualification/minimums/minimums.rules.ts'
import type { StationReports } from '../weather/weather-during.rules.ts'
import type { Overrides } from './override.types.ts'
import type { StoredRules } from './rule-catalogue.rules.ts'

/**
 * Everything that the booking rules need, loaded beforehand as plain data. The same facts with another start and end
 * check another slot; openings are found that way.
 */
export interface BookingFacts {
  now: Date
  /** The organization's zone, in which availability is kept. */
  zone: string
  actor: { orgUserId: number; roles: RoleFlags }
  booking: BookingTimes
  seats: readonly SeatFacts[]
  resource: ResourceFacts | null
  settings: SettingsFacts
  currencies: readonly CurrencyRuleFacts[]
  /** The closures that overlap the times of the booking or the search. */
  closures: readonly ClosureFacts[]
  /** What the caller sits on, maintenance aside: what is not over, and what starts in the weeks of the booking. */
  callerBookings: readonly CallerBooking[]
  overrides: Overrides
  /** The reports of the weather by location, as far as they are asked for. */
  weather: ReadonlyMap<number, StationReports>
}

/** When everything is closed, or one location, or one resource. */
export interface ClosureFacts extends Interval {
  reason: string
  locationId: number | null
  resourceId: number | null
}

/** A booking that the caller sits on; `open` when it is not over. */
export interface CallerBooking extends BusyTime {
  open: boolean
}

/** `id` is null for a new booking; a booking that is moved does not clash with itself. */
export interface BookingTimes extends Interval {
  id: number | null
  type: ReservationType
  /** The booking's own location; null for that of its resource. */
  locationId: number | null
  /** People aboard who are not on the booking. */
  passengers: number
  /** Whether it is flown under instrument flight rules. */
  ifr: boolean
  /** Whether its package is paid when it is booked. */
  prepaid?: boolean
  /** The zone of the booking, in which messages show times. */
  zone: string
}

/** An interval taken by a live booking, or by a slot hold (`reservationId` null). */
export interface BusyTime extends Interval {
  reservationId: number | null
}

/** A person on the booking. A guest has a `guestId` (null until stored) and none of the member's facts. */
export interface SeatFacts {
  side: Side
  orgUserId: number | null
  guestId: number | null
  name: string
  member: MemberFacts | null
  taken: readonly BusyTime[]
  /** The flight training that they give as an instructor: flown by the Hobbs, else as booked. */
  training: readonly BusyTime[]
}

export interface MemberFacts {
  roles: RoleFlags
  grounded: boolean
  groundedReason: string | null
  /** Approved on the booking's resource; checked only where the organization requires approvals. */
  approved: boolean
  /** The weekly availability, in the organization's zone; empty means always available. */
  availability: readonly AvailabilityItem[]
  timeOff: readonly Interval[]
  /** Recorded dates of expiring currencies; null never expires. */
  currencyRecords: readonly { currencyId: number; expiresAt: Date | null }[]
  /** Documents of the required categories that were sent and count. */
  documents: readonly { category: string; expiresAt: Date | null }[]
  /** For a solo flight: proven endorsements of `soloCodes` that are not superseded. */
  endorsements: readonly EndorsementFacts[]
  /** Enrolled in a Part 141 course. */
  inPart141: boolean
  /** Of the ledger, in cents; null when it is not asked for. */
  balance: Cents | null
  /** The weather that they may fly in; null when nobody set it, or it is not asked for. */
  minimums: PilotMinimums | null
  /** Cents an hour of instruction. */
  rates: { flight: Cents | null; ground: Cents | null; sim: Cents | null }
  /** Starts of the member's signed flights, as far back as the longest currency rule counts. */
  signedFlights: readonly { currencyId: number; flownAt: Date }[]
  /** What the currencies of a regulation are judged by, by the id of the currency. */
  regulated: ReadonlyMap<number, CurrencyEvidence>
}

export interface EndorsementFacts {
  code: string
  /** Null when none is named: it fits no aircraft. */
  makeAndModel: string | null
  expiresAt: Date | null
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
  /** The aircraft that a pilot's currency is judged for; null for other resources. */
  aircraft: AircraftScope | null
  /** The zone of the resource's location, in which flying-day hours are kept. */
  zone: string
  flyingDayStartMinute: number | null
  flyingDayEndMinute: number | null
  grounded: boolean
  groundedReason: string | null
  /** Cents an hour. */
  rates: { wet: Cents | null; dry: Cents | null }
  /** Its maintenance items. */
  inspections: readonly InspectionFacts[]
  taken: readonly BusyTime[]
}

/** A maintenance item, due by the first of its limits. */
export interface InspectionFacts {
  id: number
  name: string
  /** Overdue, it holds the bookings of its scope. */
  grounding: boolean
  scope: MaintenanceScope
  limits: readonly InspectionLimit[]
}

/** A limit: due by the calendar, or by a meter that reads `reads` now. */
export interface InspectionLimit extends DuePoint {
  reads: Hundredths | null
}

/** The limits of a role's own bookings; what is left out or null does not limit. */
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
  /** The roles whose bookings need a booking request. */
  approvalRequired: { student: boolean; renter: boolean }
  /** The categories of documents that each role needs. */
  requiredDocuments: Readonly<Partial<Record<Role, readonly string[]>>>
  /** The least balance that a booking leaves, in cents. */
  minimumBalanceCents: Cents
  aircraftRateKind: 'wet' | 'dry'
  /** ISO 4217. */
  currency: string
  /** How charges are divided among the people of the paying side. */
  chargeRules: Record<'aircraft' | 'instruction', 'one_payer' | 'split_evenly'>
  /** The limits of the bookings that members with a role make for themselves. */
  bookingLimits: Readonly<Record<'student' | 'renter' | 'instructor' | 'technician', BookingLimits | null>>
  /** What the organization decided of the rules of the catalogue. */
  rules: StoredRules
}

/** A currency rule for the people on the booking; an empty list means all. */
export interface CurrencyRuleFacts extends RuleSettings {
  id: number
  name: string
  /** Asked of everyone on the booking, or of who would be pilot in command. */
  appliesTo: 'everyone' | 'pic'
  roles: readonly Role[]
  reservationTypes: readonly ReservationType[]
  resourceIds: readonly number[]
  requires: Requirement
}
