import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Invalid } from '../../platform/kernel/errors.ts'
import type { MailTokenPurpose } from '../accounts.tables.ts'
import { identityErrors } from '../identity.errors.ts'

/** Returns the account that a mailed link belongs to. The link stays unused. */
export async function findOwnerOfLink(
  db: Db,
  mailTokens: MailTokens,
  token: string,
  purpose: MailTokenPurpose,
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

/** The time in which a link that was mailed before can still be found and used. */
const TO_USE_MS = 1_800_000

/**
 * Returns how many reset links of an account were created within the hour for which each is valid, and whether one of them works for
 * half an hour more.
 */
export async function findResetLinks(
  db: Db,
  accountId: number,
  now: Date,
): Promise<{ links: number; lastWorks: boolean }> {
  const rows = await db
    .selectFrom('mail_token')
    .select(['used_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'reset_password')
    .where('expires_at', '>', now)
    .execute()
  const lastWorks = rows.some(({ used_at, expires_at }) => !used_at && expires_at.getTime() > now.getTime() + TO_USE_MS)
  return { links: rows.length, lastWorks }
}

/** Returns the error for a link that is unknown, used or expired. */
export function invalidLink(): Invalid {
  return identityErrors.linkUsed()
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

/**
 * Returns the link to mail and its addressee; undefined when the link is used or expired, or the account is deleted.
 */
export function findLinkToMail(db: Db, mailTokenId: number, now: Date) {
  return db
    .selectFrom('mail_token')
    .innerJoin('account', 'account.id', 'mail_token.account_id')
    .select(['account.name', 'account.email', 'account.email_verified_at', 'mail_token.purpose', 'mail_token.seed'])
    .where('mail_token.id', '=', mailTokenId)
    .where('mail_token.used_at', 'is', null)
    .where('mail_token.expires_at', '>', now)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
}
