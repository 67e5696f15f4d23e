import { multiplyRate } from '../../platform/kernel/money.ts'
import { type Cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import type { InstructorHours } from '../flight-bill/flight-bill.types.ts'

/** The pay rates of an instructor, in cents per hour; null: time of this kind is not paid. */
export interface PayRates {
  flight: Cents | null
  ground: Cents | null
  sim: Cents | null
}

/** The facts of a signed-off flight that its pay depends on. */
export interface SignedFlight {
  reservationId: number
  /** The instructor of the flight; null when the flight no longer has one. */
  orgUserId: number | null
  hours: InstructorHours
  /** The present rates of the instructor. */
  rates: PayRates
  longBriefing: boolean
  onBehalf: boolean
  /** Whether the figures were corrected after they were signed. */
  corrected: boolean
  /** When the figures were signed off, or corrected after that. */
  signedOffAt: Date
}

/** The pay of one instructor for one flight in a run; an adjustment has signed hours and cents. */
export interface PayLine extends SignedFlight {
  orgUserId: number
  adjustment: boolean
  amountCents: Cents
}

/** A line that an earlier run paid. Lists of them are oldest first. */
export type PaidLine = Pick<PayLine, 'orgUserId' | 'hours' | 'rates' | 'amountCents'>

const kinds = ['flight', 'ground', 'sim'] as const
const noHours: InstructorHours = { flight: ZERO, ground: ZERO, sim: ZERO }
const noRates: PayRates = { flight: null, ground: null, sim: null }

/**
 * Returns the pay of a flight in cents: each kind of time at its rate, rounded half up as on the flight's bill. Time without
 * a rate is not paid. Implements interface §Reports.
 */
export function payOf(hours: InstructorHours, rates: PayRates): Cents {
  return sum(kinds.map((kind) => multiplyRate(hours[kind], rates[kind] ?? ZERO)))
}

/**
 * Returns the pay line of a flight that is in no run yet. Null when the flight has no instructor, or when none of its time has a rate:
 * a later run can pay it once there is a rate. Implements interface §Pay runs.
 */
export function payFlight(flight: SignedFlight): PayLine | null {
  const { orgUserId, hours, rates } = flight
  const paid = kinds.some((kind) => hours[kind] > 0 && rates[kind] !== null)
  if (orgUserId === null || !paid) return null
  return { ...flight, orgUserId, adjustment: false, amountCents: payOf(hours, rates) }
}

/**
 * Returns the adjustments for a flight that an earlier run paid and that was corrected or signed off again. There is one adjustment per instructor:
 * the difference between the present figures and what was paid, at the rates at which the flight was paid. An instructor who was not
 * paid for the flight before is paid at their own present rates.
 * Implements interface §Pay runs.
 */
export function adjustFlight(flight: SignedFlight, paid: readonly PaidLine[]): PayLine[] {
  const everybody = new Set([...paid.map((line) => line.orgUserId), ...(flight.orgUserId ? [flight.orgUserId] : [])])
  return [...everybody].flatMap((orgUserId) => {
    const present = orgUserId === flight.orgUserId
    const before = paid.filter((line) => line.orgUserId === orgUserId)
    const rates = before.at(-1)?.rates ?? (present ? flight.rates : noRates)
    const due = present ? flight.hours : noHours
    const hours = eachKind((kind) => minus(due[kind], sum(before.map((line) => line.hours[kind]))))
    const amountCents = minus(payOf(due, rates), sum(before.map((line) => line.amountCents)))
    if (amountCents === 0 && kinds.every((kind) => hours[kind] === 0)) return []
    const { longBriefing, onBehalf, corrected } = flight
    return [
      {
        ...flight,
        orgUserId,
        adjustment: true,
        hours,
        rates,
        amountCents,
        longBriefing: present && longBriefing,
        onBehalf: present && onBehalf,
        corrected: present && corrected,
      },
    ]
  })
}

/** The time that a run does not pay to an instructor because it has no rate. */
export interface Unpaid {
  orgUserId: number
  /** The number of flights that are left for a later run, because none of their time has a rate. */
  left: number
  /** The time without a rate on the flights that are in the run, per kind, in tenths of an hour. */
  hours: InstructorHours
}

/** Returns, per instructor, what a run does not pay of these flights, which are in no run yet. Implements interface §Pay runs. */
export function unpaidOf(flights: readonly SignedFlight[]): Unpaid[] {
  const worked = flights.filter(({ hours }) => kinds.some((kind) => hours[kind] > 0))
  return [...Map.groupBy(worked, ({ orgUserId }) => orgUserId)].flatMap(([orgUserId, own]) => {
    if (orgUserId === null) return []
    const paid = own.filter((flight) => payFlight(flight) !== null)
    const left = own.length - paid.length
    const hours = eachKind((kind) => sum(paid.map(({ hours, rates }) => (rates[kind] === null ? hours[kind] : ZERO))))
    return left > 0 || kinds.some((kind) => hours[kind] > 0) ? [{ orgUserId, left, hours }] : []
  })
}

/** The flights, hours and earnings of an instructor. */
export interface InstructorPay {
  flights: number
  hours: InstructorHours
  amountCents: Cents
}

/** Returns `pay` plus the pay of one more flight, at the present rates. Implements interface §Reports. */
export function addPay(pay: InstructorPay | undefined, { hours, rates }: SignedFlight): InstructorPay {
  const before = pay ?? { flights: 0, hours: noHours, amountCents: ZERO }
  return {
    flights: before.flights + 1,
    hours: eachKind((kind) => plus(before.hours[kind], hours[kind])),
    amountCents: plus(before.amountCents, payOf(hours, rates)),
  }
}

function eachKind<Value>(value: (kind: (typeof kinds)[number]) => Value) {
  return { flight: value('flight'), ground: value('ground'), sim: value('sim') }
}
