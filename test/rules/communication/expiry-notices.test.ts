import { describe, expect, test } from 'vitest'
import { noticeDue } from '../../../src/shared/communication/notifications/expiry-notices.rules.ts'

describe('the notice of an end on January 31 at noon (§Notifications)', () => {
  const endsAt = new Date('2027-01-31T12:00:00Z')

  test.each([
    ['2027-01-01T11:59:59.999Z', null],
    ['2027-01-01T12:00:00Z', 30],
    ['2027-01-17T11:59:59.999Z', 30],
    ['2027-01-17T12:00:00Z', 14],
    ['2027-01-28T11:59:59.999Z', 14],
    ['2027-01-28T12:00:00Z', 3],
    ['2027-01-31T11:59:59.999Z', 3],
    ['2027-01-31T12:00:00Z', null],
    ['2027-02-02T12:00:00Z', null],
  ])('that is due at %s is the one of %s days', (now, days) => {
    expect(noticeDue(new Date(now), endsAt)).toBe(days)
  })

  test.each([
    // how long it is good for, days left: the notice
    [90, 20, 30],
    [30, 20, null],
    [30, 14, 14],
    [14, 10, null],
    [14, 3, 3],
    [3, 1, null],
  ])('of what is good for %i days, %i days before it, is the one of %s', (validDays, left, days) => {
    expect(noticeDue(new Date(endsAt.getTime() - left * 86_400_000), endsAt, validDays)).toBe(days)
  })
})
