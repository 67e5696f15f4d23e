import type { ResourceKind, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { BasisPoints, Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'
import type { LessonOfReservation } from './page-parts.queries.ts'

/** A person on a booking. Rates are cents an hour, and only instructors have them. */
export interface SeatRow {
  side: Side
  orgUserId: number | null
  guestId: number | null
  name: string
  email: string | null
  phone: string | null
  /** Whether the person pays no taxes. */
  taxExempt: boolean
  rates: { flight: Cents | null; ground: Cents | null; sim: Cents | null } | null
}

export interface StakeRow {
  kind: 'readings' | 'percentage' | 'waived'
  orgUserId: number | null
  guestId: number | null
  hobbsOut: Hundredths | null
  hobbsIn: Hundredths | null
  tachOut: Hundredths | null
  tachIn: Hundredths | null
  percentageBps: BasisPoints | null
}

/** An override of a rule, with the resource and the start that the booking had when it was overridden. */
export interface OverrideRow {
  rule: RuleKey
  orgUserId: number | null
  resourceId: number | null
  startsAt: string
  reason: string
  by: { orgUserId: number; name: string }
  at: string
}

export interface InvoiceOfReservation {
  id: number
  orgUserId: number | null
  guestId: number | null
  name: string
  status: 'pending' | 'open' | 'paid' | 'void' | 'failed'
  totalCents: Cents
  payUrl: string | null
  /** What came past the payment gateway and has not gone back; 0 when a member's account paid. */
  offlineCents: Cents
  /** Neither void, nor failed, nor credited in full: its payer has no other. */
  stands: boolean
}

export interface ResourceOfReservation {
  id: number
  locationId: number
  name: string
  kind: ResourceKind
  tailNumber: string | null
  zone: string
  dryRate: Cents | null
  wetRate: Cents | null
  overnightMinimumTenths: Tenths | null
  billByHobbsTime: boolean
}

/** What a member on a flown booking may use of a package: `remaining` cents, or tenths of an hour. */
export interface PackageOfReservation {
  purchaseId: number
  orgUserId: number
  guestId: null
  name: string
  unit: 'cents' | 'deci_hours'
  remaining: number
  resourceIds: number[]
  lineKinds: string[]
}

/** The lists of a booking, each in its own order. */
export interface BookingLists {
  seats: SeatRow[]
  /** `recordedBy`: who of the desk signed for a member without an account. */
  confirmations: { orgUserId: number; side: Side; confirmedAt: string; recordedBy: number | null }[]
  /** The payers who have not signed and are told what will be taken, and when they were told. */
  notices: { orgUserId: number; notifiedAt: string | null }[]
  stakes: StakeRow[]
  lessons: LessonOfReservation[]
  invoices: InvoiceOfReservation[]
  overrides: OverrideRow[]
  /** Oldest first. */
  packages: PackageOfReservation[]
}

/** What belongs to a booking. */
export interface BookingParts extends BookingLists {
  resource: ResourceOfReservation | null
  location: { id: number; name: string; timeZoneName: string } | null
}
