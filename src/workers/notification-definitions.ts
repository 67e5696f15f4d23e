import type { DomainEvent } from '../shared/communication/communication.jobs.ts'
import { findGivenUp } from '../shared/communication/notifications/given-up-mail.access.ts'
import {
  belowMinimums,
  bookingCancelled,
  bookingChanged,
  bookingCreated,
  bookingUpcoming,
  confirmedOnBehalf,
  flightCorrected,
  flightOverdue,
  leftGrounded,
  logContradicts,
  reviewNeeded,
  soloBeyond,
} from '../shared/communication/notifications/templates/booking.rules.ts'
import {
  bookingsAtRisk,
  bookingsChanged,
  bulkDone,
} from '../shared/communication/notifications/templates/bulk.rules.ts'
import {
  currencyEnded,
  currencyExpiring,
  currencySelfRecorded,
} from '../shared/communication/notifications/templates/currency.rules.ts'
import { documentExpiring } from '../shared/communication/notifications/templates/document.rules.ts'
import { type GivenUpTemplateData, mailGivenUp } from '../shared/communication/notifications/templates/mail.rules.ts'
import {
  deferralEnded,
  maintenanceDue,
  squawkOpened,
} from '../shared/communication/notifications/templates/maintenance.rules.ts'
import {
  announcementPublished,
  billToChanged,
  type JoinRequestTemplateData,
  joinRequested,
  memberClaimed,
  memberMerged,
  memberRecognized,
} from '../shared/communication/notifications/templates/organization.rules.ts'
import {
  endorsedAsChanged,
  resourceGrounded,
  resourceReturned,
} from '../shared/communication/notifications/templates/resource.rules.ts'
import {
  type LoweredRule,
  type OverriddenRule,
  ruleLowered,
  rulesOverridden,
} from '../shared/communication/notifications/templates/rules.rules.ts'
import {
  endorsementExpiring,
  endorsementIssued,
  endorsementToConfirm,
  knowledgeTestExpiring,
  recordToCountersign,
} from '../shared/communication/notifications/templates/training.rules.ts'
import { maintainers } from '../shared/fleet/maintenance/change-squawk.ts'
import { findPendingJoinRequest } from '../shared/identity/joining/join-request.queries.ts'
import { findNameOfMember, findNamesake } from '../shared/identity/members/managed-member.queries.ts'
import { admins, deskStaff } from '../shared/platform/authz/roles.ts'
import { findLoweredRule, findNotifiedOverrides } from '../shared/scheduling/rules/rules.queries.ts'
import { invoiceNotifications } from './billing/invoices/invoices.notifications.ts'
import {
  announcementAudience,
  claimAnnouncement,
  publishedAnnouncement,
} from './communication/announcements/announcements.notifications.ts'
import {
  defineNotification,
  everyone,
  type NotificationDefinitions,
  type NotificationSources,
} from './communication/notifications/define-notification.ts'
import {
  billToChange,
  latestMerge,
  ownersAndMerged,
  payerAndMember,
} from './communication/notifications/members.notifications.ts'
import {
  dueMaintenanceItem,
  endedDeferral,
  maintainersAndDispatchers,
  openSquawk,
} from './fleet/maintenance/maintenance.notifications.ts'
import { anyResource, deskAndBooked, grounded, inService } from './fleet/resources/resources.notifications.ts'
import {
  endedCurrency,
  expiringCurrency,
  holder,
  holderAndAdmins,
  selfRecorded,
} from './qualification/currencies/currencies.notifications.ts'
import { endingDocument, ownerOfDocument } from './qualification/documents/documents.notifications.ts'
import { requestNotifications } from './scheduling/booking-requests/booking-requests.notifications.ts'
import {
  changedBookings,
  finishedBulk,
  noticedBookings,
  recipientAlone,
} from './scheduling/reservations/bulk.notifications.ts'
import {
  activeBooking,
  bookedBy,
  cancelled,
  contradictedLog,
  correctedFlight,
  crew,
  crewBeforeAndDispatchers,
  crewUnlessRequester,
  deskAndInstructor,
  deskAndPilots,
  flightBelowMinimums,
  lateFlight,
  logKeepers,
  pendingSigners,
  signedFor,
  signedOnBehalf,
  unsigned,
  upcomingBooking,
} from './scheduling/reservations/reservations.notifications.ts'
import { offerNotifications } from './scheduling/waitlist.notifications.ts'
import {
  currentEndorsement,
  endingTest,
  endorsed,
  endorsedAndSigner,
  expiringEndorsement,
  namedSigner,
  student,
  teachers,
  testedAndInstructor,
  unconfirmedEndorsement,
  uncountersigned,
} from './training/training.notifications.ts'

