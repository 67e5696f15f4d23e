import { findAddressee } from '../../../shared/identity/accounts/account.queries.ts'
import type { passwordChangedMail } from '../../../shared/identity/accounts/accounts.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { sendMail } from '../../send-mail.ts'

/** Mails the owner of an address that the password was changed, unless the account is deleted by now. */
export const sendPasswordChangedMail: JobProcessor<typeof passwordChangedMail> = async (payload, tools, run) => {
  const account = await findAddressee(tools.database.db, payload.accountId)
  if (!account) return
  const at = payload.changedAt.replace('T', ' ').slice(0, 16)
  await sendMail(tools, run, {
    to: { name: account.name, address: account.email },
    subject: 'Your password was changed',
    paragraphs: [
      `Hello ${account.name},`,
      `The password of your account was changed on ${at} UTC, with a link that was mailed to this address.`,
      'All devices were signed out. Calendar addresses, push devices and connected accounts ended; please set them up again.',
      'If that was not you, somebody else reads your mail: secure your mailbox first, then ask for a new password.',
    ],
    footer: 'You get this mail because it concerns the security of your account.',
  })
}
