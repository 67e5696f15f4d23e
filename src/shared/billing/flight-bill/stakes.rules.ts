import type { Sentence } from '../../platform/kernel/errors.ts'
import { formatReading } from '../../platform/kernel/hours.ts'
import { type BasisPoints, hundredths, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { billingMeter, runOf } from './charges.rules.ts'
import {
  type BillProblem,
  type FlightCharge,
  type PayerId,
  type Readings,
  type Stake,
  samePayer,
} from './flight-bill.types.ts'

/**
 * How costs are divided: one weight per payer, which applies to the total, to each charge, or as the organization's charge rules say;
 * or the problems to fix first.
 */
export type CostAllocation =
  | { by: 'rule' | 'total' | 'charge'; weights: number[]; problems: null }
  | { problems: BillProblem[] }

const meters = ['hobbs', 'tach'] as const

/**
 * Returns the problems of a set of stakes when it is saved: a person who does not pay for the booking, a person named twice, mixed
 * kinds (waivers aside), a percentage outside 0–100, readings that are missing, run backwards or lack one of the two.
 * Implements interface §Reservations, PUT payers. Totals are checked when invoicing (rule 4).
 */
export function checkStakes(stakes: readonly Stake[], payers: readonly PayerId[]): BillProblem[] {
  return stakes.flatMap((stake, index): BillProblem[] => {
    const wrong = (say: Saying, part = '') => {
      const field = `payers.${index}${part}`
      return [{ field, message: say({ field }) }]
    }
    if (!payers.some((payer) => samePayer(payer, stake))) return wrong(billingErrors.payerNotOnSide)
    const earlier = stakes.slice(0, index)
    if (earlier.some((one) => samePayer(one, stake))) return wrong(billingErrors.payerTwice)
    if (stake.kind === 'waived') return []
    const mixed = earlier.some((one) => one.kind !== 'waived' && one.kind !== stake.kind)
    if (mixed) return wrong(billingErrors.stakesMixed)
    if (stake.kind === 'percentage') {
      const { percentageBps } = stake
      return percentageBps < 0 || percentageBps > 10_000 ? wrong(billingErrors.percentageUnknown, '.percentage') : []
    }
    return readingsWrong(stake).flatMap((say) => wrong(say))
  })
}

/**
 * Returns how the stakes divide a flight's costs when it is invoiced. Percentages must total 100 and are the weights of the total.
 * Readings must add up to the hours that the aircraft ran; the hours are the weights of each charge. A waived payer has weight 0, and
 * so has a payer without a stake when others have percentages or readings. Without stakes, or when all stakes are waivers, the
 * organization's charge rules decide.
 * Implements interface §Reservations rule 4.
 */
export function allocateCosts(flight: FlightCharge): CostAllocation {
  const { payers, stakes } = flight
  if (payers.length === 0) return stop(billingErrors.nobodyPays())
  const wrong = checkStakes(stakes, payers)
  if (wrong.length > 0) return { problems: wrong }
  const stakeOf = (payer: PayerId) => stakes.find((stake) => samePayer(stake, payer))
  const carriers = payers.filter((payer) => stakeOf(payer)?.kind !== 'waived')
  if (carriers.length === 0) return stop(billingErrors.everyoneWaived())
  if (stakes.some((stake) => stake.kind === 'percentage')) {
    const weights = payers.map((payer) => percentageOf(stakeOf(payer)))
    const total = sum(weights)
    if (total === 10_000) return { by: 'total', weights, problems: null }
    return stop(billingErrors.percentagesTotal({ total: formatReading(hundredths(total)) }))
  }
  if (stakes.some((stake) => stake.kind === 'readings')) return allocateByReadings(flight, stakeOf)
  return { by: 'rule', weights: payers.map((payer) => (carriers.includes(payer) ? 1 : 0)), problems: null }
}

function allocateByReadings(flight: FlightCharge, stakeOf: (payer: PayerId) => Stake | undefined): CostAllocation {
  const readings = flight.stakes.filter((stake) => stake.kind === 'readings')
  const billing = billingMeter(flight)
  const preferred = [billing, ...meters.filter((meter) => meter !== billing)]
  const given = preferred.filter((meter) => readings.every((stake) => runOf(stake, meter) !== null))
  const usable = given.filter((meter) => runOf(flight.readings, meter) !== null)
  const meter = usable[0]
  if (!meter) return stop(billingErrors.readingsOfEveryone({ meter: billing }))
  const problems = usable.flatMap((one): BillProblem[] => {
    const total = sum(readings.map((stake) => runOf(stake, one) ?? ZERO))
    const ran = runOf(flight.readings, one) ?? ZERO
    if (total === ran) return []
    const figures = { meter: one, total: formatReading(hundredths(total)), ran: formatReading(ran) }
    return [{ field: 'payers', message: billingErrors.readingsTotal(figures) }]
  })
  if (problems.length > 0) return { problems }
  const hours = flight.payers.map((payer) => {
    const stake = stakeOf(payer)
    return stake?.kind === 'readings' ? (runOf(stake, meter) ?? ZERO) : 0
  })
  if (sum(hours) > 0) return { by: 'charge', weights: hours, problems: null }
  return {
    by: 'charge',
    weights: flight.payers.map((payer) => (stakeOf(payer)?.kind === 'readings' ? 1 : 0)),
    problems: null,
  }
}

type Saying = (parameters: { field: string }) => Sentence

function readingsWrong(readings: Readings): Saying[] {
  if (meters.every((meter) => runOf(readings, meter) === null)) return [billingErrors.readingsMissing]
  const halves = [
    ['hobbs', readings.hobbsOut, readings.hobbsIn],
    ['tach', readings.tachOut, readings.tachIn],
  ] as const
  return halves.flatMap(([meter, out, back]) => {
    if ((out === null) !== (back === null)) return [({ field }) => billingErrors.readingHalf({ field, meter })]
    if (out === null || back === null || back >= out) return []
    return [({ field }) => billingErrors.readingsBackwards({ field, meter })]
  })
}

function percentageOf(stake: Stake | undefined): BasisPoints {
  return stake?.kind === 'percentage' ? stake.percentageBps : ZERO
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function stop(message: Sentence): CostAllocation {
  return { problems: [{ field: 'payers', message }] }
}
