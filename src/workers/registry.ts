import type { Jobs } from '../shared/composition/all-jobs.ts'
import type { JobProcessor } from '../shared/platform/jobs/job-tools.ts'
import { billingSweeps } from './billing/billing.sweeps.ts'
import { chargeFeeProcessor } from './billing/fees/charge-fee.processor.ts'
import { closeLeftAtGatewayProcessor } from './billing/invoices/close-left-at-gateway.processor.ts'
import { connectAccountProcessor } from './billing/invoices/connect-account.processor.ts'
import { issueAtGatewayProcessor } from './billing/invoices/issue-at-gateway.processor.ts'
import { notifyPayerProcessor } from './billing/invoices/notify-payer.processor.ts'
import { settleAtGatewayProcessor } from './billing/invoices/settle-at-gateway.processor.ts'
import {
  invoiceSignedOffProcessor,
  invoiceWaitedProcessor,
  reconcileInvoicesProcessor,
  syncInvoiceProcessor,
} from './billing/invoices/upkeep.processor.ts'
import { voidAtGatewayProcessor } from './billing/invoices/void-at-gateway.processor.ts'
import { billShortfallProcessor } from './billing/packages/packages.processor.ts'
import { chargeByAutopayProcessor, detachCardsLeftProcessor } from './billing/payments/autopay.processor.ts'
import {
  mailOfLedgerPaymentProcessor,
  payOpenFromLedgerProcessor,
} from './billing/payments/ledger-payments.processor.ts'
import { mailReceiptProcessor } from './billing/payments/mail-receipt.processor.ts'
import { mailOfChargeProcessor } from './billing/payments/notify-of-charge.processor.ts'
import { mailOwnMoneyProcessor } from './billing/payments/own-money.processor.ts'
import {
  followMoneyAtGatewayProcessor,
  refundAtGatewayProcessor,
  refundCreditAtGatewayProcessor,
  refundOverpaidAtGatewayProcessor,
} from './billing/payments/payments.processor.ts'
import { sweepGatewayEventsProcessor } from './billing/payments/sweep-gateway-events.processor.ts'
import { createMeetingProcessor } from './communication/meetings/create-meeting.processor.ts'
import {
  fanOutNotificationProcessor,
  publishAnnouncementProcessor,
} from './communication/notifications/fan-out.processor.ts'
import { mailNotificationProcessor } from './communication/notifications/mail-notification.processor.ts'
import { pushNotificationProcessor } from './communication/notifications/push-notification.processor.ts'
import { sendWebhookProcessor } from './communication/webhooks/send-webhook.processor.ts'
import {
  mailWebhookDisabledProcessor,
  mailWebhooksLeftProcessor,
  renderWebhookProcessor,
  resumeWebhooksProcessor,
  retryWebhookProcessor,
} from './communication/webhooks/webhooks.processor.ts'
import { dispatchSweeps } from './dispatch/dispatch.sweeps.ts'
import { reviewMaintenanceProcessor } from './fleet/maintenance/review-maintenance.processor.ts'
import {
  mailPasswordChangedProcessor,
  mailSignedUpByInvitationProcessor,
  sendMailTokenProcessor,
} from './identity/accounts/account-mails.processor.ts'
import { mailOperatorActedProcessor } from './identity/accounts/send-operator-acted.processor.ts'
import {
  mailJoinDecisionProcessor,
  mailOrganizationDeletedProcessor,
  mailWideReadingProcessor,
  sendInvitationProcessor,
} from './identity/joining/joining-mails.processor.ts'
import { mailOwnerChangedProcessor } from './identity/joining/send-owner-changed.processor.ts'
import { applyLoosenedProcessor, clearQueuesProcessor } from './identity/organizations/organizations.processor.ts'
import { notificationDefinitions } from './notification-definitions.ts'
import {
  closeAbandonedDeliveriesProcessor,
  dropStoredFolderProcessor,
  dropStoredObjectProcessor,
  fanOutEventsProcessor,
  finalizeUploadProcessor,
  purgeExpiredProcessor,
  runOperationProcessor,
} from './platform/platform.processor.ts'
import { mailExportProcessor } from './portability/exports/mail-export.processor.ts'
import { awaitImportFileProcessor } from './portability/imports/await-file.processor.ts'
import { qualificationSweeps } from './qualification/qualification.sweeps.ts'
import { bookingInvitations } from './scheduling/booking-invitations.ts'
import {
  mailGuestDecisionProcessor,
  sendConfirmationProcessor,
  sendHoldEndedProcessor,
} from './scheduling/guest-mails.processor.ts'
import { hashPaperProcessor } from './scheduling/hash-paper.processor.ts'
import { judgeAtRiskProcessor, judgeWeatherProcessor, markAtRiskProcessor } from './scheduling/judging.processor.ts'
import { schedulingSweeps } from './scheduling/scheduling.sweeps.ts'
import { expireOfferProcessor, offerPlacesProcessor, sweepWaitlistProcessor } from './scheduling/waitlist.processor.ts'
import { trainingSweeps } from './training/training.sweeps.ts'
import { readSubject } from './webhook-records.ts'
import { eraseLeftDocumentsProcessor } from './workflows/erase-documents.processor.ts'
import { releaseNoShowsProcessor } from './workflows/release-no-shows.processor.ts'

