import type { TestApp } from './app.ts'

/** Returns the token of the newest link that was mailed to an address, made from the row as the mail job makes it. */
export async function mailedToken(
  api: TestApp,
  email: string,
  kind: 'verify_email' | 'reset_password' | 'invitation',
): Promise<string> {
  const { db } = api.core.database
  const row =
    kind === 'invitation'
      ? await db
          .selectFrom('invitation')
          .select('seed')
          .where('email', '=', email)
          .orderBy('id', 'desc')
          .executeTakeFirst()
      : await db
          .selectFrom('mail_token')
          .innerJoin('account', 'account.id', 'mail_token.account_id')
          .select('seed')
          .where('account.email', '=', email)
          .where('purpose', '=', kind)
          .orderBy('mail_token.id', 'desc')
          .executeTakeFirst()
  if (!row) throw new Error(`no ${kind} link was mailed to ${email}`)
  return api.core.mailTokens.tokenOf(row.seed)
}
