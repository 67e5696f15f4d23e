import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../db/columns.ts'
import type { ActorKind } from './event.types.ts'
import type { EventKind, SubjectKind } from './event-kinds.ts'

/**
 * The events of an organization: one row per event, written in the transaction of the use case. The database refuses
 * changes of a row, and the deletion of one younger than seven years. Kysely writes the table; the ORM only declares
 * its columns.
 */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    organizationId: p.integer().primary(),
    /** The public id. */
    id: p.uuid().primary(),
    /** Increases with each event. Events of one subject have the order of their transactions. */
    sequence: p.bigint('number').autoincrement(),
    at: instant(),
    kind: p.text().$type<EventKind>(),
    actorKind: p.text().$type<ActorKind>(),
    membershipId: p.integer().nullable(),
    /** The name at that time, which stays when the account is deleted. */
    actorName: p.text().nullable(),
    /** The network of the request, /24 or /48; null for jobs. */
    address: p.text().nullable(),
    /** The id of the request or job. */
    requestId: p.text().nullable(),
    subjectKind: p.text().$type<SubjectKind>(),
    subjectId: p.integer(),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
    reason: p.text().nullable(),
    updatedAt: instant().defaultRaw('now()'),
  },
})
