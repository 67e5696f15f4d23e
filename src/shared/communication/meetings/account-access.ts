import { sql, type UpdateObject } from 'kysely'
import type { OAuthTokens } from '../../platform/adapters/oauth/oauth.port.ts'
import type { ConnectionSecrets } from '../../platform/adapters/tokens/connection-secrets.ts'
import type { Tables } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type AccountOwner, aboutAccess, aboutRefresh, accessExpiry } from './sealed-tokens.ts'

/** What somebody who wants to act in an account is given. */
export type Access =
  | { kind: 'granted'; accessToken: string }
  /** This one is to spend the refresh token, and to keep what comes of it. */
  | { kind: 'refresh'; refreshToken: string; claim: RefreshClaim }
  /** Somebody else is spending it, or alone knows its key. */
  | { kind: 'busy' }
  /** There is no account that works: the member has to connect again. */
  | { kind: 'broken' }

/** Whose refresh token is being spent, and which: a member who connects again meanwhile has another. */
interface RefreshClaim {
  owner: AccountOwner
  sealed: string
}

/** An access token that ends within this is not begun with. */
const LEEWAY_MS = 60_000
/** Longer than a call may take; a process that was killed keeps others waiting no longer than this. */
const CLAIM_SECONDS = 90
/** What was sealed this lately under a key that we do not have is a newer process's: ours is about to be restarted. */
const RESTART_MS = 3_600_000

/**
 * Gives the access token, or has exactly one caller refresh it: a refresh token that is spent twice makes some
 * providers end the connection. `refused` is a token that the provider did not take, however fresh it looks.
 */
export async function claimAccess(
  tx: Tx,
  secrets: ConnectionSecrets,
  owner: AccountOwner,
  refused?: string,
): Promise<Access> {
  const account = await ofOwner(tx, owner)
    .select(['refresh_token', 'access_token', 'access_expires_at', 'broken_at', 'updated_at'])
    .select(sql<boolean>`coalesce(refresh_claimed_until > now(), false)`.as('claimed'))
    .forUpdate()
    .executeTakeFirst()
  if (!account || account.broken_at) return { kind: 'broken' }
  const accessToken = account.access_token && secrets.open(account.access_token, aboutAccess(owner))
  const lasts = (account.access_expires_at?.getTime() ?? 0) > tx.now.getTime() + LEEWAY_MS
  if (accessToken && lasts && accessToken !== refused) return { kind: 'granted', accessToken }
  if (account.claimed) return { kind: 'busy' }
  const claim = { owner, sealed: account.refresh_token }
  const refreshToken = secrets.open(account.refresh_token, aboutRefresh(owner))
  if (!refreshToken) {
    if (account.updated_at.getTime() > tx.now.getTime() - RESTART_MS) return { kind: 'busy' }
    await breakAccount(tx, claim)
    return { kind: 'broken' }
  }
  await update(tx, claim, { refresh_claimed_until: sql<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
  return { kind: 'refresh', refreshToken, claim }
}

/**
 * Keeps what a refresh gave. The refresh token, the new one when there is one, is sealed afresh: so it comes under the
 * service's newest key. False when the member has disconnected the account meanwhile, or connected another.
 */
export async function keepRefreshed(
  tx: Tx,
  secrets: ConnectionSecrets,
  claim: RefreshClaim,
  tokens: OAuthTokens,
): Promise<boolean> {
  const { accessToken } = tokens
  const refreshToken = tokens.refreshToken ?? secrets.open(claim.sealed, aboutRefresh(claim.owner))
  return update(tx, claim, {
    access_token: secrets.seal(accessToken, aboutAccess(claim.owner)),
    access_expires_at: accessExpiry(tokens, tx.now),
    refresh_claimed_until: null,
    ...(refreshToken && { refresh_token: secrets.seal(refreshToken, aboutRefresh(claim.owner)) }),
  })
}

/** Lets others try to refresh. */
export async function releaseRefresh(tx: Tx, claim: RefreshClaim): Promise<void> {
  await update(tx, claim, { refresh_claimed_until: null })
}

/** Notes that the provider does not accept the account any more: the member has to connect again. */
export async function breakAccount(tx: Tx, claim: RefreshClaim): Promise<void> {
  await update(tx, claim, { broken_at: tx.now, access_token: null, refresh_claimed_until: null })
}

function ofOwner(tx: Tx, { organizationId, orgUserId, provider }: AccountOwner) {
  return tx.db
    .selectFrom('connected_account')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('provider', '=', provider)
}

type Changes = UpdateObject<Tables, 'connected_account'>

async function update(tx: Tx, { owner, sealed }: RefreshClaim, changes: Changes): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('connected_account')
    .set({ ...changes, updated_at: tx.now })
    .where('organization_id', '=', owner.organizationId)
    .where('membership_id', '=', owner.orgUserId)
    .where('provider', '=', owner.provider)
    .where('refresh_token', '=', sealed)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
