import { describe, expect, test } from 'vitest'
import {
  type BookedOnTerms,
  cancellationTermsOf,
  type FeeSettings,
  feeAt,
  feeTiersOf,
  isInsideFees,
  noticeStartOf,
  termsAfterMove,
  termsOf,
} from '../../../src/shared/billing/fees/fee.rules.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { feeCases } from './fees.cases.ts'

const HOUR_MS = 3_600_000
const start = new Date('2026-11-23T10:00:00Z')
const hoursBefore = (hours: number) => new Date(start.getTime() - hours * HOUR_MS)

const flat = (underHours: number, amount: number, categories?: string[]) =>
  ({ underHours, kind: 'flat', cents: cents(amount), categories }) as const
const settingsOf = (...cancellationFees: FeeSettings['cancellationFees']) => ({
  cancellationFees,
  feeMaxCents: cents(30_000),
  aircraftRateKind: 'wet' as const,
})
const tiersOf = (settings: FeeSettings) => feeTiersOf(settings, { type: 'dual', estimatedCents: cents(30_000) })

describe('the fee of a cancellation (§29.1)', () => {
  test('there are 40 cases', () => {
    expect(feeCases).toHaveLength(40)
  })

  test.for(feeCases)(
    '$what',
    ({ fees, estimate = 30_000, most = 30_000, type = 'dual', category = 'student', notice, cost }) => {
      const settings = { cancellationFees: fees, feeMaxCents: cents(most) }
      const tiers = feeTiersOf(settings, { type, estimatedCents: cents(estimate) })
      const terms = { booked: tiers, today: tiers }
      expect(feeAt(terms, { noticeMs: notice * HOUR_MS, category })).toBe(cost)
      if (cost > 0) expect(isInsideFees(terms, notice * HOUR_MS)).toBe(true)
    },
  )

  test('is lowered by later settings, and never raised', () => {
    const [low, high] = [settingsOf(flat(24, 2_000)), settingsOf(flat(48, 8_000))].map(tiersOf) as [never, never]
    const fee = (booked: never, today: never, hours: number) =>
      feeAt({ booked, today }, { noticeMs: hours * HOUR_MS, category: 'student' })
    expect(fee(low, high, 1)).toBe(2_000)
    expect(fee(high, low, 1)).toBe(2_000)
    expect(fee(high, low, 30)).toBe(0)
    expect(feeAt({ booked: high, today: [] }, { noticeMs: HOUR_MS, category: 'student' })).toBe(0)
  })
})

describe('the terms that people read before they book (§29.1)', () => {
  const read = (now: Date, ...fees: FeeSettings['cancellationFees']) => {
    const tiers = tiersOf(settingsOf(...fees))
    return cancellationTermsOf({ booked: tiers, today: tiers }, { start, now })
  }

  test.for([
    ['long before, what it will cost first', 100, 48, 2_500],
    ['between the tiers, what it costs now', 10, 48, 5_000],
    ['at the last, what the last tier costs', 1, 48, 9_000],
    ['after the start too', -1, 48, 9_000],
  ] as const)('say %s', ([_, before, freeHours, afterwardsCents]) => {
    const terms = read(hoursBefore(before), flat(48, 2_500), flat(24, 5_000), flat(2, 9_000))
    expect(terms).toEqual({ freeUntil: hoursBefore(freeHours), afterwardsCents })
  })

  test('say the most that a category costs, and look past a tier for some categories', () => {
    const fees = [flat(24, 4_000), flat(2, 9_000, ['no_show'])]
    expect(read(hoursBefore(1), ...fees)?.afterwardsCents).toBe(9_000)
    expect(read(hoursBefore(1), flat(24, 4_000), flat(2, 1_000, ['no_show']))?.afterwardsCents).toBe(4_000)
    expect(read(hoursBefore(3), ...fees)?.afterwardsCents).toBe(4_000)
  })

  test('are null where nothing costs', () => {
    expect(read(hoursBefore(1))).toBeNull()
    const nothing = feeTiersOf(settingsOf(flat(24, 4_000)), { type: 'dual', estimatedCents: cents(10) })
    expect(cancellationTermsOf({ booked: nothing, today: nothing }, { start, now: start })).toBeNull()
  })
})

