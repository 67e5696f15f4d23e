import { sql, type UpdateObject } from 'kysely'
import type { OAuthTokens } from '../../platform/adapters/oauth/oauth.port.ts'
import type { ConnectionSecrets } from '../../platform/adapters/tokens/connection-secrets.ts'
import type { Tables } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import {
  type AccountOwner,
  accessExpiry,
  accessTokenContext,
  lockConnection,
  refreshTokenContext,
} from './connected-account.access.ts'

/** The result of a request for access to a connected account. */
export type Access =
  | { kind: 'granted'; accessToken: string }
  /** The caller must use the refresh token and store the result. */
  | { kind: 'refresh'; refreshToken: string; claim: RefreshClaim }
  /** Another process is refreshing the token, or only a process of a newer version has the encryption key. */
  | { kind: 'busy' }
  /** No account is connected, or it can no longer be used: the member has to connect again. */
  | { kind: 'broken' }

/**
 * The account, and its sealed refresh token when the refresh began. When the member connects again, the stored token
 * differs, and the result of this refresh is not stored.
 */
interface RefreshClaim {
  owner: AccountOwner
  sealed: string
}

/** An access token that expires within this time is refreshed before use. */
const LEEWAY_MS = 60_000
/**
 * The seconds for which one caller has the exclusive right to refresh. A refresh takes less time. When the caller
 * crashes, another one can refresh after this time.
 */
const CLAIM_SECONDS = 90

/**
 * Returns the access token, or allows exactly one caller to refresh it, because some providers end the connection when
 * a refresh token is used twice. `refused` is an access token that the provider has rejected.
 * Implements docs/decisions/0014.
 */
export async function claimAccess(
  tx: Tx,
  secrets: ConnectionSecrets,
  owner: AccountOwner,
  refused?: string,
): Promise<Access> {
  const account = await lockConnection(tx, owner)
  if (!account || account.broken_at) return { kind: 'broken' }
  const accessToken = account.access_token && secrets.open(account.access_token, accessTokenContext(owner))
  const remainingMs = (account.access_expires_at?.getTime() ?? 0) - tx.now.getTime()
  const lasts = remainingMs > LEEWAY_MS
  if (accessToken && lasts && accessToken !== refused) return { kind: 'granted', accessToken }
  if (account.claimed) return { kind: 'busy' }
  const claim = { owner, sealed: account.refresh_token }
  const refreshToken = secrets.open(account.refresh_token, refreshTokenContext(owner))
  if (!refreshToken) {
    // This process does not have the key of the refresh token. Access tokens are valid for an hour, so this unexpired one was
    // stored recently: by a process of a newer version, with a newer key. That version will soon replace this process.
    if (remainingMs > 0) return { kind: 'busy' }
    await markAccountBroken(tx, claim)
    return { kind: 'broken' }
  }
  await update(tx, claim, { refresh_claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
  return { kind: 'refresh', refreshToken, claim }
}

/**
 * Stores the result of a refresh. The refresh token (the new one, if there is one) is encrypted again, so that the
 * newest key protects it. Returns false when the member has disconnected or connected again in the meantime.
 */
export async function storeRefreshedTokens(
  tx: Tx,
  secrets: ConnectionSecrets,
  claim: RefreshClaim,
  tokens: OAuthTokens,
): Promise<boolean> {
  const { accessToken } = tokens
  const refreshToken = tokens.refreshToken ?? secrets.open(claim.sealed, refreshTokenContext(claim.owner))
  return update(tx, claim, {
    access_token: secrets.seal(accessToken, accessTokenContext(claim.owner)),
    access_expires_at: accessExpiry(tokens, tx.now),
    refresh_claimed_until: null,
    ...(refreshToken && { refresh_token: secrets.seal(refreshToken, refreshTokenContext(claim.owner)) }),
  })
}

/** Gives up the exclusive right to refresh, so that another process may refresh. */
export async function releaseRefresh(tx: Tx, claim: RefreshClaim): Promise<void> {
  await update(tx, claim, { refresh_claimed_until: null })
}

/** Marks the account as broken: the member has to connect again. */
export async function markAccountBroken(tx: Tx, claim: RefreshClaim): Promise<void> {
  await update(tx, claim, { broken_at: tx.now, access_token: null, refresh_claimed_until: null })
}

type Changes = UpdateObject<Tables, 'connected_account'>

async function update(tx: Tx, { owner, sealed }: RefreshClaim, changes: Changes): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('connected_account')
    .set(changes)
    .where('organization_id', '=', owner.organizationId)
    .where('membership_id', '=', owner.orgUserId)
    .where('provider', '=', owner.provider)
    .where('refresh_token', '=', sealed)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
