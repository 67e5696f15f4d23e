import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import { endAccess, endResetLinks, lockAccount } from './account.access.ts'
import { findMemberships } from './account.queries.ts'
import { mailPasswordChanged } from './accounts.jobs.ts'
import { hashPassword } from './hash-password.ts'
import { consumeMailToken, issueMailToken } from './issue-mail-token.ts'
import { findOwnerOfLink, findResetLinks } from './mail-token.queries.ts'
import type { PasswordJudge } from './password-judge.ts'

/** The most reset links that are mailed to one address in an hour, while the last of them can still be used for long enough. */
const MOST_LINKS = 5

/**
 * Mails a reset link to the address of an account. Earlier reset links stop working. Does nothing, without an error, when no account
 * has the address; or when it was mailed `MOST_LINKS` times `factor` links within the hour, of which the last one works: anybody can
 * request a link for any address.
 * Implements interface §Authentication rule 9.
 */
export async function forgotPassword(tx: Tx, mailTokens: MailTokens, email: string, factor: number): Promise<void> {
  const account = await lockAccount(tx, { email })
  if (!account) return
  const { links, lastWorks } = await findResetLinks(tx.db, account.id, tx.now)
  if (links >= Math.ceil(MOST_LINKS * factor) && lastWorks) return
  await endResetLinks(tx, account.id)
  await issueMailToken(tx, mailTokens, account.id, 'reset_password')
}

/** Returns the hash of a new password. The password is estimated only when the mailed token is valid. */
export async function hashForReset(
  { db, mailTokens, passwordJudge }: { db: Db; mailTokens: MailTokens; passwordJudge: PasswordJudge },
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<string> {
  await passwordJudge.check(password, await findOwnerOfLink(db, mailTokens, token, 'reset_password', now))
  return hashPassword(password)
}

/**
 * Sets a new password with a mailed token, enqueues a mail to the owner, and revokes all earlier access: tokens, other
 * links, calendar addresses, push devices, connected accounts. The token also verifies the address.
 * Implements interface §Authentication and accounts, POST /auth/reset-password.
 */
export async function resetPassword(
  tx: Tx,
  mailTokens: MailTokens,
  token: string,
  passwordHash: string,
): Promise<void> {
  // Lock order of all use cases: first the account, then its links.
  const { id } = await findOwnerOfLink(tx.db, mailTokens, token, 'reset_password', tx.now)
  const account = await lockAccount(tx, { id })
  if (!account) throw identityErrors.linkUsed()
  await consumeMailToken(tx, mailTokens, token, 'reset_password')
  await endAccess(tx, account)
  tx.em.assign(account, { passwordHash, emailVerifiedAt: account.emailVerifiedAt ?? tx.now })
  for (const member of await findMemberships(tx.db, { id })) {
    emit(tx, member, { kind: 'password.changed', subject: { kind: 'member', id: member.orgUserId } })
  }
  tx.enqueue(mailPasswordChanged, { accountId: id, changedAt: tx.now.toISOString() })
}
