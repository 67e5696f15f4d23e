import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { MailToken } from './account.entity.ts'
import { sendMailToken } from './accounts.jobs.ts'

/** Lifetime of a mailed link, in hours. */
export const MAIL_TOKEN_HOURS = { verify_email: 24, reset_password: 1 } as const

type Purpose = keyof typeof MAIL_TOKEN_HOURS

/** Creates a single-use link and enqueues the mail that carries it. */
export async function issueMailToken(
  tx: Tx,
  mailTokens: MailTokens,
  accountId: number,
  purpose: Purpose,
): Promise<void> {
  const expiresAt = new Date(tx.now.getTime() + MAIL_TOKEN_HOURS[purpose] * 3_600_000)
  const row = tx.em.create(MailToken, { accountId, purpose, expiresAt, ...mailTokens.draw() })
  await tx.em.flush()
  tx.enqueue(sendMailToken, { mailTokenId: row.id })
}

/**
 * Consumes a mailed link and returns the account id. The update is one statement, so only one of several concurrent
 * uses succeeds.
 * @throws Invalid when the link is unknown, used or expired.
 */
export async function consumeMailToken(
  tx: Tx,
  mailTokens: MailTokens,
  token: string,
  purpose: Purpose,
): Promise<number> {
  const used = await tx.db
    .updateTable('mail_token')
    .set({ used_at: tx.now })
    .where('token_hash', '=', mailTokens.hashOf(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .returning('account_id')
    .executeTakeFirst()
  if (!used) throw invalidLink()
  return used.account_id
}

/**
 * Returns the owner of a mailed link without consuming it.
 * @throws Invalid when the link is unknown, used or expired.
 */
export async function findOwnerOfLink(
  db: Db,
  mailTokens: MailTokens,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<{ id: number; name: string; email: string }> {
  const owner = await db
    .selectFrom('mail_token')
    .innerJoin('account', 'account.id', 'mail_token.account_id')
    .select(['account.id', 'account.name', 'account.email'])
    .where('mail_token.token_hash', '=', mailTokens.hashOf(token))
    .where('mail_token.purpose', '=', purpose)
    .where('mail_token.used_at', 'is', null)
    .where('mail_token.expires_at', '>', now)
    .executeTakeFirst()
  if (!owner) throw invalidLink()
  return owner
}

function invalidLink(): Invalid {
  return new Invalid('This link has expired or was used already. Please ask for a new one.')
}

/** Returns the address that a token was mailed to, used or not; null when the token is unknown. */
export async function findEmailOfToken(db: Db, mailTokens: MailTokens, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('mail_token')
    .innerJoin('account', 'account.id', 'mail_token.account_id')
    .select('account.email')
    .where('mail_token.token_hash', '=', mailTokens.hashOf(token))
    .executeTakeFirst()
  return row?.email ?? null
}
