import type { z } from 'zod'
import { storeAccount } from '../../../shared/communication/meetings/connect-account.ts'
import type { AccountOwner } from '../../../shared/communication/meetings/connected-account.access.ts'
import type { MeetingService } from '../../../shared/platform/adapters/meetings/meetings.port.ts'
import {
  type BegunConnection,
  GrantRefused,
  OAuthUnavailable,
} from '../../../shared/platform/adapters/oauth/oauth.port.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import type { Services } from '../../http/services.ts'
import type { CallbackQuery } from './connections.schemas.ts'

/** The outcome of a connection, as the result page shows it. */
export type ConnectionOutcome = 'connected' | 'expired' | 'access_denied' | 'refused' | 'unavailable'

/**
 * Exchanges the returned code for tokens and stores the account. This is the second transaction of its request. The
 * first one consumes the state before the provider is called, so that no code is used twice.
 */
export async function finishConnecting(
  services: Services,
  service: MeetingService,
  begun: (AccountOwner & BegunConnection) | null,
  query: z.output<typeof CallbackQuery>,
): Promise<ConnectionOutcome> {
  if (!begun) return 'expired'
  const callback = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))
  try {
    const tokens = await service.oauth.redeem(callback, begun)
    const { refreshToken } = tokens
    if (!refreshToken) return 'refused'
    const accountEmail = await emailOf(service, tokens.accessToken)
    const account = { tokens: { ...tokens, refreshToken }, accountEmail }
    const { result: kept } = await inTransaction(services.database, services.clock, (tx) =>
      storeAccount(tx, services.connectionSecrets, begun, account),
    )
    return kept ? 'connected' : 'expired'
  } catch (error) {
    if (error instanceof GrantRefused) return error.code === 'access_denied' ? 'access_denied' : 'refused'
    if (error instanceof OAuthUnavailable) {
      services.log.warn({ provider: service.name, reason: error.message }, 'an account could not be connected')
      return 'unavailable'
    }
    throw error
  }
}

/**
 * Returns the address of the account; null when the lookup fails. A failure does not fail the connection, because the
 * address is only shown to the owner of the account.
 */
async function emailOf(service: MeetingService, accessToken: string): Promise<string | null> {
  return service.accountEmail(accessToken).catch(() => null)
}
