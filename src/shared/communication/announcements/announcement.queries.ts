import { type RawBuilder, sql } from 'kysely'
import { deskStaff, hasRole, type RoleFlags, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/** The reader of announcements, and the instant of the request. */
export interface Reader {
  organizationId: number
  orgUserId: number
  roles: RoleFlags
  now: Date
}

/** The groups of announcement `a`. */
const audienceGroups = sql`announcement_group g where g.organization_id = a.organization_id and g.announcement_id = a.id`

/**
 * SQL condition that member `m` is in the audience of announcement `a`: the member has one of its roles or is in one of
 * its groups, or the announcement has no roles and no groups.
 */
const inAudience = sql<boolean>`(
  a.roles ?| ${rolesOfMember('m')}
  or exists (select from group_member p where p.organization_id = m.organization_id and p.membership_id = m.id
    and p.group_id in (select g.group_id from ${audienceGroups}))
  or a.roles = '[]' and not exists (select from ${audienceGroups}))`

function isPublished(now: Date): RawBuilder<boolean> {
  return sql<boolean>`a.publish_at <= ${now} and (a.expires_at is null or a.expires_at > ${now})`
}

/**
 * Selects the announcements that a member may see, pinned ones first, then newest first. Desk staff may see all of
 * them; other members, those that are published, are not expired, and have the member in the audience.
 */
function selectAnnouncements(db: Db, { organizationId, orgUserId, roles, now }: Reader) {
  return db
    .selectFrom('announcement as a')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'a.organization_id').on('m.id', '=', orgUserId),
    )
    .innerJoin('membership as w', (join) =>
      join.onRef('w.organization_id', '=', 'a.organization_id').onRef('w.id', '=', 'a.author_id'),
    )
    .leftJoin('announcement_read as r', (join) =>
      join
        .onRef('r.organization_id', '=', 'a.organization_id')
        .onRef('r.announcement_id', '=', 'a.id')
        .onRef('r.membership_id', '=', 'm.id'),
    )
    .selectAll('a')
    .select(['w.search_name as author', 'r.read_at'])
    .select(sql<number[]>`array(select g.group_id from ${audienceGroups} order by g.id)`.as('group_ids'))
    .where('a.organization_id', '=', organizationId)
    .$if(!hasRole(roles, deskStaff), (query) => query.where(isPublished(now)).where(inAudience))
    .orderBy('a.pinned', 'desc')
    .orderBy('a.publish_at', 'desc')
    .orderBy('a.id', 'desc')
}

export type AnnouncementRow = Awaited<ReturnType<ReturnType<typeof selectAnnouncements>['execute']>>[number]

/** Lists the announcements that a reader may see, pinned ones first, then newest first. */
export function listAnnouncements(db: Db, reader: Reader) {
  return pageable(db, selectAnnouncements(db, reader))
}

/** Returns one announcement that a reader may see. */
export async function findAnnouncement(db: Db, reader: Reader, id: number): Promise<AnnouncementRow> {
  const row = await selectAnnouncements(db, reader).where('a.id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/**
 * Returns a published announcement with its author's name; null when it is not published yet, has expired or is
 * deleted.
 */
export async function findPublished(db: Db, organizationId: number, id: number, now: Date) {
  const row = await db
    .selectFrom('announcement as a')
    .innerJoin('membership as w', (join) =>
      join.onRef('w.organization_id', '=', 'a.organization_id').onRef('w.id', '=', 'a.author_id'),
    )
    .select(['a.id', 'a.title', 'a.body', 'w.search_name as author'])
    .where('a.organization_id', '=', organizationId)
    .where('a.id', '=', id)
    .where(isPublished(now))
    .executeTakeFirst()
  return row ?? null
}

/** Selects the members in the audience of an announcement, without its author. */
function selectAudience(db: Db, organizationId: number, id: number) {
  return db
    .selectFrom('announcement as a')
    .innerJoin('membership as m', 'm.organization_id', 'a.organization_id')
    .select('m.id')
    .where('a.organization_id', '=', organizationId)
    .where('a.id', '=', id)
    .where('m.removed_at', 'is', null)
    .whereRef('m.id', '<>', 'a.author_id')
    .where(inAudience)
}

/** Returns the orgUserIds of an announcement's audience, without its author. */
export async function findAudience(db: Db, organizationId: number, id: number): Promise<number[]> {
  const rows = await selectAudience(db, organizationId, id).execute()
  return rows.map((row) => row.id)
}

/** Returns whether a member of the audience has not been notified of an announcement. The author does not count. */
export async function hasUnnotified(db: Db, organizationId: number, id: number): Promise<boolean> {
  const row = await selectAudience(db, organizationId, id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('announcement_notice as n')
            .select('n.id')
            .whereRef('n.organization_id', '=', 'a.organization_id')
            .whereRef('n.announcement_id', '=', 'a.id')
            .whereRef('n.membership_id', '=', 'm.id'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * SQL condition that a member may see a row of `notification`: it is not about an announcement, or the announcement
 * still exists and has the member in its audience.
 */
export const isForItsReader = sql<boolean>`(notification.kind <> 'announcement' or exists (
  select from announcement a
  join membership m on m.organization_id = a.organization_id and m.id = notification.membership_id
  where a.organization_id = notification.organization_id and a.id = (notification.data->>'announcementId')::int
    and ${inAudience}))`

/** Returns the SQL of a membership's role names as a text array; `alias` is the membership in the query. */
function rolesOfMember(alias: string): RawBuilder<string[]> {
  const names = roles.map((role) => sql`case when ${sql.ref(`${alias}.${role}`)} then ${sql.lit(role)} end`)
  return sql`array_remove(array[${sql.join(names)}], null)`
}
