import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { tellPasswordChanged } from './accounts.jobs.ts'
import { endAccess, endResetLinks } from './end-access.ts'
import { lockAccount } from './lock-account.ts'
import { findOwnerOfLink, mailToken, useMailToken } from './mail-token.ts'
import type { PasswordJudge } from './password-judge.ts'
import { hashPassword } from './passwords.ts'

/** Mails a link for a new password, when the address has an account; does nothing visible otherwise. Earlier links end. */
export async function forgotPassword(tx: Tx, mailTokens: MailTokens, email: string): Promise<void> {
  const account = await lockAccount(tx, { email })
  if (!account) return
  await endResetLinks(tx, account.id)
  await mailToken(tx, mailTokens, account.id, 'reset_password')
}

/**
 * The hash of the password that somebody sets with a mailed token: judged only when the token is good.
 * @throws Invalid when the link is expired or used, or the password too weak; Unavailable when too many passwords wait.
 */
export async function hashForReset(
  { db, mailTokens, passwordJudge }: { db: Db; mailTokens: MailTokens; passwordJudge: PasswordJudge },
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<string> {
  await passwordJudge.check(password, await findOwnerOfLink(db, mailTokens, token, 'reset_password', now))
  return hashPassword(password)
}

/**
 * Sets a new password with a mailed token, tells the owner of the address, and ends whatever was opened before: tokens,
 * other links, calendar addresses, push devices, connected accounts. Reading the mail also proves the address.
 * @throws Invalid when the link is expired or used.
 */
export async function resetPassword(
  tx: Tx,
  mailTokens: MailTokens,
  token: string,
  passwordHash: string,
): Promise<void> {
  // The account is locked before its links, as everywhere.
  const { id } = await findOwnerOfLink(tx.db, mailTokens, token, 'reset_password', tx.now)
  const account = await lockAccount(tx, { id })
  if (!account) throw new Invalid('This account does not exist any more.')
  await useMailToken(tx, mailTokens, token, 'reset_password')
  await endAccess(tx, account)
  tx.em.assign(account, { passwordHash, emailVerifiedAt: account.emailVerifiedAt ?? tx.now })
  tx.enqueue(tellPasswordChanged, { accountId: id, changedAt: tx.now.toISOString() })
}
