import { describe, expect, test } from 'vitest'
import {
  categoryLabel,
  refuseCancellation,
  reminderDoneAt,
} from '../../../src/shared/scheduling/reservations/reservation.rules.ts'
import { at } from './booking-facts.ts'

const start = at('2026-11-23T10:00:00Z')
const asked = {
  start,
  now: at('2026-11-22T10:00:00Z'),
  category: 'weather',
  deskStaff: false,
  settings: { cancellationNoticeHours: 24, cancellationCategories: ['weather', 'no_show'] },
}
const noticeOf = (hours: number) => ({ settings: { ...asked.settings, cancellationNoticeHours: hours } })

describe('a cancellation (§Reservation lifecycle, DELETE)', () => {
  test.each([
    ['with exactly the notice', {}, null],
    [
      'a moment too late',
      { now: at('2026-11-22T10:00:00.001Z') },
      'It is too late to cancel: this must be done 24 hours before the start. Please call the desk.',
    ],
    [
      'an hour’s notice missed',
      { ...noticeOf(1), now: at('2026-11-23T09:30:00Z') },
      'It is too late to cancel: this must be done 1 hour before the start. Please call the desk.',
    ],
    ['too late, by the desk', { now: at('2026-11-23T09:59:00Z'), deskStaff: true }, null],
    ['after the start where no notice is asked', { ...noticeOf(0), now: at('2026-11-24T00:00:00Z') }, null],
    [
      'after the start where notice is asked',
      { now: at('2026-11-24T00:00:00Z') },
      'It is too late to cancel: this must be done 24 hours before the start. Please call the desk.',
    ],
    [
      'whatever the notice, a day after somebody agreed in their name and 2 hours before the start',
      { ...noticeOf(168), now: at('2026-11-23T08:00:00Z'), givenAt: at('2026-11-22T08:00:00Z') },
      null,
    ],
    [
      'a moment later than a day after that',
      { ...noticeOf(168), now: at('2026-11-22T10:00:00.001Z'), givenAt: at('2026-11-21T10:00:00Z') },
      'It is too late to cancel: this must be done 168 hours before the start. Please call the desk.',
    ],
    [
      'a moment later than 2 hours before the start',
      { ...noticeOf(168), now: at('2026-11-23T08:00:00.001Z'), givenAt: at('2026-11-23T07:00:00Z') },
      'It is too late to cancel: this must be done 168 hours before the start. Please call the desk.',
    ],
    ['in a category that is not on the list', { category: 'boredom' }, 'category: must be one of weather, no_show'],
    [
      'in such a category, by the desk',
      { category: 'boredom', deskStaff: true },
      'category: must be one of weather, no_show',
    ],
  ])('is checked: %s', (_what, over, message) => {
    expect(refuseCancellation({ ...asked, ...over })).toEqual(message && { status: 400, message })
  })

  test.each([
    ['weather', 'Weather'],
    ['no_show', 'No show'],
    ['crew_rest_2', 'Crew rest 2'],
    ['_', ''],
  ])('of category %s is labelled %s', (key, label) => {
    expect(categoryLabel(key)).toBe(label)
  })
})

describe('the reminder of a booking', () => {
  test.each([
    ['a booking further ahead than the hours', '2026-11-22T09:59:59Z', 24, null],
    ['one at the hours', '2026-11-22T10:00:00Z', 24, start],
    ['one within them', '2026-11-23T09:00:00Z', 24, start],
    ['one in the past', '2026-11-24T00:00:00Z', 24, start],
    ['no reminders, ahead', '2026-11-23T09:59:59Z', 0, null],
  ])('is done already or not: %s', (_what, now, hours, expected) => {
    expect(reminderDoneAt(at(now), start, hours)).toEqual(expected)
  })
})
