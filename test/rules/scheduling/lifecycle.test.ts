import { describe, expect, test } from 'vitest'
import {
  type LifecycleFacts,
  type ReservationStatus,
  refusalOf,
  statusOf,
  type Trigger,
  transitions,
} from '../../../src/shared/scheduling/reservations/lifecycle.states.ts'

const then = new Date('2026-06-02T14:00:00Z')
const booked: LifecycleFacts = {
  cancelledAt: null,
  rampedOutAt: null,
  rampedInAt: null,
  briefed: false,
  signedOffAt: null,
  billed: false,
}
const out = { ...booked, rampedOutAt: then }
const back = { ...out, rampedInAt: then }
const signed = { ...back, signedOffAt: then }

const facts: Record<ReservationStatus, LifecycleFacts> = {
  booked,
  ramped_out: out,
  ramped_in: back,
  signed_off: signed,
  invoiced: { ...signed, billed: true },
  cancelled: { ...booked, cancelledAt: then },
}
const statuses = Object.keys(facts) as ReservationStatus[]

describe('the status of a booking (§Reservation lifecycle)', () => {
  test.each(statuses)('is %s once the facts of that state are there', (status) => {
    expect(statusOf(facts[status])).toBe(status)
  })

  test('of a lesson measured by briefing is ramped in once the briefing is held', () => {
    expect(statusOf({ ...booked, briefed: true })).toBe('ramped_in')
    expect(statusOf({ ...booked, briefed: true, signedOffAt: then })).toBe('signed_off')
  })

  test('of a prepaid booking is not invoiced before the booking is signed off', () => {
    expect(statusOf({ ...booked, billed: true })).toBe('booked')
    expect(statusOf({ ...back, billed: true })).toBe('ramped_in')
  })
})

describe('the answer to a trigger (§Reservation lifecycle)', () => {
  // booked, ramped_out, ramped_in, signed_off, invoiced, cancelled
  test.each<[Trigger, (number | string)[]]>([
    [
      'change',
      [
        200,
        'RESERVATION_RAMPED_OUT',
        'RESERVATION_RAMPED_OUT',
        'RESERVATION_RAMPED_OUT',
        'RESERVATION_RAMPED_OUT',
        400,
      ],
    ],
    ['changeText', [200, 200, 200, 200, 200, 400]],
    [
      'cancel',
      [
        200,
        'RESERVATION_RAMPED_OUT',
        'RESERVATION_RAMPED_OUT',
        'RESERVATION_RAMPED_OUT',
        'RESERVATION_RAMPED_OUT',
        400,
      ],
    ],
    ['rampOut', [200, 400, 400, 400, 400, 400]],
    ['rampIn', [400, 200, 400, 400, 400, 400]],
    ['changeReturn', [400, 200, 'NOT_PENDING', 'NOT_PENDING', 'NOT_PENDING', 400]],
    ['confirmReview', [400, 400, 200, 'NOT_PENDING', 'NOT_PENDING', 400]],
    ['updateReviewTimes', [400, 400, 200, 200, 'RESERVATION_BILLED', 400]],
    ['correct', ['NOT_PENDING', 'NOT_PENDING', 'NOT_PENDING', 'NOT_PENDING', 200, 400]],
    ['reopen', [400, 400, 400, 200, 'RESERVATION_BILLED', 400]],
    ['replacePayers', [200, 200, 200, 200, 400, 400]],
    ['invoice', [400, 400, 400, 200, 200, 400]],
  ])('follows the table: %s', (trigger, expected) => {
    const answers = statuses.map((status) => {
      const refusal = refusalOf(trigger, facts[status])
      return refusal ? (refusal.code ?? refusal.status) : 200
    })
    expect(answers).toEqual(expected)
  })

  test('has a code whenever its status is 409, and only then', () => {
    for (const trigger of Object.keys(transitions) as Trigger[]) {
      for (const status of statuses) {
        const refusal = refusalOf(trigger, facts[status])
        if (refusal) expect(refusal.code !== undefined).toBe(refusal.status === 409)
      }
    }
  })

  test('refuses corrections and new payers while billing stands, before the flight is signed off too', () => {
    expect(refusalOf('updateReviewTimes', { ...back, billed: true })?.code).toBe('RESERVATION_BILLED')
    expect(refusalOf('replacePayers', { ...booked, billed: true })?.message).toMatch(/invoiced already/)
    expect(refusalOf('reopen', { ...booked, billed: true })?.message).toMatch(/not signed off/)
  })
})
