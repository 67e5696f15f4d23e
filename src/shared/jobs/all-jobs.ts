import { sendMailToken, tellPasswordChanged } from '../accounts/accounts.jobs.ts'
import { publishAnnouncement } from '../announcements/announcements.jobs.ts'
import { tellGuestDecision } from '../booking-requests/booking-requests.jobs.ts'
import { remindUnsigned } from '../close-out/close-out.jobs.ts'
import { tellExpiringCurrencies } from '../currencies/currencies.jobs.ts'
import { tellExpiringDocuments } from '../documents/documents.jobs.ts'
import { createMeeting } from '../integrations/meetings.jobs.ts'
import {
  connectAccount,
  endLeftAtProcessor,
  followAtProcessor,
  raiseAtProcessor,
  reconcileInvoices,
  refundAtProcessor,
  remindOverdue,
  settleAtProcessor,
  voidAtProcessor,
} from '../invoices/invoices.jobs.ts'
import { reviewMaintenance } from '../maintenance/maintenance.jobs.ts'
import { mailNotification, notifyConcerned, pushNotification } from '../notifications/notifications.jobs.ts'
import { sendConfirmation } from '../offerings/offerings.jobs.ts'
import { clearQueues, sendInvitation, tellJoinDecision } from '../organizations/organizations.jobs.ts'
import { remindUpcoming } from '../reservations/reservations.jobs.ts'
import { purgeExpired } from '../retention/retention.jobs.ts'
import { dropStoredFolder, dropStoredObject, settleUpload } from '../storage/storage.jobs.ts'
import { tellExpiringEndorsements } from '../training/training.jobs.ts'
import type { Job } from './define-job.ts'

const list = [
  raiseAtProcessor,
  voidAtProcessor,
  refundAtProcessor,
  settleAtProcessor,
  followAtProcessor,
  endLeftAtProcessor,
  connectAccount,
  reconcileInvoices,
  remindOverdue,
  reviewMaintenance,
  sendMailToken,
  tellPasswordChanged,
  sendInvitation,
  tellJoinDecision,
  clearQueues,
  tellGuestDecision,
  sendConfirmation,
  notifyConcerned,
  mailNotification,
  pushNotification,
  publishAnnouncement,
  createMeeting,
  settleUpload,
  dropStoredObject,
  dropStoredFolder,
  remindUpcoming,
  tellExpiringEndorsements,
  tellExpiringCurrencies,
  tellExpiringDocuments,
  remindUnsigned,
  purgeExpired,
] as const

/** Every job of the service by name. The workers' registry must have a processor for each, or it does not compile. */
export type Jobs = { [J in (typeof list)[number] as J['name']]: J }

export const allJobs: Record<string, Job> = Object.fromEntries(list.map((job) => [job.name, job]))

if (Object.keys(allJobs).length !== list.length) throw new Error('two jobs have one name')
