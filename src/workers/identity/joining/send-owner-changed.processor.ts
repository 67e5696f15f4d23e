import { findOwnerChangeToMail } from '../../../shared/identity/members/owner.queries.ts'
import type { mailOwnerChanged, OwnerChange } from '../../../shared/identity/organizations/organizations.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../platform/send-mail.ts'

const happened: Record<OwnerChange, (by: string, whom: string) => string> = {
  invited: (by, whom) => `${by} invited ${whom} to become an owner.`,
  made: (by, whom) => `${by} made ${whom} an owner.`,
  joined: (by, whom) => `${whom} accepted the invitation of ${by} and is an owner.`,
  unmade: (by, whom) => `${by} removed the role of owner from ${whom}.`,
  papers_waived: (by) =>
    `${by} no longer requires the document of the paper for overrides of ratings and endorsements (settings.overridesNeedPaper).`,
  removed: (by, whom) => (by === whom ? `${whom}, an owner, left.` : `${by} removed ${whom}, who was an owner.`),
}

/**
 * Mails an account about a change of the organization's owners. Sends nothing when the organization or the account is
 * deleted.
 */
export const mailOwnerChangedProcessor: JobProcessor<typeof mailOwnerChanged> = async (payload, tools, run) => {
  const found = await findOwnerChangeToMail(tools.database.db, payload)
  if (!found) return
  const organization = cleanName(found.organization)
  const by = cleanName(found.by ?? '') || 'Somebody'
  const whom = cleanName(found.whom ?? '') || found.invited || 'somebody'
  await sendMail(tools, run, {
    to: { name: found.name, address: found.address },
    subject: `Change of the ${payload.change === 'papers_waived' ? 'rules' : 'owners'} of ${organization}`,
    paragraphs: [
      `Hello ${found.name},`,
      happened[payload.change](by, whom),
      'All owners get this mail. If none of you agreed to it, change your passwords, and check the audit log.',
    ],
    footer: `You get this mail because it concerns the owners of ${organization}.`,
    organizationId: payload.organizationId,
    group: 'security',
  })
}
