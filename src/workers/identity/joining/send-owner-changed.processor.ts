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
  cashier: (by, whom) => `${by} made ${whom} a cashier, who can invoice and record payments.`,
  cashier_registrar: (by, whom) =>
    `${by} gave ${whom} a grant. ${whom} is now both a cashier, who can invoice and record payments, and a registrar, who can add people.`,
  papers_waived: (by) =>
    `${by} no longer requires the document of the paper for overrides of ratings and endorsements (settings.overridesNeedPaper).`,
  removed: (by, whom) => (by === whom ? `${whom}, an owner, left.` : `${by} removed ${whom}, who was an owner.`),
}

const ofMoney = { subject: 'Who can take money at', footer: 'you are an owner' }
/** What the subject and the footer of a change say, when it is not about the owners themselves. */
const about: Partial<Record<OwnerChange, typeof ofMoney>> = {
  cashier: ofMoney,
  cashier_registrar: ofMoney,
  papers_waived: { subject: 'Change of the rules of', footer: 'you are an owner' },
}

/**
 * Mails an account about a change of the organization's owners, of who can take money, or of what overrides need. Sends nothing
 * when the organization or the account is deleted.
 */
export const mailOwnerChangedProcessor: JobProcessor<typeof mailOwnerChanged> = async (payload, tools, run) => {
  const found = await findOwnerChangeToMail(tools.database.db, payload)
  if (!found) return
  const organization = cleanName(found.organization)
  const by = cleanName(found.by ?? '') || 'Somebody'
  const { subject, footer } = about[payload.change] ?? {
    subject: 'Change of the owners of',
    footer: 'it concerns the owners',
  }
  const whom = cleanName(found.whom ?? '') || found.invited || 'somebody'
  await sendMail(tools, run, {
    to: { name: found.name, address: found.address },
    subject: `${subject} ${organization}`,
    paragraphs: [
      `Hello ${found.name},`,
      happened[payload.change](by, whom),
      'All owners get this mail. If none of you agreed to it, change your passwords, and check the audit log.',
    ],
    footer: `You get this mail because ${footer} of ${organization}.`,
    organizationId: payload.organizationId,
    group: 'security',
  })
}
