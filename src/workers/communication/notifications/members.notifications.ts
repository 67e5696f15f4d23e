import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import { findGivenUp } from '../../../shared/communication/notifications/given-up-mail.access.ts'
import {
  type GivenUpTemplateData,
  mailGivenUp,
} from '../../../shared/communication/notifications/templates/mail.rules.ts'
import {
  type BillToTemplateData,
  billToChanged,
  type JoinRequestTemplateData,
  joinRequested,
  type MergeTemplateData,
  memberClaimed,
  memberMerged,
  memberRecognized,
} from '../../../shared/communication/notifications/templates/organization.rules.ts'
import { findPendingJoinRequest } from '../../../shared/identity/joining/join-request.queries.ts'
import {
  findLatestMerge,
  findNameOfMember,
  findNamesake,
} from '../../../shared/identity/members/managed-member.queries.ts'
import { findBillToChange } from '../../../shared/identity/members/payer.queries.ts'
import { admins, deskStaff } from '../../../shared/platform/authz/roles.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationDefinitions,
  type NotificationSources,
  withRole,
} from './define-notification.ts'

/**
 * Returns the latest merge into a member, with the ids and names of both members; null when nobody was merged into the
 * member.
 */
function latestMerge({ database }: NotificationSources, { organizationId, subjectId }: DomainEvent) {
  return findLatestMerge(database.db, organizationId, subjectId)
}

/** Returns the owners and the member into whom another was merged, as the audience. */
async function ownersAndMerged(
  { id }: MergeTemplateData,
  sources: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  return members([...new Set([id, ...(await withRole(sources, organizationId, ['owner']))])])
}

/** Returns who paid for a member and who pays now, at the event; null when the member has left. */
async function billToChange(
  { database }: NotificationSources,
  { organizationId, eventId }: DomainEvent,
): Promise<BillToTemplateData | null> {
  if (eventId === undefined) return null
  return (await findBillToChange(database.db, organizationId, eventId)) ?? null
}

/** Returns the member, the payer and the payer of before, as the audience. */
function payerAndMember({ orgUserId, payerId, formerId }: BillToTemplateData): Audience {
  return members([...new Set([orgUserId, payerId, formerId])].filter((id) => id !== null))
}

/** Returns a join request that is still pending; null otherwise. */
function pendingJoinRequest(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<JoinRequestTemplateData | null> {
  return findPendingJoinRequest(database.db, organizationId, subjectId)
}

/** Returns a member who has an account; null when the member has left. */
function claimedMember({ database }: NotificationSources, { organizationId, subjectId }: DomainEvent) {
  return findNameOfMember(database.db, organizationId, subjectId)
}

/**
 * Returns a member with an account and the managed member with the same email address; null when there is no such pair
 * any more.
 */
function namesake({ database }: NotificationSources, { organizationId, subjectId }: DomainEvent) {
  return findNamesake(database.db, organizationId, subjectId)
}

/** Returns a mail that was given up; null when a later mail about the same record was delivered. */
async function givenUpMail(
  { database }: NotificationSources,
  { organizationId, subjectId, isLast }: DomainEvent,
): Promise<GivenUpTemplateData | null> {
  const mail = await findGivenUp(database.db, organizationId, subjectId)
  return mail ? { ...mail, isLast: isLast === true } : null
}

/** The notifications of members, and of mails to them, by their kind. */
export const memberNotifications = {
  join_request: defineNotification(pendingJoinRequest, everyone(deskStaff), joinRequested),
  member_claimed: defineNotification(claimedMember, everyone(admins), memberClaimed),
  bill_to_changed: defineNotification(billToChange, payerAndMember, billToChanged),
  member_merged: defineNotification(latestMerge, ownersAndMerged, memberMerged),
  member_recognized: defineNotification(namesake, everyone(admins), memberRecognized),
  mail_given_up: defineNotification(givenUpMail, everyone(admins), mailGivenUp),
} satisfies Partial<NotificationDefinitions>
