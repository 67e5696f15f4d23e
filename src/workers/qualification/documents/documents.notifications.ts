import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  type DocumentTemplateData,
  documentExpiring,
} from '../../../shared/communication/notifications/templates/document.rules.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findExpiringDocument } from '../../../shared/qualification/documents/document.queries.ts'
import {
  defineNotification,
  members,
  type NotificationDefinitions,
  type NotificationSources,
  withRole,
} from '../../communication/notifications/define-notification.ts'

type Document = DocumentTemplateData & { orgUserId: number | null }

/**
 * Returns a document that has not expired and whose expiry has not changed since its notice was enqueued; null
 * otherwise.
 */
async function endingDocument(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<Document | null> {
  const row = await findExpiringDocument(database.db, organizationId, subjectId)
  if (!row?.expires_at || row.expires_at <= clock() || row.expiry_notified_days === null) return null
  const orgUserId = row.membership_id ?? null
  return {
    id: row.id,
    title: row.title,
    expiresAt: row.expires_at,
    organizations: orgUserId === null,
    zone: row.zone,
    orgUserId,
  }
}

/** Returns the audience of a document: the member who has it, or the admins when it belongs to the organization. */
async function ownerOfDocument(
  { orgUserId }: Document,
  sources: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  return members(orgUserId === null ? await withRole(sources, organizationId, admins) : [orgUserId])
}

/** The notifications of documents, by their kind. */
export const documentNotifications = {
  document_expiring: defineNotification(endingDocument, ownerOfDocument, documentExpiring),
} satisfies Partial<NotificationDefinitions>
