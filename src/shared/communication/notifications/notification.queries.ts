import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { containing } from '../../platform/db/read-rows.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { isForItsReader } from '../announcements/announcement.queries.ts'
import { type Preference, preferencesOf } from './preferences.rules.ts'

/** Filters a member's notifications by text and by read status. */
export interface NotificationFilter {
  q?: string | undefined
  /** Several statuses together select all notifications. */
  status: readonly ('unread' | 'read' | 'all')[]
}

type Reader = { organizationId: number; orgUserId: number }

function selectNotifications(db: Db, { organizationId, orgUserId }: Reader) {
  return db
    .selectFrom('notification')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where(isForItsReader)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

export type NotificationRow = Awaited<ReturnType<ReturnType<typeof selectNotifications>['execute']>>[number]

export const notificationSortKeys: SortKeys = {
  id: byValue('id'),
  kind: byText('kind'),
  title: byText('title'),
  body: byText('body'),
  readAt: byValue('read_at'),
  createdAt: byValue('created_at'),
  updatedAt: byValue('updated_at'),
}

/**
 * Lists a member's notifications, newest first. Leaves out announcements that the member may no longer see.
 * Implements interface §Notifications, GET /notifications.
 */
export function listNotifications(db: Db, reader: Reader, { q, status }: NotificationFilter) {
  const pattern = containing(q ?? '')
  const only = status.length === 1 ? status[0] : 'all'
  const listed = pageable(
    db,
    selectNotifications(db, reader)
      .$if(only === 'unread', (query) => query.where('read_at', 'is', null))
      .$if(only === 'read', (query) => query.where('read_at', 'is not', null))
      .$if(Boolean(q), (query) =>
        query.where((eb) => eb.or([eb('title', 'ilike', pattern), eb('body', 'ilike', pattern)])),
      ),
    notificationSortKeys,
  )
  // The keys of `data` differ by kind, so they are no sort keys.
  return { ...listed, sortsBy: (path: string) => !path.startsWith('data.') }
}

/** Returns a member's preferences, one per kind: the stored one, or the default. */
export async function findPreferences(db: Db, { organizationId, orgUserId }: Reader): Promise<Preference[]> {
  const stored = await db
    .selectFrom('notification_preference')
    .select(['kind', 'in_app as inApp', 'push', 'email'])
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .execute()
  return preferencesOf(stored)
}

/** Returns the ids of the locations about which a member is notified as staff; empty: all locations. */
export async function findNotifiedLocations(db: Db, { organizationId, orgUserId }: Reader): Promise<number[]> {
  const row = await db
    .selectFrom('membership')
    .select('notified_location_ids')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirstOrThrow()
  return row.notified_location_ids
}

/** Returns the orgUserId of the member to whom a notification belongs. */
export async function findOwner(db: Db, organizationId: number, id: number): Promise<number> {
  const row = await db
    .selectFrom('notification')
    .select('membership_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row.membership_id
}
