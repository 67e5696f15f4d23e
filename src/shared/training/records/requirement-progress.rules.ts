import { endOfMonthAfter } from '../../platform/kernel/zones.ts'
import type { Clock } from '../courses/syllabus.rules.ts'
import type { CreditSource, RequirementMeasure } from './credit.rules.ts'

/** A requirement as credit is held against it. Ceilings are basis points of its minimum. */
export interface RequirementTerms extends RequirementMeasure {
  maxSimulatorBps: number | null
  maxTransferBps: number | null
  recencyCalendarMonths: number | null
}

/** An entry of the ledger; `amount` is tenths of hours, or a count, and below zero where it reverses another. */
export interface CreditFact {
  id: number
  amount: number
  source: CreditSource
  clock: Clock | null
  occurredAt: Date
  reversesId: number | null
}

/** How far a requirement is reached, in its own measure; what was disallowed is told apart by why. */
export interface RequirementProgress {
  required: number
  credited: number
  disallowed: { simulator: number; transfer: number; stale: number }
  remaining: number
  met: boolean
}

const WHOLE = 10_000
/** What 14 CFR 141.77(c) lets a school credit: half from an approved course, a quarter otherwise. */
const usualTransferBps = { transfer_141: 5000, transfer_61: 2500 }

/**
 * Where a requirement stands. Reversed entries and their reversals count nothing. First falls away what happened
 * before the window (of calendar months, to the end of the last one, in the zone), then what is over the transfer
 * ceiling, then what is over the simulator ceiling, which a lesson's simulator time and simulator entries share.
 * Ceilings are whole tenths, rounded down.
 */
export function requirementProgress(
  terms: RequirementTerms,
  entries: readonly CreditFact[],
  at: { now: Date; zone: string },
): RequirementProgress {
  const required = terms.minTenths ?? terms.minCount ?? 0
  const reversed = new Set(entries.map((entry) => entry.reversesId))
  const valid = entries.filter((entry) => entry.reversesId === null && !reversed.has(entry.id))
  const fresh = valid.filter((entry) => !isStale(entry, terms.recencyCalendarMonths, at))
  const transfer = beyondTransfer(terms, required, fresh)
  const simulated = amountOf(fresh.filter(isSimulated))
  const simulator = terms.maxSimulatorBps === null ? 0 : beyond(simulated, required, terms.maxSimulatorBps)
  const credited = amountOf(fresh) - transfer - simulator
  return {
    required,
    credited,
    disallowed: { simulator, transfer, stale: amountOf(valid) - amountOf(fresh) },
    remaining: Math.max(0, required - credited),
    met: credited >= required,
  }
}

/** The most that a share of a requirement's minimum allows, rounded down. */
export function ceiling(required: number, bps: number): number {
  return Math.floor((required * bps) / WHOLE)
}

function isStale({ occurredAt }: CreditFact, months: number | null, { now, zone }: { now: Date; zone: string }) {
  return months !== null && endOfMonthAfter(occurredAt, months, zone) < now
}

function isSimulated({ source, clock }: CreditFact): boolean {
  return source === 'simulator' || (source === 'lesson' && clock === 'simulator')
}

/** One ceiling over both kinds of transfer where the requirement sets it; else each kind has the usual one. */
function beyondTransfer({ maxTransferBps }: RequirementTerms, required: number, entries: CreditFact[]): number {
  const of = (source: CreditSource) => amountOf(entries.filter((entry) => entry.source === source))
  if (maxTransferBps !== null) return beyond(of('transfer_141') + of('transfer_61'), required, maxTransferBps)
  return (['transfer_141', 'transfer_61'] as const).reduce(
    (sum, source) => sum + beyond(of(source), required, usualTransferBps[source]),
    0,
  )
}

function beyond(amount: number, required: number, bps: number): number {
  return Math.max(0, amount - ceiling(required, bps))
}

function amountOf(entries: readonly CreditFact[]): number {
  return entries.reduce((sum, entry) => sum + entry.amount, 0)
}