/** Each kind: a loader, which checks that it still applies, the audience and the message. Who caused it is left out at delivery. */
export const notificationDefinitions: NotificationDefinitions = {
  reservation_created: defineNotification(activeBooking, crewUnlessRequester, bookingCreated),
  reservation_changed: defineNotification(activeBooking, crew, bookingChanged),
  reservation_cancelled: defineNotification(cancelled, crewBeforeAndDispatchers, bookingCancelled),
  reservations_changed: defineNotification(changedBookings, recipientAlone, bookingsChanged),
  bulk_done: defineNotification(finishedBulk, everyone(admins), bulkDone),
  reservation_upcoming: defineNotification(upcomingBooking, crew, bookingUpcoming, undefined, bookedBy),
  review_needed: defineNotification(unsigned, pendingSigners, reviewNeeded),
  confirmed_on_behalf: defineNotification(signedOnBehalf, signedFor, confirmedOnBehalf),
  solo_beyond: defineNotification(activeBooking, teachers, soloBeyond),
  flight_corrected: defineNotification(correctedFlight, crew, flightCorrected),
  log_contradicts: defineNotification(contradictedLog, logKeepers, logContradicts),
  reservation_at_risk: defineNotification(noticedBookings, recipientAlone, bookingsAtRisk),
  below_minimums: defineNotification(flightBelowMinimums, deskAndPilots, belowMinimums),
  flight_overdue: defineNotification(lateFlight, deskAndInstructor, flightOverdue),
  left_grounded: defineNotification(activeBooking, everyone(maintainers), leftGrounded),
  ...requestNotifications,
  ...offerNotifications,
  ...invoiceNotifications,
  join_request: defineNotification(pendingJoinRequest, everyone(deskStaff), joinRequested),
  member_claimed: defineNotification(claimedMember, everyone(admins), memberClaimed),
  bill_to_changed: defineNotification(billToChange, payerAndMember, billToChanged),
  member_merged: defineNotification(latestMerge, ownersAndMerged, memberMerged),
  member_recognized: defineNotification(namesake, everyone(admins), memberRecognized),
  record_to_countersign: defineNotification(uncountersigned, student, recordToCountersign),
  endorsement_issued: defineNotification(currentEndorsement, endorsed, endorsementIssued),
  endorsement_to_confirm: defineNotification(unconfirmedEndorsement, namedSigner, endorsementToConfirm),
  endorsement_expiring: defineNotification(expiringEndorsement, endorsedAndSigner, endorsementExpiring),
  knowledge_test_expiring: defineNotification(endingTest, testedAndInstructor, knowledgeTestExpiring),
  currency_expiring: defineNotification(expiringCurrency, holder, currencyExpiring),
  document_expiring: defineNotification(endingDocument, ownerOfDocument, documentExpiring),
  currency_self_recorded: defineNotification(selfRecorded, everyone(admins), currencySelfRecorded),
  currency_ended: defineNotification(endedCurrency, holderAndAdmins, currencyEnded),
  rule_lowered: defineNotification(loweredRule, everyone(['owner']), ruleLowered),
  rules_overridden: defineNotification(notifiedOverrides, everyone(admins), rulesOverridden),
  squawk_opened: defineNotification(openSquawk, maintainersAndDispatchers, squawkOpened),
  resource_grounded: defineNotification(grounded, deskAndBooked, resourceGrounded),
  resource_returned: defineNotification(inService, deskAndBooked, resourceReturned),
  deferral_ended: defineNotification(endedDeferral, everyone(maintainers), deferralEnded),
  endorsed_as_changed: defineNotification(anyResource, everyone(['instructor']), endorsedAsChanged),
  maintenance_due: defineNotification(dueMaintenanceItem, everyone(maintainers), maintenanceDue),
  mail_given_up: defineNotification(givenUpMail, everyone(admins), mailGivenUp),
  announcement: defineNotification(
    publishedAnnouncement,
    announcementAudience,
    announcementPublished,
    claimAnnouncement,
  ),
}

/** Returns a mail that was given up; null when a later mail about the same record was delivered. */
async function givenUpMail(
  { database }: NotificationSources,
  { organizationId, subjectId, isLast }: DomainEvent,
): Promise<GivenUpTemplateData | null> {
  const mail = await findGivenUp(database.db, organizationId, subjectId)
  return mail ? { ...mail, isLast: isLast === true } : null
}

/** Returns the rule whose enforcement was lowered at the instant of the event; null when there is none. */
function loweredRule(
  { database }: NotificationSources,
  { organizationId, happenedAt }: DomainEvent,
): Promise<LoweredRule | null> {
  return findLoweredRule(database.db, organizationId, new Date(happenedAt))
}

/** Returns the rule overrides in the digest of the event's instant; null when there are none. */
async function notifiedOverrides(
  { database }: NotificationSources,
  { organizationId, happenedAt }: DomainEvent,
): Promise<{ overrides: OverriddenRule[] } | null> {
  const overrides = await findNotifiedOverrides(database.db, organizationId, new Date(happenedAt))
  return overrides.length === 0 ? null : { overrides }
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
