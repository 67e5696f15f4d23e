import type { ReservationType, ResourceKind } from '../../fleet/resources/reservation-types.rules.ts'
import type { TaxRate } from '../../identity/organizations/taxes.rules.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { BasisPoints, Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'

/** A payer's id: a member or a guest; exactly one of the two ids is set. */
export interface PayerId {
  orgUserId: number | null
  guestId: number | null
}

export interface Payer extends PayerId {
  name: string
}

/** Meter readings in hundredths of an hour; null where a meter was not read. */
export interface Readings {
  hobbsOut: Hundredths | null
  hobbsIn: Hundredths | null
  tachOut: Hundredths | null
  tachIn: Hundredths | null
}

/**
 * How one payer pays: own meter readings, a share of the total in basis points (100 % is 10,000), or waived.
 * Implements interface §Reservation, payer stake.
 */
export type Stake = PayerId &
  ((Readings & { kind: 'readings' }) | { kind: 'percentage'; percentageBps: BasisPoints } | { kind: 'waived' })

export type ChargeRule = 'one_payer' | 'split_evenly'

/** All inputs of a flight's bill. Rates are in cents per hour; a null rate means that the rate is not set. */
export interface FlightCharge {
  type: ReservationType
  booked: Interval
  resource: {
    id: number
    name: string
    kind: ResourceKind
    /** The time zone of the resource's location; nights are counted in this zone. */
    zone: string
    dryRate: Cents | null
    wetRate: Cents | null
    overnightMinimumTenths: Tenths | null
    billByHobbsTime: boolean
  } | null
  readings: Readings
  briefing: Tenths | null
  instructor: { name: string; rates: { flight: Cents | null; ground: Cents | null; sim: Cents | null } } | null
  /** The people on the side that pays, in seat order; the first is the leading payer. */
  payers: readonly Payer[]
  stakes: readonly Stake[]
  /** The packages of the payers that can cover this flight, oldest first. */
  packages: readonly CoveringPackage[]
  /** The payers who are exempt from taxes. */
  taxExempt: readonly PayerId[]
  /** The location of the flight, for its taxes; null when it is not known. */
  locationId: number | null
  settings: {
    aircraftRateKind: 'wet' | 'dry'
    overnightMinimumTenths: Tenths
    chargeRules: { aircraft: ChargeRule; instruction: ChargeRule }
    taxRates: readonly TaxRate[]
    currency: string
  }
}

/** An instructor's time on a flight in tenths of an hour, by the kind of rate at which it is billed and paid. */
export interface InstructorHours {
  flight: Tenths
  sim: Tenths
  ground: Tenths
}

export type ChargeKind = 'aircraft' | 'simulator' | 'flight_instruction' | 'sim_instruction' | 'ground_instruction'

/** One charge of a flight before it is divided: time in tenths of an hour at an hourly rate in cents. */
export interface Charge {
  kind: ChargeKind
  /** Which of the organization's charge rules divides this charge. */
  rule: 'aircraft' | 'instruction'
  description: string
  deciHours: Tenths
  rateCents: Cents
  amountCents: Cents
}

/** A package that a payer can use. `remaining` is in `unit`: cents, or tenths of an hour. An empty list covers all resources or kinds. */
export interface CoveringPackage extends PayerId {
  purchaseId: number
  name: string
  unit: 'cents' | 'deci_hours'
  remaining: number
  resourceIds: readonly number[]
  lineKinds: readonly string[]
}

/** The use of a package by a bill: `quantity`, in the unit of the package, covers an amount in cents. */
export interface PackageUse extends Pick<CoveringPackage, 'purchaseId' | 'name' | 'unit'> {
  quantity: number
  coveredCents: Cents
}

/** The amount that one payer owes for a flight, in cents, with taxes. */
export interface Share {
  payer: Payer
  amountCents: Cents
  /** The amount before packages, in cents with taxes. */
  wholeCents: Cents
  taxes: TaxTotal[]
  uses: PackageUse[]
}

/**
 * A line of a bill: a whole charge (hours at the rate), one payer's share of a charge (one share at its amount), or a negative line
 * for an amount that a package covers or that is waived. The payer is null only when the bill could not be divided.
 */
export interface BillLine {
  kind: ChargeKind | 'package_credit' | 'other'
  description: string
  quantityHundredths: Hundredths
  unit: 'hour' | 'share' | 'package'
  unitPrice: Cents
  amountCents: Cents
  /** The taxes, not included in the amount; 0 when the bill could not be divided. */
  taxCents: Cents
  /** The part of the amount that is taxed because no package covers it; absent: all of it. */
  taxableCents?: Cents
  payer: Payer | null
}

/**
 * An invoice line before it is stored. The quantity is in hundredths of `unit`, the price per unit in cents. `amountCents` is the amount
 * charged, also when it differs from quantity × price.
 */
export interface InvoiceLine {
  kind: string
  description: string
  quantityHundredths: Hundredths
  unit: string
  unitPrice: Cents
  amountCents: Cents
  /** The part of the amount that is taxed, in cents; absent: all of it. */
  taxableCents?: Cents
}

/** A line with its taxes in cents, which its amount does not include. */
export interface TaxedLine extends InvoiceLine {
  taxCents: Cents
}

/** The tax of one rate on several lines, in cents. Of each line, the part that packages do not cover is taxed. */
export interface TaxTotal {
  name: string
  basisPoints: BasisPoints
  taxableCents: Cents
  taxCents: Cents
}

/** Why a bill cannot be divided; the message says what to fix. */
export interface BillProblem {
  field: string
  message: Sentence
}

/**
 * A flight's bill. When there are no problems, the shares add up to the total, and each payer's lines and taxes add up to that
 * payer's share.
 */
export interface FlightBill {
  lines: BillLine[]
  totalCents: Cents
  shares: Share[]
  warnings: string[]
  problems: BillProblem[]
}

/** Returns whether two payers are the same person. */
export function samePayer(a: PayerId, b: PayerId): boolean {
  return a.orgUserId !== null ? a.orgUserId === b.orgUserId : a.guestId !== null && a.guestId === b.guestId
}
