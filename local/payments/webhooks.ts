import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { WireEvent } from './store.ts'

interface WebhookOptions {
  /** The webhook's URL; null: events are not sent. */
  url: string | null
  secret: string
  /** Delays before each retry, in milliseconds. After the last retry, an undelivered event stays pending until the next start. */
  retryDelaysMs: readonly number[]
  /** Called when the delivery status of an event changes. */
  changed(): void
}

/** One attempt to deliver an event. */
export interface Delivery {
  event: string
  type: string
  attempt: number
  /** The receiver's status; null when it could not be reached. */
  status: number | null
}

/** The pause before a delivery, so that the answer to the causing request is sent first. */
const AFTER_ANSWER_MS = 20
const RECEIVER_TIMEOUT_MS = 10_000
const DELIVERIES_KEPT = 1000

/** Sends events to one endpoint. Each event is sent independently, so they can arrive in another order, as with Stripe. */
export class Webhooks {
  readonly deliveries: Delivery[] = []
  readonly #options: WebhookOptions
  readonly #closing = new AbortController()
  readonly #inHand = new Set<Promise<void>>()
  #held: WireEvent[] | null = null

  constructor(options: WebhookOptions) {
    this.#options = { ...options }
  }

  get url(): string | null {
    return this.#options.url
  }

  set url(url: string | null) {
    this.#options.url = url
  }

  /** Schedules the delivery of an event. Between `hold()` and `release()` the event waits. Does nothing without a URL. */
  send(event: WireEvent): void {
    if (this.url === null) return
    event.pending_webhooks = 1
    if (this.#held) this.#held.push(event)
    else this.#start(event)
  }

  /** Keeps new events back until `release()`. */
  hold(): void {
    this.#held ??= []
  }

  /** Sends the held events in the given order and ends the hold; resolves after one attempt per event. */
  async release(order: 'oldest_first' | 'newest_first'): Promise<void> {
    const held = this.#held ?? []
    this.#held = null
    for (const event of order === 'newest_first' ? held.toReversed() : held) {
      if (!(await this.#attempt(event, 1))) this.#start(event, 2)
    }
  }

  /** Stops; undelivered events stay pending. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#inHand)
  }

  #start(event: WireEvent, attempt = 1): void {
    const delivery = this.#deliver(event, attempt).finally(() => this.#inHand.delete(delivery))
    this.#inHand.add(delivery)
  }

  async #deliver(event: WireEvent, first: number): Promise<void> {
    const delays = [AFTER_ANSWER_MS, ...this.#options.retryDelaysMs]
    for (const [index, delay] of delays.entries()) {
      if (index < first - 1) continue
      const waited = await pause(delay, true, { signal: this.#closing.signal }).catch(() => false)
      if (!waited || (await this.#attempt(event, index + 1))) return
    }
  }

  async #attempt(event: WireEvent, attempt: number): Promise<boolean> {
    const { url, secret, changed } = this.#options
    if (url === null) return true
    const status = await post(url, secret, event, this.#closing.signal)
    this.deliveries.push({ event: event.id, type: event.type, attempt, status })
    if (this.deliveries.length > DELIVERIES_KEPT) this.deliveries.shift()
    const taken = status !== null && status >= 200 && status < 300
    if (taken) event.pending_webhooks = 0
    changed()
    return taken
  }
}

async function post(url: string, secret: string, event: WireEvent, closing: AbortSignal): Promise<number | null> {
  const body = JSON.stringify(event, null, 2)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature(body, secret) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}

/**
 * Returns the signature header. It has the system's time instead of the simulator's, because the receiver compares it
 * with its own clock.
 */
function signature(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000)
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}
