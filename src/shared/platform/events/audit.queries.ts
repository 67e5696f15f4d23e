import { sql } from 'kysely'
import type { EventKind } from '../contracts/event-kinds.ts'
import type { SubjectKind } from '../contracts/subject-kinds.ts'
import { PLANNED_AT_EACH_RUN } from '../db/auto-prepare.ts'
import type { Db } from '../db/database.ts'
import { pageable } from '../db/pageable.ts'
import { oneOf, oneOfWords } from '../db/read-rows.ts'
import { byText, byValue, type SortKeys } from '../db/sort-keys.ts'

/** Filters of the audit log. */
export interface AuditFilter {
  actions?: readonly EventKind[] | undefined
  /** The members one of whom is the actor or the subject of the event. */
  orgUserIds?: readonly number[] | undefined
  subjects?: readonly { kind: SubjectKind; id: number }[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** The actor's name at the time of the event; the member's present name when the event has none. */
const actorName = sql<string | null>`coalesce(e.actor_name, m.search_name)`

function selectEvents(db: Db, organizationId: number) {
  return db
    .selectFrom('event as e')
    .leftJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'e.organization_id').onRef('m.id', '=', 'e.membership_id'),
    )
    .select([
      'e.id',
      'e.at',
      'e.kind',
      'e.actor_kind',
      'e.membership_id',
      actorName.as('actor_name'),
      'e.address',
      'e.subject_kind',
      'e.subject_id',
      'e.before',
      'e.after',
      'e.reason',
    ])
    .where('e.organization_id', '=', organizationId)
    .orderBy('e.at', 'desc')
    .orderBy('e.sequence', 'desc')
}

export type AuditRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]

export const auditSortKeys: SortKeys = {
  id: byText(sql`e.id::text`),
  at: byValue('e.at'),
  action: byText('e.kind'),
  'actor.kind': byText('e.actor_kind'),
  'actor.orgUserId': byValue('e.membership_id'),
  'actor.keyId': sql`null::integer`,
  'actor.name': byText(actorName),
  address: byText('e.address'),
  'subject.kind': byText('e.subject_kind'),
  'subject.id': byValue('e.subject_id'),
  reason: byText('e.reason'),
}

/**
 * Lists the audit log of an organization, latest event first: every event, its actor and its changes.
 * Implements interface §Audit log, GET /audit.
 */
export function listAudit(db: Db, organizationId: number, filter: AuditFilter) {
  const { actions, orgUserIds, subjects, from, to } = filter
  const listed = pageable(
    db,
    selectEvents(db, organizationId)
      .$if(actions !== undefined, (query) => query.where(oneOfWords(sql`e.kind`, actions!)))
      .$if(orgUserIds !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            oneOf(sql`e.membership_id`, orgUserIds!),
            eb.and([eb('e.subject_kind', '=', 'member'), oneOf(sql`e.subject_id`, orgUserIds!)]),
          ]),
        ),
      )
      .$if(orgUserIds !== undefined, (query) => query.modifyEnd(PLANNED_AT_EACH_RUN))
      .$if(subjects !== undefined, (query) =>
        query.where((eb) =>
          eb.or(
            subjects!.map(({ kind, id }) => eb.and([eb('e.subject_kind', '=', kind), eb('e.subject_id', '=', id)])),
          ),
        ),
      )
      .$if(from !== undefined, (query) => query.where('e.at', '>=', from!))
      .$if(to !== undefined, (query) => query.where('e.at', '<', to!)),
    auditSortKeys,
  )
  // The keys of `before` and `after` differ by kind of event, so the list cannot be sorted by them.
  return { ...listed, sortsBy: (path: string) => !/^(before|after)\./.test(path) }
}

/** Returns the reason of an event; null when the event has none or does not exist. */
export async function findReason(db: Db, organizationId: number, eventId: string | undefined): Promise<string | null> {
  if (eventId === undefined) return null
  const event = await db
    .selectFrom('event')
    .select('reason')
    .where('organization_id', '=', organizationId)
    .where('id', '=', eventId)
    .executeTakeFirst()
  return event?.reason ?? null
}
