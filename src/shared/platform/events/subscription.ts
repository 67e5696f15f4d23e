import type { Tx } from '../db/transaction.ts'
import type { StoredEvent } from './event.table.ts'
import type { EventKind } from './event-kinds.ts'

/** A subscriber of events. */
export interface Subscription {
  kinds: readonly EventKind[]
  /**
   * Reacts to events of these kinds, those of one subject in their order. It runs in the transaction that marks them as
   * told: what it writes and enqueues exists once. It calls no other service; what leaves the service is a job of its own.
   */
  tell(tx: Tx, events: readonly StoredEvent[]): Promise<void>
}

/** Returns the kinds with a subscriber. */
export function subscribedKinds(subscriptions: readonly Subscription[]): ReadonlySet<EventKind> {
  return new Set(subscriptions.flatMap(({ kinds }) => kinds))
}
