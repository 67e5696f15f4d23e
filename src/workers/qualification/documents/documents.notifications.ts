import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import type { DomainEvent } from '../../../shared/communication/notifications/notifications.jobs.ts'
import type { DocumentTemplateData } from '../../../shared/communication/notifications/templates/document.rules.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findExpiringDocument } from '../../../shared/qualification/documents/document.queries.ts'
import { members, type NotificationSources, withRole } from '../../communication/notifications/define-notification.ts'

type Document = DocumentTemplateData & { orgUserId: number | null }

/**
 * Loads a document whose expiry has not changed since its notification was enqueued. A notification of an expiry ahead
 * is not sent once the expiry has passed.
 */
export async function endingDocument(
  { database, clock }: NotificationSources,
  { organizationId, subjectId, happenedAt }: DomainEvent,
): Promise<Document | null> {
  const row = await findExpiringDocument(database.db, organizationId, subjectId)
  const enqueuedAt = new Date(happenedAt)
  if (!row?.expires_at || row.expiry_told_at?.getTime() !== enqueuedAt.getTime()) return null
  const expired = row.expires_at <= enqueuedAt
  if (expired !== row.expires_at <= clock()) return null
  const orgUserId = row.membership_id ?? null
  return {
    id: row.id,
    title: row.title,
    expiresAt: row.expires_at,
    expired,
    organizations: orgUserId === null,
    zone: row.zone,
    orgUserId,
  }
}

/** The member whose document it is; the admins for the organization's. */
export async function ownerOfDocument(
  { orgUserId }: Document,
  sources: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  return members(orgUserId === null ? await withRole(sources, organizationId, admins) : [orgUserId])
}
