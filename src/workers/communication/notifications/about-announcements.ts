import { findAudience, findPublished } from '../../../shared/communication/announcements/announcement.queries.ts'
import type { HappeningPayload } from '../../../shared/communication/notifications/notifications.jobs.ts'
import type { Concerned } from '../../../shared/communication/notifications/tell-concerned.ts'
import type { AnnouncementToTell } from '../../../shared/communication/notifications/wording/announcement.rules.ts'
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
