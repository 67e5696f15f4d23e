import { describe, expect, test } from 'vitest'
import { idOfChange } from '../../../src/shared/communication/webhooks/record-event.ts'
import { sentEvents, sentKinds } from '../../../src/shared/communication/webhooks/sent-events.rules.ts'
import type { StoredEvent } from '../../../src/shared/platform/contracts/event.types.ts'
import { type EventKind, eventKinds } from '../../../src/shared/platform/contracts/event-kinds.ts'

/** The kinds about a booking that change nothing of the payload, which is what `GET /reservations` returns less what no webhook tells. */
const unseen: EventKind[] = [
  'reservation.ramp_out_refused',
  'reservation.objected',
  'reservation.objections_closed',
  'reservation.logged',
  'reservation.offer_accepted',
  'reservation.consent_given',
]

const event = (kind: EventKind, subjectId = 7) => {
  const subjectKind = eventKinds[kind].subject
  const id = `0000000${subjectId}-0000-4000-8000-${kind.length.toString().padStart(12, '0')}`
  return { organizationId: 1, id, kind, subjectKind, subjectId, at: new Date(0), after: null } as StoredEvent
}

/** What is sent of these events, when every invoice bills booking 7. */
const sentOf = (...events: StoredEvent[]) =>
  sentEvents(events, () => 7, idOfChange).map(({ type, subject }) => `${type} ${subject}`)

describe('what webhooks send of events', () => {
  test.each<[string, StoredEvent[], string[]]>([
    ['a public event, as it is', [event('squawk.opened')], ['squawk.opened squawk:7']],
    [
      'a signature, as a change of the booking',
      [event('reservation.confirmed')],
      ['reservation.changed reservation:7'],
    ],
    ['a reopened close-out', [event('reservation.reopened')], ['reservation.changed reservation:7']],
    [
      'a signature that signs off, once',
      [event('reservation.confirmed'), event('reservation.signed_off')],
      ['reservation.signed_off reservation:7'],
    ],
    [
      'two changes of one booking, once',
      [event('reservation.corrected'), event('reservation.payers_changed')],
      ['reservation.changed reservation:7'],
    ],
    [
      'an invoice, for itself and for the booking that it bills',
      [event('invoice.raised', 3)],
      ['invoice.raised invoice:3', 'reservation.changed reservation:7'],
    ],
    [
      'a part that is paid, for the booking',
      [event('invoice.payment_recorded', 3)],
      ['reservation.changed reservation:7'],
    ],
    ['a charge on the ledger', [event('ledger.posted', 4)], ['reservation.changed reservation:7']],
    ['a flight log', [event('reservation.logged')], []],
    ['an objection to a correction', [event('reservation.objected'), event('reservation.objections_closed')], []],
  ])('%s', (_what, events, sent) => {
    expect(sentOf(...events)).toEqual(sent)
  })

  test('an invoice that bills no booking is sent for itself only', () => {
    expect(sentEvents([event('invoice.paid')], () => undefined, idOfChange)).toMatchObject([{ type: 'invoice.paid' }])
  })

  test('the change that follows from an invoice has an id of its own, the same each time', () => {
    const [raised, changed] = sentEvents([event('invoice.raised')], () => 7, idOfChange)
    const [, again] = sentEvents([event('invoice.raised')], () => 7, idOfChange)
    expect(changed?.id).not.toBe(raised?.id)
    expect(changed?.id).toBe(again?.id)
    expect(changed?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('every kind about a booking is sent, so that webhooks keep a copy of the bookings', () => {
    const about = (Object.keys(eventKinds) as EventKind[]).filter((kind) => kind.startsWith('reservation.'))
    expect(about.filter((kind) => !sentKinds.includes(kind))).toEqual(unseen)
  })
})