describe('a booking that its payer moves (§29.1, S104)', () => {
  const old = settingsOf(flat(24, 5_000))
  const booked = (more: Partial<BookedOnTerms> = {}): BookedOnTerms => ({
    type: 'dual',
    starts_at: start,
    ends_at: new Date(start.getTime() + 2 * HOUR_MS),
    collection_style: 'prepaid_fixed',
    prepaid_amount_cents: cents(30_000),
    cancellation_terms: tiersOf(old),
    notice_start: null,
    resource: null,
    seats: [],
    ...more,
  })
  const move = (row: BookedOnTerms, hours: number, isOffered = false) =>
    termsAfterMove(row, settingsOf(flat(12, 7_000)), {
      now: hoursBefore(hours),
      estimatedCents: cents(30_000),
      isOffered,
    })

  test('early gets the terms of today', () => {
    expect(move(booked(), 30)).toEqual({ cancellationTerms: tiersOf(settingsOf(flat(12, 7_000))), noticeStart: null })
  })

  test('late keeps its terms, and its notice counts from the start that it had', () => {
    const late = move(booked(), 3)
    const kept = tiersOf(old).map((tier) => ({ ...tier, estimatedCents: 30_000 }))
    expect(late).toEqual({ cancellationTerms: kept, noticeStart: start })
    const june = booked({ starts_at: new Date('2027-06-01T10:00:00Z'), notice_start: late.noticeStart })
    expect(noticeStartOf(june)).toEqual(start)
    const terms = termsOf(june, old)!
    expect(
      feeAt(terms, { noticeMs: noticeStartOf(june).getTime() - hoursBefore(2).getTime(), category: 'student' }),
    ).toBe(5_000)
  })

  test.for([
    ['an unchanged setting', { kind: 'share', bps: 5_000 }, 15_000],
    ['a lower setting', { kind: 'share', bps: 1_000 }, 3_000],
    ['a higher setting', { kind: 'share', bps: 9_000 }, 15_000],
  ] as const)('late to a cheaper place costs by that which was booked, with %s', ([_, rule, cost]) => {
    const shareOf = (fee: { kind: 'share'; bps: number }) => settingsOf({ underHours: 24, ...fee })
    const first = booked({ cancellation_terms: tiersOf(shareOf({ kind: 'share', bps: 5_000 })) })
    const cheap = (row: BookedOnTerms, estimate: number): BookedOnTerms => {
      const moved = { now: hoursBefore(3), estimatedCents: cents(estimate), isOffered: false }
      const { cancellationTerms, noticeStart } = termsAfterMove(row, shareOf(rule), moved)
      return booked({
        cancellation_terms: cancellationTerms,
        notice_start: noticeStart,
        prepaid_amount_cents: cents(estimate),
      })
    }
    const twice = cheap(cheap(first, 3_000), 60)
    expect(feeAt(termsOf(twice, shareOf(rule))!, { noticeMs: HOUR_MS, category: 'student' })).toBe(cost)
  })

  test('to an earlier start, counts from that', () => {
    const earlier = new Date(start.getTime() - HOUR_MS)
    expect(noticeStartOf(booked({ starts_at: earlier, notice_start: start }))).toEqual(earlier)
  })

  test('by an offer of the waiting list keeps its terms, early too', () => {
    expect(move(booked(), 30, true)).toEqual({ cancellationTerms: tiersOf(old), noticeStart: null })
  })

  test('costs nothing when it was made before there were fees', () => {
    expect(termsOf(booked({ cancellation_terms: null }), old)).toBeNull()
  })
})
