import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { loadAccount } from './account.access.ts'
import { consumeMailToken, issueMailToken } from './issue-mail-token.ts'

/**
 * Changes the account's name and phone number. A null phone number removes it.
 * Implements interface §Members, PATCH /users.
 */
export async function updateAccount(
  tx: Tx,
  accountId: number,
  changes: { name?: string | undefined; phone?: string | null | undefined },
): Promise<void> {
  const account = await loadAccount(tx, accountId)
  account.name = changes.name ?? account.name
  if (changes.phone !== undefined) account.phone = changes.phone
}

/**
 * Verifies the address of an account with the token that was mailed to it. Consumes the token.
 * Implements interface §Authentication rule 7.
 */
export async function verifyEmail(tx: Tx, mailTokens: MailTokens, token: string): Promise<void> {
  const accountId = await consumeMailToken(tx, mailTokens, token, 'verify_email')
  const account = await loadAccount(tx, accountId)
  account.emailVerifiedAt ??= tx.now
}

/**
 * Mails a new verification link, unless the address is verified.
 * Implements interface §Authentication rule 7.
 */
export async function resendVerification(tx: Tx, mailTokens: MailTokens, accountId: number): Promise<void> {
  const account = await loadAccount(tx, accountId)
  if (!account.emailVerifiedAt) await issueMailToken(tx, mailTokens, accountId, 'verify_email')
}
