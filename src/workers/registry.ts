import type { Jobs } from '../shared/jobs/all-jobs.ts'
import type { JobProcessor } from '../shared/jobs/job-tools.ts'
import { sendMailTokenMail } from './accounts/send-mail-token.processor.ts'
import { raiseInvoiceAtProcessor } from './invoices/raise-at-processor.processor.ts'
import { sendInvitationMail } from './organizations/send-invitation.processor.ts'
import { sendJoinDecisionMail } from './organizations/tell-join-decision.processor.ts'

/** Every job and who does it. A job without a processor, or with two, does not compile. */
export const processors: { [Name in keyof Jobs]: JobProcessor<Jobs[Name]> } = {
  'invoices.raise-at-processor': raiseInvoiceAtProcessor,
  'accounts.send-mail-token': sendMailTokenMail,
  'organizations.send-invitation': sendInvitationMail,
  'organizations.tell-join-decision': sendJoinDecisionMail,
}
