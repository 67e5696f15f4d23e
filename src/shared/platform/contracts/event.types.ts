import type { EventKind } from './event-kinds.ts'
import type { SubjectKind } from './subject-kinds.ts'

/** The actor of an event: a member, an API key, or the service itself. */
export type ActorKind = 'person' | 'key' | 'system'

/** An event of a transaction, to be written before its commit. */
export interface NewEvent {
  organizationId: number
  id: string
  at: Date
  kind: EventKind
  actorKind: ActorKind
  membershipId: number | null
  actorName: string | null
  subjectKind: SubjectKind
  subjectId: number
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

/** A written event, as subscriptions receive it. */
export type StoredEvent = NewEvent & { sequence: number; address: string | null; requestId: string | null }
