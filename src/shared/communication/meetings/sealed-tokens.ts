import type { OAuthTokens } from '../../platform/adapters/oauth/oauth.port.ts'
import type { MeetingProvider } from './connected-account.table.ts'

/** The owner of an account, and its provider. */
export interface AccountOwner {
  organizationId: number
  orgUserId: number
  provider: MeetingProvider
}

/** The context that each secret is bound to, so that no secret decrypts in place of another. */
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
