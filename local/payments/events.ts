import type Stripe from 'stripe'
import { type Endpoint, endpoint } from './endpoint.ts'
import { PAGE, page, within } from './lists.ts'
import { boolean, expand, listOfTexts, text, timeRange } from './params.ts'
import { type Book, newId, type WireEvent } from './store.ts'
import { badParameter, noSuch } from './stripe-fault.ts'

/** The most events that are kept per account. */
const KEPT = 5000

/** How long events are listed, in seconds: 30 days. */
const LISTED_SECONDS = 30 * 86_400
/** The most event types that one request for a list may name. */
const MOST_TYPES = 20

export const eventEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    '/v1/events',
    {
      ...PAGE,
      type: text(),
      types: listOfTexts(MOST_TYPES),
      delivery_success: boolean,
      created: timeRange,
      expand: expand(),
    },
    (scope, asked) => {
      if (asked.type !== undefined && asked.types !== undefined) {
        throw badParameter('You may only specify one of these parameters: type, types.', 'types')
      }
      const types = asked.types ?? (asked.type === undefined ? null : [asked.type])
      const events = [...scope.book.events.values()].filter(
        ({ type, created, pending_webhooks }) =>
          created >= scope.now - LISTED_SECONDS &&
          (types === null || types.some((name) => isOfType(type, name))) &&
          (asked.delivery_success === undefined || asked.delivery_success === (pending_webhooks === 0)) &&
          within(asked.created, created),
      )
      return page('/v1/events', events, asked)
    },
  ),

  endpoint('GET', '/v1/events/:id', { expand: expand() }, (scope, _asked, id) => {
    const event = scope.book.events.get(id)
    if (!event) throw noSuch('event', id, 'id')
    return event
  }),
]

/** Whether an event type matches the requested one; a requested type that ends with `*` matches every type with its prefix. */
function isOfType(type: string, asked: string): boolean {
  return asked.endsWith('*') ? type.startsWith(asked.slice(0, -1)) : type === asked
}

interface Cause {
  account: string | null
  apiVersion: string
  now: number
  request: Stripe.Event.Request | null
}

/** Stores an event with a copy of the object's current state. Deletes the oldest event when there are more than `KEPT`. */
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
