import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** Creates the secret URL of the caller's calendar and replaces an earlier one. Returns the seed of its token. */
export async function replaceCalendarFeed(tx: Tx, actor: Actor, mailTokens: MailTokens): Promise<{ seed: string }> {
  const { seed, tokenHash } = mailTokens.draw()
  const token = { seed, token_hash: tokenHash }
  await tx.db
    .insertInto('calendar_feed')
    .values({ organization_id: actor.organizationId, membership_id: actor.orgUserId, ...token })
    .onConflict((conflict) => conflict.columns(['organization_id', 'membership_id']).doUpdateSet(token))
    .execute()
  return { seed }
}

/** Deletes the secret URL of the caller's calendar, if there is one. */
export async function dropCalendarFeed(tx: Tx, { organizationId, orgUserId }: Actor): Promise<void> {
  await tx.db
    .deleteFrom('calendar_feed')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .execute()
}