/** The processor of every job. A job without a processor, or with two, does not compile. */
export const processors: { [Name in keyof Jobs]: JobProcessor<Jobs[Name]> } = {
  'waitlist.offer-places': offerPlacesProcessor,
  'waitlist.expire-offer': expireOfferProcessor,
  'waitlist.sweep-waitlist': sweepWaitlistProcessor,
  'dispatch.release-no-shows': releaseNoShowsProcessor,
  'fees.charge-fee': chargeFeeProcessor,
  'invoices.issue-at-gateway': issueAtGatewayProcessor,
  'invoices.invoice-signed-off': invoiceSignedOffProcessor,
  'invoices.invoice-waited': invoiceWaitedProcessor,
  'invoices.notify-payer': notifyPayerProcessor,
  'invoices.void-at-gateway': voidAtGatewayProcessor,
  'autopay.charge-by-autopay': chargeByAutopayProcessor,
  'autopay.detach-cards-left': detachCardsLeftProcessor,
  'autopay.mail-of-charge': mailOfChargeProcessor,
  'payments.mail-of-ledger-payment': mailOfLedgerPaymentProcessor,
  'payments.pay-open-from-ledger': payOpenFromLedgerProcessor,
  'invoices.refund-at-gateway': refundAtGatewayProcessor,
  'imports.await-import-file': awaitImportFileProcessor,
  'members.mail-wide-reading': mailWideReadingProcessor,
  'credits.refund-credit-at-gateway': refundCreditAtGatewayProcessor,
  'packages.bill-shortfall': billShortfallProcessor,
  'payments.follow-money-at-gateway': followMoneyAtGatewayProcessor,
  'payments.sweep-gateway-events': sweepGatewayEventsProcessor,
  'payments.refund-overpaid-at-gateway': refundOverpaidAtGatewayProcessor,
  'ledger.mail-own-money': mailOwnMoneyProcessor,
  'ledger.mail-receipt': mailReceiptProcessor,
  'invoices.settle-at-gateway': settleAtGatewayProcessor,
  'invoices.sync-invoice': syncInvoiceProcessor,
  'invoices.close-left-at-gateway': closeLeftAtGatewayProcessor,
  'invoices.connect-account': connectAccountProcessor,
  'invoices.reconcile-invoices': reconcileInvoicesProcessor,
  'maintenance.review-maintenance': reviewMaintenanceProcessor,
  'accounts.send-mail-token': sendMailTokenProcessor,
  'accounts.mail-password-changed': mailPasswordChangedProcessor,
  'organizations.send-invitation': sendInvitationProcessor,
  'organizations.mail-join-decision': mailJoinDecisionProcessor,
  'organizations.mail-operator-acted': mailOperatorActedProcessor,
  'accounts.mail-signed-up-by-invitation': mailSignedUpByInvitationProcessor,
  'organizations.mail-owner-changed': mailOwnerChangedProcessor,
  'organizations.apply-loosened': applyLoosenedProcessor,
  'organizations.clear-queues': clearQueuesProcessor,
  'organizations.mail-organization-deleted': mailOrganizationDeletedProcessor,
  'booking-requests.mail-guest-decision': mailGuestDecisionProcessor,
  'offerings.send-confirmation': sendConfirmationProcessor,
  'offerings.send-hold-ended': sendHoldEndedProcessor,
  'events.fan-out-events': fanOutEventsProcessor,
  'notifications.fan-out-notification': fanOutNotificationProcessor(notificationDefinitions),
  'notifications.mail-notification': mailNotificationProcessor(notificationDefinitions, bookingInvitations),
  'notifications.push-notification': pushNotificationProcessor(notificationDefinitions),
  'announcements.publish-announcement': publishAnnouncementProcessor,
  'meetings.create-meeting': createMeetingProcessor,
  'webhooks.render-webhook': renderWebhookProcessor(readSubject),
  'webhooks.send-webhook': sendWebhookProcessor,
  'webhooks.retry-webhook': retryWebhookProcessor,
  'webhooks.resume-webhooks': resumeWebhooksProcessor,
  'webhooks.mail-webhook-disabled': mailWebhookDisabledProcessor,
  'webhooks.mail-webhooks-left': mailWebhooksLeftProcessor,
  'exports.mail-export': mailExportProcessor,
  'members.erase-left-documents': eraseLeftDocumentsProcessor,
  'storage.finalize-upload': finalizeUploadProcessor,
  'storage.drop-stored-object': dropStoredObjectProcessor,
  'storage.drop-stored-folder': dropStoredFolderProcessor,
  'rules.hash-paper': hashPaperProcessor,
  'reservations.judge-weather': judgeWeatherProcessor,
  'reservations.judge-at-risk': judgeAtRiskProcessor,
  'reservations.mark-at-risk': markAtRiskProcessor,
  'operations.run-operation': runOperationProcessor,
  'deliveries.close-abandoned-deliveries': closeAbandonedDeliveriesProcessor,
  'retention.purge-expired': purgeExpiredProcessor,
  ...billingSweeps,
  ...dispatchSweeps,
  ...qualificationSweeps,
  ...schedulingSweeps,
  ...trainingSweeps,
}
