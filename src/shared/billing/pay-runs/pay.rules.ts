import { multiplyRate } from '../../platform/kernel/money.ts'
import { type Cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import type { InstructorHours } from '../flight-bill/flight-bill.types.ts'

/** What an instructor is paid, in cents an hour; null pays nothing for such time. */
export interface PayRates {
  flight: Cents | null
  ground: Cents | null
  sim: Cents | null
}

/** A flight that is signed off, as its pay depends on it. */
export interface SignedFlight {
  reservationId: number
  /** Its instructor; null when it has none any more. */
  orgUserId: number | null
  hours: InstructorHours
  /** The present rates of the instructor. */
  rates: PayRates
  longBriefing: boolean
  onBehalf: boolean
  signedOffAt: Date
}

/** What a run pays an instructor of a flight; an adjustment has signed hours and cents. */
export interface PayLine extends SignedFlight {
  orgUserId: number
  adjustment: boolean
  amountCents: Cents
}

/** What earlier runs paid, oldest first. */
export type PaidLine = Pick<PayLine, 'orgUserId' | 'hours' | 'rates' | 'amountCents'>

const kinds = ['flight', 'ground', 'sim'] as const
const noHours: InstructorHours = { flight: ZERO, ground: ZERO, sim: ZERO }
const noRates: PayRates = { flight: null, ground: null, sim: null }

/**
 * Returns the pay of a flight in cents: each kind of time at its rate, rounded half up as on the flight's bill. A missing
 * rate pays nothing. Implements interface §Reports.
 */
export function payOf(hours: InstructorHours, rates: PayRates): Cents {
  return sum(kinds.map((kind) => multiplyRate(hours[kind], rates[kind] ?? ZERO)))
}

/**
 * Returns what a run pays of a flight that no run has; null when no rate pays any of its time: a later run may pay it, when
 * there is one. Implements interface §Pay runs.
 */
export function payFlight(flight: SignedFlight): PayLine | null {
  const { orgUserId, hours, rates } = flight
  const paid = kinds.some((kind) => hours[kind] > 0 && rates[kind] !== null)
  if (orgUserId === null || !paid) return null
  return { ...flight, orgUserId, adjustment: false, amountCents: payOf(hours, rates) }
}

/**
 * Returns what a run pays, or takes back, of a flight that has its place in an earlier run and was signed again: for each
 * instructor the difference between the present figures and what was paid, at the rates at which the flight was paid. An
 * instructor who took another’s place is paid at their own rates of now.
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
    const { longBriefing, onBehalf } = flight
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
      },
    ]
  })
}

/** What a run does not pay an instructor, since there is no rate for it. */
export interface Unpaid {
  orgUserId: number
  /** The flights that stay for a later run: no rate pays any of their time. */
  left: number
  /** The kinds of time of the flights that are in the run that it pays nothing for, in tenths of an hour. */
  hours: InstructorHours
}

/** Returns what is not paid of the flights of a period that no run has, by instructor. Implements interface §Pay runs. */
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

/** What an instructor has flown and earned. */
export interface InstructorPay {
  flights: number
  hours: InstructorHours
  amountCents: Cents
}

/** Returns the pay with that of another flight at the present rates. Implements interface §Reports. */
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
