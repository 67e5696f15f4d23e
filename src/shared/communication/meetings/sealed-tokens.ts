import type { OAuthTokens } from '../../platform/adapters/oauth/oauth.port.ts'
import type { MeetingProvider } from './connected-account.entity.ts'

/** Whose account, where. */
export interface AccountOwner {
  organizationId: number
  orgUserId: number
  provider: MeetingProvider
}

/** What each secret is sealed for, so that none opens in another's place. */
export const aboutRefresh = (owner: AccountOwner) => about('refresh token', owner)
export const aboutAccess = (owner: AccountOwner) => about('access token', owner)
export const aboutVerifier = (owner: AccountOwner) => about('code verifier', owner)

function about(what: string, { organizationId, orgUserId, provider }: AccountOwner): string {
  return `${what} ${provider} ${organizationId} ${orgUserId}`
}

/** Until when an access token is good. */
export function accessExpiry({ expiresInSeconds }: OAuthTokens, now: Date): Date {
  return new Date(now.getTime() + expiresInSeconds * 1_000)
}
