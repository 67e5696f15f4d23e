import { type RawBuilder, sql } from 'kysely'
import { remainsMember } from '../../identity/members/member.access.ts'
import type { BegunConnection, OAuthTokens } from '../../platform/adapters/oauth/oauth.port.ts'
import type { ConnectionSecrets } from '../../platform/adapters/tokens/connection-secrets.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { communicationErrors } from '../communication.errors.ts'
import type { MeetingProvider } from '../communication.tables.ts'
import {
  type AccountOwner,
  accessExpiry,
  accessTokenContext,
  codeVerifierContext,
  refreshTokenContext,
} from './connected-account.access.ts'

/** The seconds within which a member must finish connecting an account. */
export const CONNECTING_SECONDS = 600
/** The milliseconds within which the address that starts the connection must be opened in a browser. */
const OPENING_MS = 2 * 60_000

/**
 * Starts connecting an account, and returns the state. The state must be opened in a browser within two minutes. That
 * browser can return it once, within ten minutes. Expired and used states of the member are deleted.
 * Implements docs/decisions/0014.
 */
export async function beginConnecting(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  provider: MeetingProvider,
  secrets: ConnectionSecrets,
): Promise<{ state: string }> {
  const { state, stateHash, codeVerifier } = secrets.draw()
  await tx.db
    .deleteFrom('connection_state')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where((eb) => eb.or([eb('expires_at', '<=', tx.now), eb('used_at', 'is not', null)]))
    .execute()
  await tx.db
    .insertInto('connection_state')
    .values({
      organization_id: organizationId,
      membership_id: orgUserId,
      provider,
      state_hash: stateHash,
      code_verifier: secrets.seal(codeVerifier, codeVerifierContext({ organizationId, orgUserId, provider })),
      created_at: tx.now,
      expires_at: new Date(tx.now.getTime() + CONNECTING_SECONDS * 1000),
    })
    .execute()
  return { state }
}

/** A state as received: in the start address, or returned by the provider. */
interface ReturnedState {
  provider: MeetingProvider
  state: string
}

/**
 * Binds a state to the first browser that opens it. Returns the parameters for the provider's page and the secret for
 * the browser's cookie. Returns null when the service did not sign the state, it was opened already, it has expired, or
 * the member has left.
 * Implements docs/decisions/0014.
 */
export async function openState(
  tx: Tx,
  secrets: ConnectionSecrets,
  returned: ReturnedState,
): Promise<(BegunConnection & { browser: string }) | null> {
  const { secret, hash } = secrets.drawBrowser()
  const begun = await advanceState(tx, secrets, returned, {
    set: { browser_hash: hash },
    where: sql<boolean>`s.browser_hash is null and s.created_at > ${new Date(tx.now.getTime() - OPENING_MS)}`,
  })
  return begun && { state: begun.state, codeVerifier: begun.codeVerifier, browser: secret }
}

/**
 * Consumes a state that is returned by the browser that opened it. Returns the member and the provider of the
 * connection. Returns null when the service did not sign the state, it belongs to another browser or provider, it is
 * expired or used, or the member has left.
 * Implements docs/decisions/0014.
 */
export async function consumeState(
  tx: Tx,
  secrets: ConnectionSecrets,
  { browser, ...returned }: ReturnedState & { browser: string },
): Promise<(AccountOwner & BegunConnection) | null> {
  return advanceState(tx, secrets, returned, {
    set: { used_at: tx.now },
    where: sql<boolean>`s.browser_hash = ${secrets.hashOfBrowser(browser)}`,
  })
}

/**
 * Changes the state from one step to the next in a single UPDATE, so that only one of several concurrent requests
 * succeeds. Returns null when the state is not at the expected step.
 */
async function advanceState(
  tx: Tx,
  secrets: ConnectionSecrets,
  { provider, state }: ReturnedState,
  step: { set: { browser_hash: string } | { used_at: Date }; where: RawBuilder<boolean> },
): Promise<(AccountOwner & BegunConnection) | null> {
  const stateHash = secrets.hashOf(state)
  if (!stateHash) return null
  const row = await tx.db
    .updateTable('connection_state as s')
    .from('membership as m')
    .set(step.set)
    .where('s.state_hash', '=', stateHash)
    .where('s.provider', '=', provider)
    .where('s.used_at', 'is', null)
    .where('s.expires_at', '>', tx.now)
    .where(step.where)
    .whereRef('m.organization_id', '=', 's.organization_id')
    .whereRef('m.id', '=', 's.membership_id')
    .where('m.removed_at', 'is', null)
    .returning(['s.organization_id as organizationId', 's.membership_id as orgUserId', 's.code_verifier as sealed'])
    .executeTakeFirst()
  if (!row) return null
  const owner = { organizationId: row.organizationId, orgUserId: row.orgUserId, provider }
  const codeVerifier = secrets.open(row.sealed, codeVerifierContext(owner))
  return codeVerifier ? { ...owner, state, codeVerifier } : null
}

/**
 * Stores a member's account at a provider, in place of an earlier one. Returns false when the member has left in the
 * meantime.
 */
export async function storeAccount(
  tx: Tx,
  secrets: ConnectionSecrets,
  owner: AccountOwner,
  given: { tokens: OAuthTokens & { refreshToken: string }; accountEmail: string | null },
): Promise<boolean> {
  const { organizationId, orgUserId, provider } = owner
  const { tokens, accountEmail } = given
  if (!(await remainsMember(tx, organizationId, orgUserId))) return false
  const columns = {
    account_email: accountEmail,
    refresh_token: secrets.seal(tokens.refreshToken, refreshTokenContext(owner)),
    access_token: secrets.seal(tokens.accessToken, accessTokenContext(owner)),
    access_expires_at: accessExpiry(tokens, tx.now),
    refresh_claimed_until: null,
    connected_at: tx.now,
    broken_at: null,
  }
  await tx.db
    .insertInto('connected_account')
    .values({ organization_id: organizationId, membership_id: orgUserId, provider, ...columns })
    .onConflict((conflict) => conflict.columns(['organization_id', 'membership_id', 'provider']).doUpdateSet(columns))
    .execute()
  return true
}

/**
 * Deletes a member's account at a provider and its connections in progress.
 * Implements docs/decisions/0014.
 */
export async function disconnectAccount(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  provider: MeetingProvider,
): Promise<void> {
  const forget = (table: 'connected_account' | 'connection_state') =>
    tx.db
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('membership_id', '=', orgUserId)
      .where('provider', '=', provider)
      .executeTakeFirst()
  await forget('connection_state')
  const { numDeletedRows } = await forget('connected_account')
  if (numDeletedRows === 0n) throw communicationErrors.noAccountConnected()
}
