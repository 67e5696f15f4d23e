import { describe, expect, test } from 'vitest'
import {
  notificationsOf,
  notifiedKinds,
} from '../../../src/shared/communication/notifications/notified-events.rules.ts'
import { eventKinds } from '../../../src/shared/platform/contracts/event-kinds.ts'

describe('what members are told when something happens (§Notifications)', () => {
  test.each([
    ['a booking', { kind: 'reservation.created', after: {} }, 'reservation_created'],
    ['the first of a series', { kind: 'reservation.created', after: null }, 'reservation_created'],
    ['a later one of a series', { kind: 'reservation.created', after: { partOf: 7 } }, null],
    ['a cancellation', { kind: 'reservation.cancelled', after: { category: 'weather' } }, 'reservation_cancelled'],
    ['a later one of several cancellations', { kind: 'reservation.cancelled', after: { partOf: 7 } }, null],
    ['a ramp-in', { kind: 'reservation.ramped_in', after: { hobbsIn: 12_340 } }, 'review_needed'],
    ['a correction, which deletes the signatures', { kind: 'reservation.corrected', after: {} }, 'review_needed'],
    [
      'a correction after which the signatures stand',
      { kind: 'reservation.corrected', after: { kept: true } },
      'flight_corrected',
    ],
    ['a request that the desk cancels', { kind: 'booking_request.cancelled', after: null }, 'booking_request_declined'],
    ['a payment', { kind: 'invoice.paid', after: { settlement: 'processor' } }, 'invoice_paid'],
    ['an invoice that is paid as it is raised', { kind: 'invoice.paid', after: { raisedPaid: true } }, null],
    ['a ramp-out', { kind: 'reservation.ramped_out', after: { hobbsOut: 12_300 } }, null],
    [
      'a ramp-out of a grounded aircraft',
      { kind: 'reservation.ramped_out', after: { grounded: true } },
      'left_grounded',
    ],
    ['a signature', { kind: 'reservation.confirmed', after: { side: 'students' } }, null],
    [
      'a signature for somebody else',
      { kind: 'reservation.confirmed', after: { side: 'students', onBehalfOf: 7 } },
      'confirmed_on_behalf',
    ],
    ['a dispute that opens', { kind: 'invoice.disputed', after: { status: 'open' } }, 'invoice_disputed'],
    ['a dispute that is lost', { kind: 'invoice.disputed', after: { status: 'lost' } }, 'dispute_lost'],
    ['a dispute that is won', { kind: 'invoice.disputed', after: { status: 'won' } }, null],
    ['a new role', { kind: 'member.roles_changed', after: { roles: ['admin'] } }, null],
  ] as const)('%s', (_name, event, kind) => {
    expect(notificationsOf(event)).toEqual(kind === null ? [] : [kind])
  })

  test('goes to the endorsed member and to the instructor in whose name it is, for an endorsement', () => {
    const event = { kind: 'endorsement.issued', after: { orgUserId: 7 } } as const
    expect(notificationsOf(event)).toEqual(['endorsement_issued', 'endorsement_to_confirm'])
  })

  test('comes from kinds that the event log knows', () => {
    expect(notifiedKinds.filter((kind) => !(kind in eventKinds))).toEqual([])
  })
})
