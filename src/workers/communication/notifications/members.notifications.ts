import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import type {
  BillToTemplateData,
  MergeTemplateData,
} from '../../../shared/communication/notifications/templates/organization.rules.ts'
import { findLatestMerge } from '../../../shared/identity/members/managed-member.queries.ts'
import { findBillToChange } from '../../../shared/identity/members/payer.queries.ts'
import { members, type NotificationSources, withRole } from './define-notification.ts'

/**
 * Returns the latest merge into a member, with the ids and names of both members; null when nobody was merged into the
 * member.
 */
export function latestMerge({ database }: NotificationSources, { organizationId, subjectId }: DomainEvent) {
  return findLatestMerge(database.db, organizationId, subjectId)
}

/** Returns the owners and the member into whom another was merged, as the audience. */
export async function ownersAndMerged(
  { id }: MergeTemplateData,
  sources: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  return members([...new Set([id, ...(await withRole(sources, organizationId, ['owner']))])])
}

/** Returns who paid for a member and who pays now, at the event; null when the member has left. */
export async function billToChange(
  { database }: NotificationSources,
  { organizationId, eventId }: DomainEvent,
): Promise<BillToTemplateData | null> {
  if (eventId === undefined) return null
  return (await findBillToChange(database.db, organizationId, eventId)) ?? null
}

/** Returns the member, the payer and the payer of before, as the audience. */
export function payerAndMember({ orgUserId, payerId, formerId }: BillToTemplateData): Audience {
  return members([...new Set([orgUserId, payerId, formerId])].filter((id) => id !== null))
}
