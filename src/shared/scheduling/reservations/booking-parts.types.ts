import type { ReservationType, ResourceKind, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { BasisPoints, Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'
import type { SoloFlight } from '../rules/solo-flight.rules.ts'

/** The figures of a close-out: readings in hundredths of an hour, briefing in tenths; null when the booking has none. */
export interface CloseOutFigures {
  hobbsTimeOut: Hundredths | null
  hobbsTimeIn: Hundredths | null
  tachTimeOut: Hundredths | null
  tachTimeIn: Hundredths | null
  briefing: Tenths | null
}

/**
 * What a cancellation less than `underHours` before the start costs, in cents. `categories`: of these categories; null for all that may
 * cost.
 */
export interface FeeTier {
  underHours: number
  afterwardsCents: Cents
  categories: string[] | null
  /** The expected cost of the place from which its payer moved the booking late; absent: that of its own place counts. */
  estimatedCents?: Cents
}

/** The columns of a booking. */
export interface ReservationColumns {
  id: number
  created_at: Date
  updated_at: Date
  /** The UID of its calendar event. */
  uid: string
  title: string
  type: ReservationType
  starts_at: Date
  ends_at: Date
  time_zone_name: string
  notes: string | null
  created_by: number
  created_by_name: string
  series_id: number | null
  series_index: number | null
  series_count: number | null
  cancelled_at: Date | null
  cancelled_by: number | null
  cancelled_by_name: string | null
  cancellation_reason: string | null
  cancellation_category: string | null
  collection_style: 'close_out' | 'prepaid_fixed'
  prepaid_amount_cents: Cents | null
  ramped_out_at: Date | null
  expected_back_at: Date | null
  ramped_in_at: Date | null
  hobbs_out: Hundredths | null
  hobbs_in: Hundredths | null
  tach_out: Hundredths | null
  tach_in: Hundredths | null
  briefing_tenths: Tenths | null
  signed_off_at: Date | null
  /** Whether every payer must sign; otherwise one of them signs for all. */
  payers_sign: boolean
  /** How often the figures were corrected while the signatures stood. */
  corrections: number
  corrected_by: number | null
  corrected_by_name: string | null
  corrected_at: Date | null
  correction_reason: string | null
  /** The figures that were signed, when they were corrected afterwards. */
  signed_figures: CloseOutFigures | null
  meeting_url: string | null
  /** The number of people aboard who are not on the booking. */
  passengers: number
  ifr: boolean
  solo: SoloFlight | null
  reminded_for: Date | null
  /** What its cancellation costs, by ascending hours; null: nothing. */
  cancellation_terms: FeeTier[] | null
  /** The earlier start from which its notice counts, since its payer moved it when that was near; null: its own. */
  notice_start: Date | null
  /** Whether it was made, or moved to its place, after its start. */
  made_after_start: boolean
}

/** The lesson that is planned for a student. */
export interface LessonOfReservation {
  orgUserId: number
  id: number
  name: string
  kind: 'ground' | 'flight' | 'sim'
  objectives: string | null
  completionStandards: string | null
  tasks: { id: number; name: string; acsCode: string | null; standard: string | null }[]
}

/** A person on a booking. `rates` are in cents per hour; null except for instructors. */
export interface SeatRow {
  side: Side
  orgUserId: number | null
  guestId: number | null
  name: string
  email: string | null
  phone: string | null
  /** Who pays for a member: the bill-to payer who has accepted, otherwise the member; null for a guest. */
  payerId: number | null
  /** Whether that payer pays no taxes. */
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
  /** The document of the paper that was seen; null when it was deleted since. */
  documentId: number | null
  hasPaper: boolean
}

export interface InvoiceOfReservation {
  id: number
  orgUserId: number | null
  /** The member whose share a bill-to payer pays; null when the payer pays for themself. */
  billedFor: number | null
  guestId: number | null
  name: string
  status: 'pending' | 'open' | 'paid' | 'void' | 'failed'
  totalCents: Cents
  payUrl: string | null
  /** The amount paid outside the payment gateway and not refunded, in cents; 0 when a member's account paid. */
  offlineCents: Cents
  /** True when it is neither void, nor failed, nor credited in full. A payer has at most one such invoice per booking. */
  stands: boolean
}

export interface ResourceOfReservation {
  id: number
  locationId: number
  name: string
  kind: ResourceKind
  tailNumber: string | null
  pool: string | null
  zone: string
  dryRate: Cents | null
  wetRate: Cents | null
  overnightMinimumTenths: Tenths | null
  billByHobbsTime: boolean
}

/** A package that a member on a flown booking may use. `remaining` is in cents or tenths of an hour, depending on `unit`. */
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

/** What a member pays for a booking: the amount with taxes, before packages, in cents. */
export interface PayerAmount {
  orgUserId: number
  amountCents: Cents
}

/** A signature on the figures of a booking. */
export interface ConfirmationRow {
  orgUserId: number
  side: Side
  confirmedAt: string
  /** The desk staff member who signed for a member without an account; otherwise null. */
  recordedBy: number | null
  /** What each payer owed when it was signed; empty when that was not known. */
  amounts: PayerAmount[]
}

/** An objection to a correction of the figures, by whom, and what became of it; `closedAt` null: it is open. */
export interface ObjectionRow {
  orgUserId: number
  name: string
  note: string
  at: string
  closedAt: string | null
  closingReason: string | null
}

/** The fee of a cancellation of the booking. */
export interface FeeRow {
  /** Whose share it is, and who pays it: the bill-to payer, otherwise the member; null for a guest. */
  orgUserId: number | null
  payerId: number | null
  cancelledAt: string
  cents: Cents
  status: 'proposed' | 'objected' | 'waived' | 'charged'
  chargeAt: string | null
  freeCount: number
  objection: string | null
  reason: string | null
  decidedBy: { orgUserId: number; name: string } | null
  invoiceId: number | null
  /** Whether its invoice is neither void, nor failed, nor credited in full; null without one. */
  stands: boolean | null
}

/** The lists of a booking, each in its own order. */
export interface BookingLists {
  seats: SeatRow[]
  confirmations: ConfirmationRow[]
  /** The objections to the last correction, and those to the one before that are open. */
  objections: ObjectionRow[]
  /** The payers who have not signed and must be notified of the charge, and when they were notified; null before. */
  notices: { orgUserId: number; notifiedAt: string | null }[]
  stakes: StakeRow[]
  lessons: LessonOfReservation[]
  invoices: InvoiceOfReservation[]
  overrides: OverrideRow[]
  /** Oldest first. */
  fees: FeeRow[]
  /** Oldest first. */
  packages: PackageOfReservation[]
}

/** The records that belong to a booking. */
export interface BookingParts extends BookingLists {
  resource: ResourceOfReservation | null
  location: { id: number; name: string; timeZoneName: string } | null
}
