import type { Jobs } from '../shared/composition/all-jobs.ts'
import type { JobProcessor } from '../shared/platform/jobs/job-tools.ts'
import { billingSweeps } from './billing/billing.sweeps.ts'
import { closeInvoicesLeftAtGateway } from './billing/invoices/close-left-at-gateway.processor.ts'
import { connectSchoolAccount } from './billing/invoices/connect-account.processor.ts'
import { issueInvoiceAtGateway } from './billing/invoices/issue-at-gateway.processor.ts'
import { mailPayer } from './billing/invoices/notify-payer.processor.ts'
import { settleInvoiceAtGateway } from './billing/invoices/settle-at-gateway.processor.ts'
import {
  invoiceFlightSignedOff,
  invoiceFlightWaited,
  reconcileSomeInvoices,
  syncInvoiceFromGateway,
} from './billing/invoices/upkeep.processor.ts'
import { voidInvoiceAtGateway } from './billing/invoices/void-at-gateway.processor.ts'
import { billPackageShortfall } from './billing/packages/packages.processor.ts'
import { chargeInvoice, detachCards } from './billing/payments/autopay.processor.ts'
import { mailOfCharge } from './billing/payments/notify-of-charge.processor.ts'
import { sendOwnMoneyMail } from './billing/payments/own-money.processor.ts'
import {
  followMoneyOfInvoice,
  refundCredit,
  refundInvoiceAtGateway,
  refundOverpaid,
} from './billing/payments/payments.processor.ts'
import { readLostEvents } from './billing/payments/sweep-gateway-events.processor.ts'
import { createMeetingOfRequest } from './communication/meetings/create-meeting.processor.ts'
import { fanOutNotification, notifyPublishedAnnouncement } from './communication/notifications/fan-out.processor.ts'
import { sendNotificationMail } from './communication/notifications/mail-notification.processor.ts'
import { pushToDevices } from './communication/notifications/push-notification.processor.ts'
import { sendOneWebhook } from './communication/webhooks/send-webhook.processor.ts'
import {
  mailWebhookDisabled,
  mailWebhooksLeft,
  queueWebhookAgain,
  renderWebhookEvent,
  resumeLostWebhooks,
} from './communication/webhooks/webhooks.processor.ts'
import { dispatchSweeps } from './dispatch/dispatch.sweeps.ts'
import { reviewMaintenance } from './fleet/maintenance/review-maintenance.processor.ts'
import {
  sendMailTokenMail,
  sendPasswordChangedMail,
  sendSignedUpMail,
} from './identity/accounts/account-mails.processor.ts'
import { sendOperatorActedMail } from './identity/accounts/send-operator-acted.processor.ts'
import {
  sendInvitationMail,
  sendJoinDecisionMail,
  sendOrganizationDeletedMail,
  sendWideReadingMail,
} from './identity/joining/joining-mails.processor.ts'
import { sendOwnerChangedMail } from './identity/joining/send-owner-changed.processor.ts'
import {
  applyLoosenedOfOrganization,
  clearQueuesOfOrganization,
} from './identity/organizations/organizations.processor.ts'
import { notificationDefinitions } from './notification-definitions.ts'
import {
  closeDeliveriesLeftOpen,
  dropFolderFromStorage,
  dropObjectFromStorage,
  fanOutToSubscribers,
  finalizeStoredUpload,
  purgeWhatExpired,
  runOperationRest,
} from './platform/platform.processor.ts'
import { mailExport } from './portability/exports/mail-export.processor.ts'
import { awaitFileOfImport } from './portability/imports/await-file.processor.ts'
import { qualificationSweeps } from './qualification/qualification.sweeps.ts'
import { bookingInvitations } from './scheduling/booking-invitations.ts'
import { mailGuestDecision, sendConfirmationMail, sendHoldEndedMail } from './scheduling/guest-mails.processor.ts'
import { judgeAtRisk, judgeWeather, markAtRisk } from './scheduling/judging.processor.ts'
import { schedulingSweeps } from './scheduling/scheduling.sweeps.ts'
import { trainingSweeps } from './training/training.sweeps.ts'
import { readSubject } from './webhook-records.ts'
import { eraseDocumentsLeft } from './workflows/erase-documents.processor.ts'

