import type { NewEvent } from './event.types.ts'

/** The origin of a transaction: the network and id of the request, or the id of the job. */
export interface Origin {
  address: string | null
  requestId: string | null
}

/** Returns the rows of a transaction's events, in their order. */
export function eventRows(events: readonly NewEvent[], origin: Origin | null) {
  return events.map((event) => ({
    organization_id: event.organizationId,
    id: event.id,
    at: event.at,
    kind: event.kind,
    actor_kind: event.actorKind,
    membership_id: event.membershipId,
    actor_name: event.actorName,
    address: origin?.address ?? null,
    request_id: origin?.requestId ?? null,
    subject_kind: event.subjectKind,
    subject_id: event.subjectId,
    before: event.before,
    after: event.after,
    reason: event.reason,
  }))
}
