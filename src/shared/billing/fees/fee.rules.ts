import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { freeCategories } from '../../platform/authz/rule-settings.ts'
import { multiplyShare } from '../../platform/kernel/money.ts'
import { type Cents, cents, ZERO } from '../../platform/kernel/units.ts'
import type { BookingParts, FeeTier, ReservationColumns } from '../../scheduling/reservations/booking-parts.types.ts'
import { estimateOf } from '../../scheduling/rules/balance.rules.ts'
import type { SettingsFacts } from '../../scheduling/rules/booking-facts.types.ts'

/** What a late cancellation costs, as the organization sets it: an amount, or a share of the expected cost. */
export interface FeeRule {
  underHours: number
  /** Absent: every category that may cost. */
  categories?: readonly string[] | undefined
  /** Absent: every type. */
  types?: readonly ReservationType[] | undefined
  /** `flat`: `cents`; `share`: `bps` of the expected cost. */
  kind: 'flat' | 'share'
  cents?: Cents | undefined
  bps?: number | undefined
}

export interface FeeSettings {
  cancellationFees: readonly FeeRule[]
  feeMaxCents: Cents
}

/** Until when a booking can be cancelled without a fee, and what it costs afterwards. */
export interface CancellationTerms {
  freeUntil: Date
  afterwardsCents: Cents
}

/** The terms that hold for a booking: those that it was made with, and those of today, which only lower them. */
export interface Terms {
  booked: readonly FeeTier[]
  today: readonly FeeTier[]
}

const HOUR_MS = 3_600_000
const WHOLE_BPS = 10_000
/** A smaller fee is not taken. */
const LEAST_FEE_CENTS = 50

/**
 * Returns what cancelling a booking of this type and expected cost will cost, by ascending hours; none for a booking that nobody pays
 * for. A fee is at most the expected cost and `feeMaxCents`; one below 50 cents is 0.
 * Implements interface §Cancellation fees.
 */
export function feeTiersOf(
  { cancellationFees, feeMaxCents }: FeeSettings,
  { type, estimatedCents }: { type: ReservationType; estimatedCents: Cents },
): FeeTier[] {
  if (typeRules[type].pays === null) return []
  return cancellationFees
    .filter(({ types }) => types?.includes(type) ?? true)
    .map((rule) => {
      const asked = rule.cents ?? multiplyShare(estimatedCents, rule.bps ?? 0, WHOLE_BPS)
      const most = Math.min(asked, estimatedCents, feeMaxCents)
      const afterwardsCents = most < LEAST_FEE_CENTS ? ZERO : cents(most)
      return { underHours: rule.underHours, afterwardsCents, categories: rule.categories ? [...rule.categories] : null }
    })
    .sort((a, b) => a.underHours - b.underHours)
}

/**
 * Returns what a cancellation of a category costs at this notice, in milliseconds before the start: by the first tier that fits, and no
 * more than by the terms of today.
 */
export function feeAt({ booked, today }: Terms, { noticeMs, category }: { noticeMs: number; category: string }): Cents {
  if (freeCategories.includes(category)) return ZERO
  const by = (tiers: readonly FeeTier[]) =>
    holding(tiers, noticeMs).find(({ categories }) => categories?.includes(category) ?? true)?.afterwardsCents ?? ZERO
  return cents(Math.min(by(booked), by(today)))
}

/** Returns whether a cancellation at this notice can cost anything. */
export function isInsideFees({ booked, today }: Terms, noticeMs: number): boolean {
  return holding(booked, noticeMs).length > 0 && holding(today, noticeMs).length > 0
}

/**
 * Returns the terms of a booking as its people read them at `now`: until when it is free, and the most that cancelling costs then, or costs
 * now when that time has passed. Null when no cancellation costs anything.
 */
