import type { Jobs } from '../shared/composition/all-jobs.ts'
import type { JobProcessor } from '../shared/platform/jobs/job-tools.ts'
import { closeInvoicesLeftAtGateway } from './billing/invoices/close-left-at-gateway.processor.ts'
import { connectSchoolAccount } from './billing/invoices/connect-account.processor.ts'
import { issueInvoiceAtGateway } from './billing/invoices/issue-at-gateway.processor.ts'
import { reconcileSomeInvoices } from './billing/invoices/reconcile-invoices.processor.ts'
import { refundInvoiceAtGateway } from './billing/invoices/refund-at-gateway.processor.ts'
import { remindPayersOverdue } from './billing/invoices/remind-overdue.processor.ts'
import { settleInvoiceAtGateway } from './billing/invoices/settle-at-gateway.processor.ts'
import { syncInvoiceFromGateway } from './billing/invoices/sync-from-gateway.processor.ts'
import { voidInvoiceAtGateway } from './billing/invoices/void-at-gateway.processor.ts'
import { notifyPublishedAnnouncement } from './communication/announcements/publish-announcement.processor.ts'
import { createMeetingOfRequest } from './communication/meetings/create-meeting.processor.ts'
import { fanOutNotification } from './communication/notifications/fan-out.processor.ts'
import { sendNotificationMail } from './communication/notifications/mail-notification.processor.ts'
import { pushToDevices } from './communication/notifications/push-notification.processor.ts'
import { mailWebhookDisabled } from './communication/webhooks/mail-disabled.processor.ts'
import { renderWebhookEvent } from './communication/webhooks/render-webhook.processor.ts'
import { queueWebhookAgain, resumeLostWebhooks } from './communication/webhooks/retry-webhook.processor.ts'
import { sendOneWebhook } from './communication/webhooks/send-webhook.processor.ts'
import { remindOfUnsignedCloseOuts } from './dispatch/remind-unsigned.processor.ts'
import { reviewMaintenanceDue } from './fleet/maintenance/review-maintenance.processor.ts'
import { sendMailTokenMail } from './identity/accounts/send-mail-token.processor.ts'
import { sendPasswordChangedMail } from './identity/accounts/send-password-changed.processor.ts'
import { sendInvitationMail } from './identity/joining/send-invitation.processor.ts'
import { sendJoinDecisionMail } from './identity/joining/send-join-decision.processor.ts'
import { clearQueuesOfOrganization } from './identity/organizations/clear-queues.processor.ts'
import { fanOutToSubscribers } from './platform/events/fan-out-events.processor.ts'
import { purgeWhatExpired } from './platform/retention/purge-expired.processor.ts'
import { dropFolderFromStorage, dropObjectFromStorage } from './platform/storage/drop-object.processor.ts'
import { finalizeStoredUpload } from './platform/storage/finalize-upload.processor.ts'
import { notifyExpiringCurrencies } from './qualification/currencies/notify-expiring.processor.ts'
import { notifyExpiringDocuments } from './qualification/documents/notify-expiring.processor.ts'
import { mailGuestDecision } from './scheduling/booking-requests/mail-guest-decision.processor.ts'
import { sendConfirmationMail } from './scheduling/offerings/send-confirmation.processor.ts'
import { remindOfUpcoming } from './scheduling/reservations/remind-upcoming.processor.ts'
import { notifyExpiringEndorsements } from './training/tell-expiring.processor.ts'

/** The processor of every job. A job without a processor, or with two, does not compile. */
export const processors: { [Name in keyof Jobs]: JobProcessor<Jobs[Name]> } = {
  'invoices.raise-at-processor': issueInvoiceAtGateway,
  'invoices.void-at-processor': voidInvoiceAtGateway,
  'invoices.refund-at-processor': refundInvoiceAtGateway,
  'invoices.settle-at-processor': settleInvoiceAtGateway,
  'invoices.follow-at-processor': syncInvoiceFromGateway,
  'invoices.end-left-at-processor': closeInvoicesLeftAtGateway,
  'invoices.connect-account': connectSchoolAccount,
  'invoices.reconcile': reconcileSomeInvoices,
  'invoices.remind-overdue': remindPayersOverdue,
  'maintenance.review-due': reviewMaintenanceDue,
  'accounts.send-mail-token': sendMailTokenMail,
  'accounts.tell-password-changed': sendPasswordChangedMail,
  'organizations.send-invitation': sendInvitationMail,
  'organizations.tell-join-decision': sendJoinDecisionMail,
  'organizations.clear-queues': clearQueuesOfOrganization,
  'booking-requests.tell-guest-decision': mailGuestDecision,
  'offerings.send-confirmation': sendConfirmationMail,
  'events.fan-out': fanOutToSubscribers,
  'notifications.notify-concerned': fanOutNotification,
  'notifications.mail': sendNotificationMail,
  'notifications.push': pushToDevices,
  'announcements.publish': notifyPublishedAnnouncement,
  'meeting.create': createMeetingOfRequest,
  'webhooks.render': renderWebhookEvent,
  'webhooks.send': sendOneWebhook,
  'webhooks.retry': queueWebhookAgain,
  'webhooks.resume': resumeLostWebhooks,
  'webhooks.mail-disabled': mailWebhookDisabled,
  'storage.settle-upload': finalizeStoredUpload,
  'storage.drop-object': dropObjectFromStorage,
  'storage.drop-folder': dropFolderFromStorage,
  'training.tell-expiring-endorsements': notifyExpiringEndorsements,
  'currencies.tell-expiring': notifyExpiringCurrencies,
  'documents.tell-expiring': notifyExpiringDocuments,
  'reservations.remind-upcoming': remindOfUpcoming,
  'close-out.remind-unsigned': remindOfUnsignedCloseOuts,
  'retention.purge-expired': purgeWhatExpired,
}
