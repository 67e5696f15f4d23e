import type Stripe from 'stripe'
import { type Endpoint, endpoint } from './endpoint.ts'
import { PAGE, page, within } from './lists.ts'
import { expand, text, timeRange } from './params.ts'
import { type Book, newId, type WireEvent } from './store.ts'
import { noSuch } from './stripe-fault.ts'

/** The number of events kept per account. */
const KEPT = 5000

export const eventEndpoints: Endpoint[] = [
  endpoint('GET', '/v1/events', { ...PAGE, type: text(), created: timeRange, expand: expand() }, (scope, asked) => {
    const events = [...scope.book.events.values()].filter(
      ({ type, created }) => (asked.type === undefined || type === asked.type) && within(asked.created, created),
    )
    return page('/v1/events', events, asked)
  }),

  endpoint('GET', '/v1/events/:id', { expand: expand() }, (scope, _asked, id) => {
    const event = scope.book.events.get(id)
    if (!event) throw noSuch('event', id, 'id')
    return event
  }),
]

interface Cause {
  account: string | null
  apiVersion: string
  now: number
  request: Stripe.Event.Request | null
}

/** Stores an event with the object's current state. */
export function recordEvent(book: Book, type: Stripe.Event.Type, object: object, cause: Cause): WireEvent {
  const event: WireEvent = {
    id: newId('evt'),
    object: 'event',
    ...(cause.account === null ? {} : { account: cause.account }),
    api_version: cause.apiVersion,
    created: cause.now,
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 0,
    request: cause.request,
    type,
  }
  book.events.set(event.id, event)
  const [oldest] = book.events.keys()
  if (oldest !== undefined && book.events.size > KEPT) book.events.delete(oldest)
  return event
}
