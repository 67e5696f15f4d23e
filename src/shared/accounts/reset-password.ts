import type { MailTokens } from '../adapters/tokens/mail-tokens.ts'
import type { Tx } from '../db/transaction.ts'
import { Invalid } from '../kernel/errors.ts'
import { Account } from './account.entity.ts'
import { mailToken, useMailToken } from './mail-token.ts'
import { checkPassword, hashPassword } from './passwords.ts'

/** Mails a link for a new password, when the address has an account; does nothing visible otherwise. */
export async function forgotPassword(tx: Tx, mailTokens: MailTokens, email: string): Promise<void> {
  const account = await tx.em.findOne(Account, { email, deletedAt: null })
  if (account) await mailToken(tx, mailTokens, account.id, 'reset_password')
}

/**
 * Sets a new password with a mailed token; every token issued before ends. Reading the mail also proves the address.
 * @throws Invalid when the link is expired or used, or the password too weak.
 */
export async function resetPassword(tx: Tx, mailTokens: MailTokens, token: string, password: string): Promise<void> {
  checkPassword(password, [])
  const passwordHash = await hashPassword(password)
  const accountId = await useMailToken(tx, mailTokens, token, 'reset_password')
  const account = await tx.em.findOne(Account, { id: accountId, deletedAt: null })
  if (!account) throw new Invalid('This account does not exist any more.')
  tx.em.assign(account, {
    passwordHash,
    tokensValidFrom: tx.now,
    emailVerifiedAt: account.emailVerifiedAt ?? tx.now,
  })
}
