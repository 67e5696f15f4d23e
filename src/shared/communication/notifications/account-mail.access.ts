import type { Tx } from '../../platform/db/transaction.ts'
import { mailboxOf } from '../../platform/kernel/mailbox.ts'
import { countOnce } from './mail-count.access.ts'
import { hashOfAddress } from './unproven-mail.access.ts'

/**
 * The most links per hour to one mailbox, for accounts whose address is not verified. For a new password more than one
 * account is mailed in an hour by itself, so that of such an account the last link always arrives.
 */
const MOST_LINKS = { verify_email: 5, reset_password: 10 } as const

/**
 * Counts the mail of a link to an account whose address is not verified. Returns false when the mailbox got `MOST_LINKS`
 * times `factor` of its purpose within the hour: anybody can sign up with any address, with any number of tags after a `+`, and
 * delete the account to sign up again. The address of the mailbox itself has a counter of its own, so that accounts with
 * other spellings do not hold up the mails of its owner.
 */
export async function countLink(
  tx: Tx,
  { jobId, address, purpose }: { jobId: string; address: string; purpose: keyof typeof MOST_LINKS },
  factor: number,
): Promise<boolean> {
  const mailbox = mailboxOf(address)
  const key = `${purpose} ${hashOfAddress(mailbox === address ? mailbox : `other ${mailbox}`)}`
  const limit = { scope: 'account_mailbox', key, per: 'hour', most: Math.ceil(MOST_LINKS[purpose] * factor) } as const
  return (await countOnce(tx, jobId, [limit])).length === 0
}
