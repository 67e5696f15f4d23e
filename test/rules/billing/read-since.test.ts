import { describe, expect, test } from 'vitest'
import { readSince } from '../../../src/shared/billing/payments/receive-lost-events.ts'

const NOW = new Date('2026-11-25T12:00:00Z')

describe('since when the events of an account are read (decision 32)', () => {
  test.each([
    ['never read: for as long as the processor lists them', null, '2026-10-26T12:00:00Z'],
    ['read six hours ago: an hour of that again', '2026-11-25T06:00:00Z', '2026-11-25T05:00:00Z'],
    ['read a week ago', '2026-11-18T12:00:00Z', '2026-11-18T11:00:00Z'],
    ['read 30 days ago: no further back', '2026-10-26T12:00:00Z', '2026-10-26T12:00:00Z'],
    ['read a year ago', '2025-11-25T12:00:00Z', '2026-10-26T12:00:00Z'],
    ['read by a clock that was ahead', '2026-11-25T12:30:00Z', '2026-11-25T11:30:00Z'],
  ])('%s', (_name, readUntil, since) => {
    expect(readSince(readUntil === null ? null : new Date(readUntil), NOW)).toEqual(new Date(since))
  })
})