export function cancellationTermsOf({ booked, today }: Terms, { start, now }: { start: Date; now: Date }) {
  const widest = Math.min(booked.at(-1)?.underHours ?? 0, today.at(-1)?.underHours ?? 0)
  if (![booked, today].every((tiers) => tiers.some(({ afterwardsCents }) => afterwardsCents > 0))) return null
  const freeUntil = new Date(start.getTime() - widest * HOUR_MS)
  // Just after it is no longer free, or now.
  const noticeMs = start.getTime() - Math.max(now.getTime(), freeUntil.getTime() + 1)
  const most = (tiers: readonly FeeTier[]) => mostOf(holding(tiers, noticeMs))
  return { freeUntil, afterwardsCents: cents(Math.min(most(booked), most(today))) } satisfies CancellationTerms
}

/** The parts of a booking by which its terms hold. */
export type BookedOnTerms = Pick<
  ReservationColumns,
  'type' | 'starts_at' | 'ends_at' | 'collection_style' | 'prepaid_amount_cents' | 'cancellation_terms' | 'notice_start'
> &
  Pick<BookingParts, 'resource' | 'seats'>

/** Returns the terms of a booking; null when its cancellation costs nothing. */
export function termsOf(
  row: BookedOnTerms,
  settings: FeeSettings & Pick<SettingsFacts, 'aircraftRateKind'>,
): Terms | null {
  const { cancellation_terms: booked, type } = row
  if (booked === null || booked.length === 0) return null
  const estimatedCents = booked[0]?.estimatedCents ?? expectedCostOf(row, settings)
  return { booked, today: feeTiersOf(settings, { type, estimatedCents }) }
}

function expectedCostOf(row: BookedOnTerms, settings: Parameters<typeof termsOf>[1]): Cents {
  const { type, collection_style: style, resource } = row
  if (style === 'prepaid_fixed') return row.prepaid_amount_cents ?? ZERO
  const priced = {
    booking: { type, start: row.starts_at, end: row.ends_at },
    seats: row.seats.map(({ side, rates }) => ({ side, member: rates && { rates } })),
    resource: resource && { rates: { wet: resource.wetRate, dry: resource.dryRate } },
    settings,
  }
  return estimateOf(priced)
}

/** Returns the start from which the notice of a booking counts: its own, or the earlier one from which its payer moved it late. */
export function noticeStartOf({ starts_at: start, notice_start: earlier }: BookedOnTerms): Date {
  return earlier !== null && earlier < start ? earlier : start
}

/** A move of a booking by its payer. */
export interface PayersMove {
  now: Date
  /** Its expected cost at the new place. */
  estimatedCents: Cents
  /** Whether it accepts an offer of the waiting list, which keeps the terms. */
  isOffered: boolean
}

/**
 * Returns the terms of a booking after a move by its payer. A late move keeps the terms and counts the notice from the start that it had, so
 * that nobody moves a booking away, or makes it short or cheap, to cancel it there; an earlier one gives it the terms of today.
 */
export function termsAfterMove(
  row: BookedOnTerms,
  settings: Parameters<typeof termsOf>[1],
  { now, estimatedCents, isOffered }: PayersMove,
): { cancellationTerms: FeeTier[] | null; noticeStart: Date | null } {
  const { type, cancellation_terms: booked, notice_start: earlier } = row
  const terms = termsOf(row, settings)
  const noticeStart = noticeStartOf(row)
  if (terms && isInsideFees(terms, noticeStart.getTime() - now.getTime())) {
    const kept = expectedCostOf(row, settings)
    return { cancellationTerms: terms.booked.map((tier) => ({ estimatedCents: kept, ...tier })), noticeStart }
  }
  if (isOffered) return { cancellationTerms: booked, noticeStart: earlier }
  return { cancellationTerms: feeTiersOf(settings, { type, estimatedCents }), noticeStart: null }
}

/** Returns the tiers that hold at a notice, the smallest hours first. */
function holding(tiers: readonly FeeTier[], noticeMs: number): FeeTier[] {
  return tiers.filter(({ underHours }) => noticeMs < underHours * HOUR_MS)
}

/** Returns the most that any category costs: no tier counts that stands behind one for all categories. */
function mostOf(tiers: readonly FeeTier[]): number {
  const end = tiers.findIndex(({ categories }) => categories === null)
  const counting = end === -1 ? tiers : tiers.slice(0, end + 1)
  return Math.max(0, ...counting.map(({ afterwardsCents }) => afterwardsCents))
}
