import { describe, expect, test } from 'vitest'
import { boardOf, minutesLate } from '../../../src/shared/dispatch/board.rules.ts'
import { at } from '../scheduling/booking-facts.ts'

const now = at('2026-06-02T14:00:00Z')

/** A booking from one time of the day to another: out, with its expected return, or not. */
function row(start: string, end: string, expected: string | null = null, isOut = expected !== null) {
  const of = (time: string) => at(`2026-06-02T${time}:00Z`)
  return {
    starts_at: of(start),
    ends_at: of(end),
    ramped_out_at: isOut ? of(start) : null,
    expected_back_at: expected === null ? null : of(expected),
  }
}

const inTime = row('13:00', '15:00', '14:00')
const late = row('11:00', '13:00', '13:35')
const veryLate = row('09:00', '11:00', null, true)
const due = row('13:59', '15:00')
const next = row('14:00', '15:00')
const last = row('18:00', '19:00')
const beyond = row('18:01', '19:00')

describe('the board of the desk (§Dispatch)', () => {
  test('lists who is out by their return, the late of them, who is due, and who is next within four hours', () => {
    expect(boardOf([veryLate, late, inTime, due, next, last, beyond], now)).toEqual({
      out: [veryLate, late, inTime],
      late: [veryLate, late],
      due: [due],
      next: [next, last],
    })
  })

  test.each([
    ['out and in time', inTime, 0],
    ['out and late', late, 25],
    ['out since before returns were told, by its booked end', veryLate, 180],
    ['due', due, 1],
    ['next', next, 0],
  ])('tells the minutes late: %s', (_name, given, expected) => {
    expect(minutesLate(given, now)).toBe(expected)
  })
})
