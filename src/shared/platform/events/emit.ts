import { randomUUID } from 'node:crypto'
import { type EventKind, eventKinds, type KeyOf, type SubjectOf } from '../contracts/event-kinds.ts'
import type { Tx } from '../db/transaction.ts'

/**
 * The member who causes an event, and the organization in which it happens. `orgUserId` is null for the service and
 * for guests.
 */
export interface Cause {
  organizationId: number
  orgUserId: number | null
  name?: string
  /** The import that causes the event. An event whose kind lists the key `operationId` then notifies nobody. */
  operationId?: number
}

/** An event to record. `before` and `after` hold the changed values, under keys that its kind lists. */
export interface EventInput<K extends EventKind> {
  kind: K
  subject: { kind: SubjectOf<K>; id: number }
  before?: { [Key in KeyOf<K>]?: unknown }
  after?: { [Key in KeyOf<K>]?: unknown }
  reason?: string | null
}

/**
 * Records an event. It is written before the commit, in the same transaction as the changes. After the commit a job
 * passes it to its subscriptions; the events of one subject keep their order.
 */
export function emit<K extends EventKind>(tx: Tx, by: Cause, event: EventInput<K>): void {
  const { kind, subject, before, after, reason = null } = event
  tx.events.push({
    organizationId: by.organizationId,
    id: randomUUID(),
    at: tx.now,
    kind,
    actorKind: by.orgUserId === null ? 'system' : 'person',
    membershipId: by.orgUserId,
    actorName: by.name ?? null,
    subjectKind: subject.kind,
    subjectId: subject.id,
    before: listed(kind, before),
    after: listed(kind, by.operationId === undefined ? after : { ...after, operationId: by.operationId }),
    reason,
  })
}

/**
 * Returns only the values under keys that the kind lists, so that a key that a caller passes by mistake is not stored.
 */
function listed(kind: EventKind, given: Record<string, unknown> | undefined): Record<string, unknown> | null {
  if (!given) return null
  const keys: readonly string[] = eventKinds[kind].keys
  return Object.fromEntries(keys.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]))
}
