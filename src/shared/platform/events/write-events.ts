import type { Db } from '../db/database.ts'
import type { NewEvent } from './event.table.ts'

/** Where a transaction's cause came from: the network and id of the request, or the id of the job. */
export interface Origin {
  address: string | null
  requestId: string | null
}

/** Writes the events of a transaction, in their order, in one statement. */
export async function writeEvents(db: Db, events: readonly NewEvent[], origin: Origin | null): Promise<void> {
  await db
    .insertInto('event')
    .values(
      events.map((event) => ({
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
      })),
    )
    .execute()
}
