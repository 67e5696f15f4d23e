import { chargeByAutopay, detachCardsLeft, mailOfCharge } from '../billing/autopay/autopay.jobs.ts'
import { refundCreditAtGateway } from '../billing/credit-notes/credit-notes.jobs.ts'
import { chargeDueFees, chargeFee } from '../billing/fees/fees.jobs.ts'
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
  syncInvoice,
  voidAtGateway,
} from '../billing/invoices/invoices.jobs.ts'
import { mailOwnMoney, mailReceipt } from '../billing/ledger/own-money.jobs.ts'
import { billShortfall } from '../billing/packages/packages.jobs.ts'
import { mailOfLedgerPayment, payOpenFromLedger } from '../billing/payments/ledger-payments.jobs.ts'
import { followMoneyAtGateway, refundOverpaidAtGateway, sweepGatewayEvents } from '../billing/payments/payments.jobs.ts'
import {
  createMeeting,
  fanOutNotification,
  mailNotification,
  publishAnnouncement,
  pushNotification,
} from '../communication/communication.jobs.ts'
import {
  mailWebhookDisabled,
  mailWebhooksLeft,
  renderWebhook,
  resumeWebhooks,
  retryWebhook,
  sendWebhook,
} from '../communication/webhooks/webhooks.jobs.ts'
import { remindLate, remindUnsigned } from '../dispatch/close-out.jobs.ts'
import { reviewMaintenance } from '../fleet/maintenance/maintenance.jobs.ts'
import { mailPasswordChanged, mailSignedUpByInvitation, sendMailToken } from '../identity/accounts/accounts.jobs.ts'
import {
  applyLoosened,
  clearQueues,
  mailJoinDecision,
  mailOperatorActed,
  mailOrganizationDeleted,
  mailOwnerChanged,
  mailWideReading,
  sendInvitation,
} from '../identity/organizations/organizations.jobs.ts'
import type { Job } from '../platform/contracts/define-job.ts'
import { fanOutEvents } from '../platform/contracts/events.jobs.ts'
import { closeAbandonedDeliveries } from '../platform/deliveries/deliveries.jobs.ts'
import { runOperation } from '../platform/operations/operations.jobs.ts'
import { purgeExpired } from '../platform/retention/retention.jobs.ts'
import { dropStoredFolder, dropStoredObject, finalizeUpload } from '../platform/storage/storage.jobs.ts'
import { mailExport } from '../portability/exports/exports.jobs.ts'
import { awaitImportFile } from '../portability/imports/imports.jobs.ts'
import { remindExpiringCurrencies, remindExpiringDocuments } from '../qualification/qualification.jobs.ts'
import {
  expireOffer,
  hashPaper,
  judgeAtRisk,
  judgeWeather,
  mailGuestDecision,
  markAtRisk,
  notifyOverrides,
  offerPlaces,
  remindUpcoming,
  sendConfirmation,
  sendHoldEnded,
  sweepWaitlist,
} from '../scheduling/scheduling.jobs.ts'
import { remindExpiringEndorsements } from '../training/training.jobs.ts'
import { eraseLeftDocuments, releaseNoShows } from '../workflows/workflows.jobs.ts'

const list = [
  offerPlaces,
  expireOffer,
  sweepWaitlist,
  mailWideReading,
  eraseLeftDocuments,
  mailExport,
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
  mailOfLedgerPayment,
  payOpenFromLedger,
  mailOfCharge,
  mailOwnMoney,
  mailReceipt,
  notifyPayer,
  settleAtGateway,
  syncInvoice,
  closeLeftAtGateway,
  connectAccount,
  reconcileInvoices,
  remindOverdue,
  reviewMaintenance,
  sendMailToken,
  mailPasswordChanged,
  mailSignedUpByInvitation,
  mailOperatorActed,
  mailOwnerChanged,
  sendInvitation,
  mailJoinDecision,
  applyLoosened,
  clearQueues,
  mailOrganizationDeleted,
  mailGuestDecision,
  sendConfirmation,
  sendHoldEnded,
  fanOutEvents,
  fanOutNotification,
  mailNotification,
  pushNotification,
  publishAnnouncement,
  createMeeting,
  renderWebhook,
  sendWebhook,
  retryWebhook,
  resumeWebhooks,
  mailWebhookDisabled,
  mailWebhooksLeft,
  closeAbandonedDeliveries,
  finalizeUpload,
  dropStoredObject,
  dropStoredFolder,
  remindUpcoming,
  judgeWeather,
  remindExpiringEndorsements,
  remindExpiringCurrencies,
  remindExpiringDocuments,
  remindUnsigned,
  remindLate,
  notifyOverrides,
  hashPaper,
  judgeAtRisk,
  markAtRisk,
  purgeExpired,
  runOperation,
  invoiceSignedOff,
  invoiceWaited,
  chargeFee,
  chargeDueFees,
  releaseNoShows,
] as const

/** Every job of the service by name. The workers' registry does not compile without a processor for each. */
export type Jobs = { [J in (typeof list)[number] as J['name']]: J }

export const allJobs: Record<string, Job> = Object.fromEntries(list.map((job) => [job.name, job]))

if (Object.keys(allJobs).length !== list.length) throw new Error('two jobs have one name')
