import type { joinDecisionJob } from '../../../shared/identity/organizations/organizations.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { cleanName } from '../../../shared/platform/kernel/clean-name.ts'
import { sendMail } from '../../send-mail.ts'

/** Mails a person the decision on their join request, unless the organization or the account is deleted by now. */
export const sendJoinDecisionMail: JobProcessor<typeof joinDecisionJob> = async (payload, tools, run) => {
  const row = await tools.database.db
    .selectFrom('join_request')
    .innerJoin('account', 'account.id', 'join_request.account_id')
    .innerJoin('organization', 'organization.id', 'join_request.organization_id')
    .select(['account.name', 'account.email', 'organization.name as organization', 'join_request.status'])
    .where('join_request.organization_id', '=', payload.organizationId)
    .where('join_request.id', '=', payload.joinRequestId)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row || row.status === 'pending') return
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
