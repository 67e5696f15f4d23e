import { describe, expect, test } from 'vitest'
import { eventKinds, isPublic, publicEventKinds } from '../../../src/shared/platform/contracts/event-kinds.ts'
import { networkPrefixOf } from '../../../src/shared/platform/kernel/networks.ts'

describe('the kinds of events (§Events)', () => {
  test('that webhooks are told of are the eighteen of the interface, restored bookings, invoices that ask for another amount, credits, their later refunds, and offers', () => {
    expect(publicEventKinds).toEqual([
      'reservation.created',
      'reservation.changed',
      'reservation.cancelled',
      'reservation.restored',
      'reservation.ramped_out',
      'reservation.ramped_in',
      'reservation.signed_off',
      'invoice.raised',
      'invoice.reissued',
      'invoice.paid',
      'invoice.voided',
      'invoice.credited',
      'invoice.credit_refunded',
      'booking_request.submitted',
      'booking_request.approved',
      'booking_request.declined',
      'offer.made',
      'offer.accepted',
      'offer.declined',
      'offer.expired',
      'offer.withdrawn',
      'training_record.signed',
      'enrollment.graduated',
      'resource.grounded',
      'resource.returned',
      'squawk.opened',
      'squawk.resolved',
    ])
    expect(isPublic('session.refused')).toBe(false)
  })

  test('list no key for a secret, an address, a note, a profile field or a medical detail', () => {
    const keys = Object.values(eventKinds).flatMap((kind) => [...kind.keys])
    const never =
      /password|secret|token|hash(?!undredths)|e?mail|phone|address|link|note|remark|description|birth|citizen|weight|certificate|medical|contact|reason/i
    expect(keys.filter((key) => never.test(key))).toEqual([])
  })
})

describe('the address in an event', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:12:34::5', '2001:db8:12::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
  ])('of %s is %s', (address, prefix) => {
    expect(networkPrefixOf(address)).toBe(prefix)
  })
})
