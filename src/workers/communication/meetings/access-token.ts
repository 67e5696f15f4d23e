import {
  claimAccess,
  markAccountBroken,
  releaseRefresh,
  storeRefreshedTokens,
} from '../../../shared/communication/meetings/claim-access.ts'
import type { AccountOwner } from '../../../shared/communication/meetings/connected-account.access.ts'
import { type MeetingService, MeetingUnavailable } from '../../../shared/platform/adapters/meetings/meetings.port.ts'
import { GrantRefused } from '../../../shared/platform/adapters/oauth/oauth.port.ts'
import type { JobTools } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Returns an access token for a member's account at a meeting provider, refreshed when it is expired or equals
 * `refused`. Returns null when the provider has rejected the account (it is marked, and the member must connect again),
 * or when the account was disconnected or replaced in the meantime.
 * @throws MeetingUnavailable while another job refreshes the token
 * @throws OAuthUnavailable when the provider cannot be reached
 */
export async function accessTokenOf(
  tools: JobTools,
  { oauth, name }: MeetingService,
  owner: AccountOwner,
  refused?: string,
): Promise<string | null> {
  const { connectionSecrets } = tools
  const access = await tools.transaction((tx) => claimAccess(tx, connectionSecrets, owner, refused))
  if (access.kind === 'granted') return access.accessToken
  if (access.kind === 'broken') return null
  if (access.kind === 'busy') throw new MeetingUnavailable(`Another process is at the ${name} account.`)
  const { claim, refreshToken } = access
  try {
    const tokens = await oauth.refresh(refreshToken)
    const kept = await tools.transaction((tx) => storeRefreshedTokens(tx, connectionSecrets, claim, tokens))
    return kept ? tokens.accessToken : null
  } catch (error) {
    const over = error instanceof GrantRefused
    await tools.transaction((tx) => (over ? markAccountBroken(tx, claim) : releaseRefresh(tx, claim)))
    if (over) return null
    throw error
  }
}
