import { billingMeter, runOf } from './charges.rules.ts'
import { type FlightCharge, type PayerId, type Stake, samePayer } from './flight-bill.types.ts'

/** The facts that divide the costs of a flight, before its readings are known. */
export type Division = Pick<FlightCharge, 'payers' | 'stakes' | 'resource' | 'settings'>

/** A payer's parts of the two kinds of cost, from 0 to 1. */
interface Parts {
  aircraft: number
  instruction: number
}

/** Two parts are equal when they differ by less than this. */
const TOLERANCE = 1e-9

/**
 * Returns the payers, other than the caller, whose part of the costs a change raises. A new payer is returned when the new part is
 * larger than an even part: a person who books names the payers, but must not shift the costs to them.
 * Implements interface §Reservations, PUT payers.
 */
export function payersRaised(before: Division, after: Division, caller: number): PayerId[] {
  const even = 1 / after.payers.length
  return after.payers.filter((payer) => {
    if (payer.orgUserId === caller) return false
    const isNew = !before.payers.some((one) => samePayer(one, payer))
    const was = isNew ? { aircraft: even, instruction: even } : partsOf(before, payer)
    const is = partsOf(after, payer)
    return is.aircraft > was.aircraft + TOLERANCE || is.instruction > was.instruction + TOLERANCE
  })
}

/**
 * Returns the payers, other than the caller, whom a change of people removes from a booking with stakes; none when it has no stakes.
 * A removed payer's stake would be lost, and with it the decision how this payer pays.
 */
export function payersTakenOff(before: Division, after: Pick<Division, 'payers'>, caller: number): PayerId[] {
  if (before.stakes.length === 0) return []
  return before.payers.filter(
    (payer) => payer.orgUserId !== caller && !after.payers.some((one) => samePayer(one, payer)),
  )
}

/** Returns whether two sets of stakes are the same, in any order. */
export function sameStakes(one: readonly Stake[], other: readonly Stake[]): boolean {
  const keys = (stakes: readonly Stake[]) => stakes.map(keyOf).sort().join()
  return keys(one) === keys(other)
}

function keyOf(stake: Stake): string {
  const { orgUserId, guestId, kind } = stake
  const figures = kind === 'readings' ? [stake.hobbsOut, stake.hobbsIn, stake.tachOut, stake.tachIn] : []
  return JSON.stringify([orgUserId, guestId, kind, kind === 'percentage' ? stake.percentageBps : figures])
}

function partsOf(division: Division, payer: PayerId): Parts {
  const { payers, stakes, settings } = division
  const stakeOf = (one: PayerId) => stakes.find((stake) => samePayer(stake, one))
  const own = stakeOf(payer)
  if (own?.kind === 'waived') return { aircraft: 0, instruction: 0 }
  const explicit = stakes.find(({ kind }) => kind !== 'waived')
  if (explicit?.kind === 'percentage') {
    const part = own?.kind === 'percentage' ? own.percentageBps / 10_000 : 0
    return { aircraft: part, instruction: part }
  }
  if (explicit?.kind === 'readings') {
    const hours = hoursOf(division)
    const total = payers.reduce((sum, one) => sum + hours(stakeOf(one)), 0)
    const evenly = own ? 1 / payers.filter((one) => stakeOf(one)?.kind === 'readings').length : 0
    const part = total > 0 ? hours(own) / total : evenly
    return { aircraft: part, instruction: part }
  }
  const carriers = payers.filter((one) => stakeOf(one)?.kind !== 'waived')
  const by = (rule: 'one_payer' | 'split_evenly') => {
    if (rule === 'split_evenly') return 1 / carriers.length
    return carriers[0] && samePayer(carriers[0], payer) ? 1 : 0
  }
  return { aircraft: by(settings.chargeRules.aircraft), instruction: by(settings.chargeRules.instruction) }
}

/**
 * Returns a function that gives the hours of a stake: by the meter that bills the flight, or by the other meter when a stake lacks
 * readings of the first one; 0 without readings.
 */
function hoursOf({ stakes, resource }: Division): (stake: Stake | undefined) => number {
  const readings = stakes.filter((stake) => stake.kind === 'readings')
  const billing = billingMeter({ resource })
  const other = billing === 'hobbs' ? 'tach' : 'hobbs'
  const meter = readings.every((stake) => runOf(stake, billing) !== null) ? billing : other
  return (stake) => (stake?.kind === 'readings' ? (runOf(stake, meter) ?? 0) : 0)
}
