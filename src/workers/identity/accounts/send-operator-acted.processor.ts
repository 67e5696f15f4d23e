import { findAddressee } from '../../../shared/identity/accounts/account.queries.ts'
import type { mailOperatorActed } from '../../../shared/identity/organizations/organizations.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { sendMail } from '../../platform/send-mail.ts'

/** The sentence of the mail per operator command. `name`: the person whose account was changed. */
const done = {
  'owner create': (name: string) => `${name} was made an owner of your organization.`,
  'owner reset-password': (name: string) => `A link was created with which ${name} can set a new password.`,
  'org create': (name: string) => `Your organization was created, with ${name} as its owner.`,
  'owner sign-out': (name: string) => `${name} was signed out on all devices.`,
}

/**
 * Mails an owner what an operator of the service did to an account. Sends nothing when that account or the account of
 * the recipient is deleted.
 */
export const mailOperatorActedProcessor: JobProcessor<typeof mailOperatorActed> = async (payload, tools, run) => {
  const { db } = tools.database
  const [owner, about] = [await findAddressee(db, payload.accountId), await findAddressee(db, payload.aboutAccountId)]
  if (!owner || !about) return
  const at = payload.at.replace('T', ' ').slice(0, 16)
  await sendMail(tools, run, {
    to: { name: owner.name, address: owner.email },
    subject: 'The operators of the service changed an account',
    paragraphs: [
      `Hello ${owner.name},`,
      `${done[payload.command](about.name)} The operators of the service did so on ${at} UTC.`,
      'All owners of the organization get this mail. If none of you asked for it, ask the operators.',
    ],
    footer: 'You get this mail because it concerns the security of your organization.',
    organizationId: null,
    group: 'security',
  })
}
