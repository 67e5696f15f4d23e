import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { monthEndAfter, monthStartBefore } from '../../../src/shared/platform/kernel/zones.ts'
import type { RenewingCheck } from '../../../src/shared/qualification/currencies/recency.types.ts'
import {
  flightReviewRecency,
  instructorRecency,
  renewedInstructorEnd,
} from '../../../src/shared/qualification/currencies/review.rules.ts'

const done = (day: string, kind: RenewingCheck['kind'] = 'record'): RenewingCheck => ({
  kind,
  id: 3,
  at: new Date(`${day}T18:00:00Z`),
  day,
})

describe('calendar months (14 CFR 61.1)', () => {
  test.for([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2025-12-01', 24, '2027-12-31'],
    ['2026-08-15', 6, '2027-02-28'],
  ] as const)('%s and %i end with %s', ([day, months, end]) => {
    expect(monthEndAfter(day, months)).toBe(end)
  })

  test('end with the last of the days whose month is that many after', () => {
    const from = Date.UTC(2020, 0, 1)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 60 }), (offset, months) => {
        const day = (days: number) => new Date(from + days * 86_400_000)
        const count = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
        let last = offset
        while (count(day(last + 1)) - count(day(offset)) <= months) last++
        const start = day(offset).toISOString().slice(0, 10)
        expect(monthEndAfter(start, months)).toBe(day(last).toISOString().slice(0, 10))
        expect(monthStartBefore(monthEndAfter(start, months), months)).toBe(`${start.slice(0, 8)}01`)
      }),
      { numRuns: 50 },
    )
  })
})

describe('the flight review (14 CFR 61.56)', () => {
  test.for([
    ['a review', [done('2024-05-10')], '2026-05-31'],
    ['a practical test passed after it', [done('2024-05-10'), done('2025-02-03', 'test')], '2027-02-28'],
    ['an endorsement before it', [done('2024-05-10'), done('2023-02-03', 'endorsement')], '2026-05-31'],
    ['nothing', [], null],
  ] as const)('counts %s', ([_what, checks, validUntil]) => {
    expect(flightReviewRecency(checks, null)).toMatchObject({
      validUntil,
      needs: [{ action: 'review', count: null, by: validUntil }],
    })
  })

  test('is not asked of a student pilot while a solo endorsement is valid', () => {
    const solo = { id: 9, at: new Date('2026-04-02T18:00:00Z'), validUntil: '2026-07-01' }
    expect(flightReviewRecency([], solo)).toMatchObject({
      validUntil: '2026-07-01',
      evidence: [{ kind: 'endorsement', id: 9 }],
    })
    expect(flightReviewRecency([done('2025-04-02')], solo)).toMatchObject({
      validUntil: '2027-04-30',
      evidence: [{ kind: 'record', id: 3 }],
    })
  })
})

describe('the instructor certificate (14 CFR 61.197)', () => {
  test.for([
    ['2027-03-31', '2026-12-05', '2029-03-31'],
    ['2027-03-31', '2026-12-01', '2029-03-31'],
    ['2027-03-31', '2027-03-31', '2029-03-31'],
    ['2027-03-31', '2026-11-30', '2028-11-30'],
    ['2027-03-31', '2026-11-20', '2028-11-30'],
    ['2027-03-31', '2027-04-01', '2029-04-30'],
    [null, '2026-11-20', '2028-11-30'],
  ] as const)('to %s, renewed on %s, runs to %s', ([end, completed, renewed]) => {
    expect(renewedInstructorEnd(end, completed)).toBe(renewed)
  })

  test.for([
    ['the profile alone', '2027-03-31', null, '2027-03-31'],
    ['a renewal alone', null, '2028-11-30', '2028-11-30'],
    ['a renewal of the end that the profile names', '2027-03-31', null, '2029-03-31', '2026-12-05'],
    ['the new end in the profile too', '2029-03-31', '2029-03-31', '2029-03-31', '2026-12-05'],
    ['neither', null, null, null],
  ] as const)('is good by %s', ([_what, profileEnd, recordEnd, validUntil, completed]) => {
    const day = completed ?? (recordEnd ? '2026-11-20' : null)
    const record = day && { ...done(day), validUntil: recordEnd }
    expect(instructorRecency({ profileEnd, record: record || null }).validUntil).toBe(validUntil)
  })
})
