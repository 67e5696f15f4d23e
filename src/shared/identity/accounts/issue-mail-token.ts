import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { MailTokenPurpose } from '../accounts.tables.ts'
import { sendMailToken } from './accounts.jobs.ts'
import { invalidLink } from './mail-token.queries.ts'

/** Lifetime of a mailed link, in hours. */
export const MAIL_TOKEN_HOURS = { verify_email: 24, reset_password: 1 } as const

/** Creates a single-use link and enqueues the mail that carries it. */
export async function issueMailToken(
  tx: Tx,
  mailTokens: MailTokens,
  accountId: number,
  purpose: MailTokenPurpose,
): Promise<void> {
  const { id } = await createMailToken(tx, mailTokens, accountId, purpose)
  tx.enqueue(sendMailToken, { mailTokenId: id })
}

/** Creates a single-use link, and returns its id and its token. The caller delivers the token. */
export async function createMailToken(
  tx: Tx,
  mailTokens: MailTokens,
  accountId: number,
  purpose: MailTokenPurpose,
): Promise<{ id: number; token: string }> {
  const expiresAt = new Date(tx.now.getTime() + MAIL_TOKEN_HOURS[purpose] * 3_600_000)
  const { seed, tokenHash } = mailTokens.draw()
  const row = await tx.db
    .insertInto('mail_token')
    .values({ account_id: accountId, purpose, expires_at: expiresAt, seed, token_hash: tokenHash })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, token: mailTokens.tokenOf(seed) }
}

/**
 * Consumes a mailed link and returns the account id. The update is one statement, so only one of several concurrent
 * uses succeeds.
 */
export async function consumeMailToken(
  tx: Tx,
  mailTokens: MailTokens,
  token: string,
  purpose: MailTokenPurpose,
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
