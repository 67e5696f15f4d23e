import { sql } from 'kysely'
import type { OAuthTokens } from '../../platform/adapters/oauth/oauth.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { MeetingProvider } from '../communication.tables.ts'

/** The owner of an account, and its provider. */
export interface AccountOwner {
  organizationId: number
  orgUserId: number
  provider: MeetingProvider
}

/** The context that a secret is encrypted for. Decrypting it for another purpose, provider or member fails. */
export const refreshTokenContext = (owner: AccountOwner) => contextOf('refresh token', owner)
export const accessTokenContext = (owner: AccountOwner) => contextOf('access token', owner)
export const codeVerifierContext = (owner: AccountOwner) => contextOf('code verifier', owner)

function contextOf(what: string, { organizationId, orgUserId, provider }: AccountOwner): string {
  return `${what} ${provider} ${organizationId} ${orgUserId}`
}

/** Returns when an access token expires. */
export function accessExpiry({ expiresInSeconds }: OAuthTokens, now: Date): Date {
  return new Date(now.getTime() + expiresInSeconds * 1_000)
}

/**
 * Returns a connected account, locked: its encrypted tokens, and in `claimed` whether a process is refreshing them now,
 * by the database's clock. Undefined when none is connected.
 */
export function lockConnection(tx: Tx, { organizationId, orgUserId, provider }: AccountOwner) {
  return tx.db
    .selectFrom('connected_account')
    .select(['refresh_token', 'access_token', 'access_expires_at', 'broken_at', 'updated_at'])
    .select(sql<boolean>`coalesce(refresh_claimed_until > now(), false)`.as('claimed'))
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('provider', '=', provider)
    .forUpdate()
    .executeTakeFirst()
}
