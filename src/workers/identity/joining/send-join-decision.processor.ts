import { findDecisionToMail } from '../../../shared/identity/joining/join-request.queries.ts'
import type { joinDecisionJob } from '../../../shared/identity/organizations/organizations.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../send-mail.ts'

/** Mails a person the decision on their join request, unless the organization or the account is deleted by now. */
export const sendJoinDecisionMail: JobProcessor<typeof joinDecisionJob> = async (payload, tools, run) => {
  const row = await findDecisionToMail(tools.database.db, payload.organizationId, payload.joinRequestId)
  if (!row) return
  const { subject, text } = templates[row.status](cleanName(row.organization))
  await sendMail(tools, run, {
    to: { name: row.name, address: row.email },
    subject,
    paragraphs: [`Hello ${row.name},`, text],
    footer: `You get this mail because you asked to join ${row.organization}.`,
  })
}

const templates = {
  approved: (organization: string) => ({
    subject: `You are a member of ${organization}`,
    text: `${organization} has approved your request to join. Sign in and switch to it to begin.`,
  }),
  declined: (organization: string) => ({
    subject: `Your request to join ${organization}`,
    text: `${organization} has declined your request to join. Please ask them if you think that this is a mistake.`,
  }),
}
