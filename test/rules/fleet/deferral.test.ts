import { describe, expect, test } from 'vitest'
import { asksForDeferred, deferralAfter, squawkHold } from '../../../src/shared/fleet/maintenance/deferral.rules.ts'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'

const squawk = { title: 'Landing light out', deferredUntil: null, deferralEnded: false }

describe('the hold of a squawk (14 CFR 91.213)', () => {
  test.each([
    ['grounding', 'open', null, 'Open squawk: Landing light out'],
    ['grounding', 'in_progress', null, 'Open squawk: Landing light out'],
    ['grounding', 'deferred', null, null],
    ['grounding', 'deferred', '2026-06-02', null],
    ['grounding', 'deferred', '2026-06-01', 'Deferred until 2026-06-01: Landing light out'],
    ['grounding', 'resolved', null, null],
    ['observation', 'open', null, null],
    ['observation', 'in_progress', null, null],
    ['observation', 'deferred', '2026-06-01', 'Deferred until 2026-06-01: Landing light out'],
    ['observation', 'deferred', null, null],
  ] as const)('of severity %s, %s until %s, on 2026-06-02: %s', (severity, status, deferredUntil, hold) => {
    expect(squawkHold({ ...squawk, severity, status, deferredUntil }, '2026-06-02')).toBe(hold)
  })
})

test.each([
  ['deferred', 'Deferred, and not inspected: Landing light out'],
  ['resolved', null],
  ['open', null],
] as const)('a deferral that an inspection passed over holds while it is %s (14 CFR 91.405(c))', (status, hold) => {
  const passedOver = { ...squawk, severity: 'observation', status, deferredUntil: null, deferralEnded: true } as const
  expect(squawkHold(passedOver, '2026-06-02')).toBe(hold)
})

describe('an item with which deferred squawks are inspected (14 CFR 91.405(c))', () => {
  const none = { intervalMonths: null, intervalDays: null, interval: null }
  const annual = { grounding: true, scope: 'all', limits: [{ ...none, intervalMonths: 12 }] } as const
  test.each([
    ['the annual', annual, true],
    [
      'the 100-hour',
      { ...annual, scope: 'for_hire_or_instruction', limits: [{ ...none, interval: hundredths(10_000) }] },
      true,
    ],
    ['the altimeter test', { ...annual, scope: 'ifr' }, false],
    ['an oil change that holds nothing', { ...annual, grounding: false }, false],
    ['a registration, which ends once', { ...annual, limits: [none] }, false],
  ] as const)('%s', (_what, item, asks) => {
    expect(asksForDeferred(item)).toBe(asks)
  })
})

describe('what is kept of a deferral', () => {
  const stored = {
    deferredUntil: '2026-07-01',
    deferralReference: '91.213(d)(2)',
    placarded: true,
    excludedOperations: ['night'],
  } as const

  test('stays while it is deferred, but for what changes', () => {
    expect(deferralAfter(stored, 'deferred', {})).toEqual(stored)
    expect(deferralAfter(stored, 'deferred', { deferredUntil: '2026-08-01' })).toEqual({
      ...stored,
      deferredUntil: '2026-08-01',
    })
  })

  test('goes with the deferral', () => {
    const none = { deferredUntil: null, deferralReference: null, placarded: false, excludedOperations: [] }
    expect(deferralAfter(stored, 'open', {})).toEqual(none)
    expect(deferralAfter(stored, 'in_progress', {})).toEqual(none)
  })
})
