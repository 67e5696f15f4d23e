import { chargeByAutopay, detachCardsLeft, tellOfCharge } from '../billing/autopay/autopay.jobs.ts'
import { refundCreditAtGateway } from '../billing/credit-notes/credit-notes.jobs.ts'
import {
  closeLeftAtGateway,
  connectAccount,
  invoiceSignedOff,
  invoiceWaited,
  issueAtGateway,
  notifyPayer,
  reconcileInvoices,
  refundAtGateway,
  remindOverdue,
  settleAtGateway,
  syncFromGatewayJob,
  voidAtGateway,
} from '../billing/invoices/invoices.jobs.ts'
import { ownMoneyMail } from '../billing/ledger/own-money.jobs.ts'
import { billShortfall } from '../billing/packages/packages.jobs.ts'
import { followMoneyAtGateway, refundOverpaidAtGateway, sweepGatewayEvents } from '../billing/payments/payments.jobs.ts'
import {
  createMeeting,
  fanOut,
  mailNotification,
  publishAnnouncement,
  pushNotification,
} from '../communication/communication.jobs.ts'
import {
  renderWebhook,
  resumeWebhooks,
  retryWebhook,
  sendWebhook,
  webhookDisabledMail,
  webhooksLeftMail,
} from '../communication/webhooks/webhooks.jobs.ts'
import { remindLate, remindUnsigned } from '../dispatch/close-out.jobs.ts'
import { reviewMaintenance } from '../fleet/maintenance/maintenance.jobs.ts'
import { passwordChangedMail, sendMailToken, signedUpByInvitationMail } from '../identity/accounts/accounts.jobs.ts'
import {
  applyLoosened,
  clearQueues,
  joinDecisionJob,
  operatorActedMail,
  organizationDeletedMail,
  ownerChangedMail,
  sendInvitation,
  wideReadingMail,
} from '../identity/organizations/organizations.jobs.ts'
import type { Job } from '../platform/contracts/define-job.ts'
import { fanOutEvents } from '../platform/contracts/events.jobs.ts'
import { closeAbandonedDeliveries } from '../platform/deliveries/deliveries.jobs.ts'
import { runOperation } from '../platform/operations/operations.jobs.ts'
import { purgeExpired } from '../platform/retention/retention.jobs.ts'
import { dropStoredFolder, dropStoredObject, finalizeUpload } from '../platform/storage/storage.jobs.ts'
import { exportMail } from '../portability/exports/exports.jobs.ts'
import { awaitImportFile } from '../portability/imports/imports.jobs.ts'
import { expiringCurrenciesJob, expiringDocumentsJob } from '../qualification/qualification.jobs.ts'
import {
  guestDecisionJob,
  judgeAtRisk,
  judgeWeather,
  markAtRisk,
  overridesDigest,
  remindUpcoming,
  sendConfirmation,
  sendHoldEnded,
} from '../scheduling/scheduling.jobs.ts'
import { expiringEndorsementsJob } from '../training/training.jobs.ts'
import { eraseLeftDocuments } from '../workflows/workflows.jobs.ts'

const list = [
  wideReadingMail,
  eraseLeftDocuments,
  exportMail,
  awaitImportFile,
  issueAtGateway,
  voidAtGateway,
  refundAtGateway,
  refundCreditAtGateway,
  billShortfall,
  followMoneyAtGateway,
  sweepGatewayEvents,
  refundOverpaidAtGateway,
  chargeByAutopay,
  detachCardsLeft,
  tellOfCharge,
  ownMoneyMail,
  notifyPayer,
  settleAtGateway,
  syncFromGatewayJob,
  closeLeftAtGateway,
  connectAccount,
  reconcileInvoices,
  remindOverdue,
  reviewMaintenance,
  sendMailToken,
  passwordChangedMail,
  signedUpByInvitationMail,
  operatorActedMail,
  ownerChangedMail,
  sendInvitation,
  joinDecisionJob,
  applyLoosened,
  clearQueues,
  organizationDeletedMail,
  guestDecisionJob,
  sendConfirmation,
  sendHoldEnded,
  fanOutEvents,
  fanOut,
  mailNotification,
  pushNotification,
  publishAnnouncement,
  createMeeting,
  renderWebhook,
  sendWebhook,
  retryWebhook,
  resumeWebhooks,
  webhookDisabledMail,
  webhooksLeftMail,
  closeAbandonedDeliveries,
  finalizeUpload,
  dropStoredObject,
  dropStoredFolder,
  remindUpcoming,
  judgeWeather,
  expiringEndorsementsJob,
  expiringCurrenciesJob,
  expiringDocumentsJob,
  remindUnsigned,
  remindLate,
  overridesDigest,
  judgeAtRisk,
  markAtRisk,
  purgeExpired,
  runOperation,
  invoiceSignedOff,
  invoiceWaited,
] as const

/** Every job of the service by name. The workers' registry does not compile without a processor for each. */
export type Jobs = { [J in (typeof list)[number] as J['name']]: J }

export const allJobs: Record<string, Job> = Object.fromEntries(list.map((job) => [job.name, job]))

if (Object.keys(allJobs).length !== list.length) throw new Error('two jobs have one name')
