import type { ReservationType, ResourceKind } from '../../fleet/resources/reservation-types.rules.ts'
import type { Hundredths, Tenths } from '../../platform/kernel/hours.ts'
import type { Interval } from '../../platform/kernel/instants.ts'

/** Who pays: a member or a guest, exactly one of the two ids. */
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

/** What one payer carries: own readings, a share of the total in basis points (100 % is 10,000), or nothing. */
export type Stake = PayerId &
  ((Readings & { kind: 'readings' }) | { kind: 'percentage'; percentageBps: number } | { kind: 'waived' })

export type ChargeRule = 'one_payer' | 'split_evenly'

/** Everything that the charge of one flight depends on. Rates are cents an hour; null is no rate. */
export interface FlightCharge {
  type: ReservationType
  booked: Interval
  resource: {
    name: string
    kind: ResourceKind
    /** The zone of its location, in which nights are counted. */
    zone: string
    dryRate: number | null
    wetRate: number | null
    overnightMinimumTenths: Tenths | null
    billByHobbsTime: boolean
  } | null
  readings: Readings
  briefing: Tenths | null
  instructor: { name: string; rates: { flight: number | null; ground: number | null; sim: number | null } } | null
  /** The side that pays, in order of its seats: the first is the leading payer. */
  payers: readonly Payer[]
  stakes: readonly Stake[]
  settings: {
    aircraftRateKind: 'wet' | 'dry'
    overnightMinimumTenths: Tenths
    chargeRules: { aircraft: ChargeRule; instruction: ChargeRule }
    currency: string
  }
}

export type ChargeKind = 'aircraft' | 'simulator' | 'flight_instruction' | 'sim_instruction' | 'ground_instruction'

/** One charge of a flight before anybody pays it: time at an hourly rate. */
export interface Charge {
  kind: ChargeKind
  /** Which of the organization's charge rules divides it. */
  rule: 'aircraft' | 'instruction'
  description: string
  deciHours: Tenths
  rateCents: number
  amountCents: number
}

/**
 * A line of a bill: a whole charge (hours at the rate) or one payer's share of it (one share at its amount). The
 * payer is null only where the bill could not be divided.
 */
export interface BillLine {
  kind: ChargeKind
  description: string
  quantityHundredths: number
  unit: 'hour' | 'share'
  unitPrice: number
  amountCents: number
  payer: Payer | null
}

/** A line to bill. `quantityHundredths` of `unit` at `unitPrice` cents; `amountCents` is what counts. */
export interface InvoiceLine {
  kind: string
  description: string
  quantityHundredths: number
  unit: string
  unitPrice: number
  amountCents: number
}

/** What stands in the way of dividing a bill; the message says what to fix. */
export interface BillProblem {
  field: string
  message: string
}

/** A flight's bill. The shares add up to the total, and each payer's lines to their share, unless there are problems. */
export interface FlightBill {
  lines: BillLine[]
  totalCents: number
  shares: { payer: Payer; amountCents: number }[]
  warnings: string[]
  problems: BillProblem[]
}

/** Whether two payers are the same person. */
export function samePayer(a: PayerId, b: PayerId): boolean {
  return a.orgUserId !== null ? a.orgUserId === b.orgUserId : a.guestId !== null && a.guestId === b.guestId
}
