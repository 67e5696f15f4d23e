import type { MailTokens } from '../adapters/tokens/mail-tokens.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { Invalid } from '../kernel/errors.ts'
import { Account } from './account.entity.ts'
import { findOwnerOfLink, mailToken, useMailToken } from './mail-token.ts'
import type { PasswordJudge } from './password-judge.ts'
import { hashPassword } from './passwords.ts'

/** Mails a link for a new password, when the address has an account; does nothing visible otherwise. */
export async function forgotPassword(tx: Tx, mailTokens: MailTokens, email: string): Promise<void> {
  const account = await tx.em.findOne(Account, { email, deletedAt: null })
  if (account) await mailToken(tx, mailTokens, account.id, 'reset_password')
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
 * Sets a new password with a mailed token; every token issued before ends. Reading the mail also proves the address.
 * @throws Invalid when the link is expired or used.
 */
export async function resetPassword(
  tx: Tx,
  mailTokens: MailTokens,
  token: string,
  passwordHash: string,
): Promise<void> {
  const accountId = await useMailToken(tx, mailTokens, token, 'reset_password')
  const account = await tx.em.findOne(Account, { id: accountId, deletedAt: null })
  if (!account) throw new Invalid('This account does not exist any more.')
  tx.em.assign(account, {
    passwordHash,
    tokensValidFrom: tx.now,
    emailVerifiedAt: account.emailVerifiedAt ?? tx.now,
  })
}