/** The processor of every job. A job without a processor, or with two, does not compile. */
export const processors: { [Name in keyof Jobs]: JobProcessor<Jobs[Name]> } = {
  'invoices.raise-at-gateway': issueInvoiceAtGateway,
  'invoices.invoice-signed-off': invoiceFlightSignedOff,
  'invoices.invoice-waited': invoiceFlightWaited,
  'invoices.notify-payer': mailPayer,
  'invoices.void-at-gateway': voidInvoiceAtGateway,
  'autopay.charge': chargeInvoice,
  'autopay.detach-cards': detachCards,
  'autopay.notify-of-charge': mailOfCharge,
  'invoices.refund-at-gateway': refundInvoiceAtGateway,
  'imports.await-file': awaitFileOfImport,
  'members.notify-wide-reading': sendWideReadingMail,
  'credits.refund-at-gateway': refundCredit,
  'packages.bill-shortfall': billPackageShortfall,
  'payments.follow-at-gateway': followMoneyOfInvoice,
  'payments.sweep-gateway-events': readLostEvents,
  'payments.refund-overpaid': refundOverpaid,
  'ledger.notify-own-money': sendOwnMoneyMail,
  'invoices.settle-at-gateway': settleInvoiceAtGateway,
  'invoices.follow-at-gateway': syncInvoiceFromGateway,
  'invoices.end-left-at-gateway': closeInvoicesLeftAtGateway,
  'invoices.connect-account': connectSchoolAccount,
  'invoices.reconcile': reconcileSomeInvoices,
  'maintenance.review-due': reviewMaintenance,
  'accounts.send-mail-token': sendMailTokenMail,
  'accounts.notify-password-changed': sendPasswordChangedMail,
  'organizations.send-invitation': sendInvitationMail,
  'organizations.notify-join-decision': sendJoinDecisionMail,
  'organizations.notify-operator-act': sendOperatorActedMail,
  'accounts.notify-signed-up': sendSignedUpMail,
  'organizations.notify-owners-changed': sendOwnerChangedMail,
  'organizations.apply-loosened': applyLoosenedOfOrganization,
  'organizations.clear-queues': clearQueuesOfOrganization,
  'organizations.notify-deleted': sendOrganizationDeletedMail,
  'booking-requests.notify-guest-decision': mailGuestDecision,
  'offerings.send-confirmation': sendConfirmationMail,
  'offerings.send-hold-ended': sendHoldEndedMail,
  'events.fan-out': fanOutToSubscribers,
  'notifications.notify-concerned': fanOutNotification(notificationDefinitions),
  'notifications.mail': sendNotificationMail(notificationDefinitions, bookingInvitations),
  'notifications.push': pushToDevices(notificationDefinitions),
  'announcements.publish': notifyPublishedAnnouncement,
  'meeting.create': createMeetingOfRequest,
  'webhooks.render': renderWebhookEvent(readSubject),
  'webhooks.send': sendOneWebhook,
  'webhooks.retry': queueWebhookAgain,
  'webhooks.resume': resumeLostWebhooks,
  'webhooks.mail-disabled': mailWebhookDisabled,
  'webhooks.mail-left': mailWebhooksLeft,
  'exports.mail': mailExport,
  'members.erase-left-papers': eraseDocumentsLeft,
  'storage.settle-upload': finalizeStoredUpload,
  'storage.drop-object': dropObjectFromStorage,
  'storage.drop-folder': dropFolderFromStorage,
  'reservations.judge-weather': judgeWeather,
  'reservations.judge-at-risk': judgeAtRisk,
  'reservations.mark-at-risk': markAtRisk,
  'operations.run': runOperationRest,
  'deliveries.close-abandoned': closeDeliveriesLeftOpen,
  'retention.purge-expired': purgeWhatExpired,
  ...billingSweeps,
  ...dispatchSweeps,
  ...qualificationSweeps,
  ...schedulingSweeps,
  ...trainingSweeps,
}
