import { findAudience, findPublished } from '../../shared/announcements/announcement.queries.ts'
import type { HappeningPayload } from '../../shared/notifications/notifications.jobs.ts'
import type { Concerned } from '../../shared/notifications/tell-concerned.ts'
import type { AnnouncementToTell } from '../../shared/notifications/wording/announcement.rules.ts'
import { members, type Sources } from './telling.ts'

/** An announcement that is out. */
export function published(
  { database, clock }: Sources,
  { organizationId, subjectId }: HappeningPayload,
): Promise<AnnouncementToTell | null> {
  return findPublished(database.db, organizationId, subjectId, clock())
}

/** Whom it is for. */
export async function itsAudience(
  { id }: AnnouncementToTell,
  { database }: Sources,
  { organizationId }: HappeningPayload,
): Promise<Concerned> {
  return members(await findAudience(database.db, organizationId, id))
}
