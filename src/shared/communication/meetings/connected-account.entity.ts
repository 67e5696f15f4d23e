import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/** Who makes the calls of ground lessons. */
export const meetingProviders = ['zoom', 'google'] as const
export type MeetingProvider = (typeof meetingProviders)[number]

/**
 * A member's account at a provider of meetings. Tokens are encrypted under a key of the service. `brokenAt` is set
 * when the provider refused to refresh: the member has to connect again.
 */
export const ConnectedAccount = defineEntity({
  name: 'ConnectedAccount',
  tableName: 'connected_account',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    provider: p.enum(meetingProviders),
    accountEmail: p.text().nullable(),
    refreshToken: p.text(),
    accessToken: p.text().nullable(),
    accessExpiresAt: instant().nullable(),
    /** Until then one job is spending the refresh token, by the database's clock. */
    refreshClaimedUntil: instant().nullable(),
    connectedAt: instant(),
    brokenAt: instant().nullable(),
  },
})
export type ConnectedAccount = InferEntity<typeof ConnectedAccount>

/**
 * A connection that was begun: the state that comes back is signed, lives for minutes, is used once, and comes back to
 * the browser that opened it.
 */
export const ConnectionState = defineEntity({
  name: 'ConnectionState',
  tableName: 'connection_state',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    provider: p.enum(meetingProviders),
    stateHash: p.text(),
    /** Encrypted: whoever knows it could finish the connection. */
    codeVerifier: p.text(),
    expiresAt: instant(),
    /** SHA-256 of the browser's cookie, from when its address was opened. */
    browserHash: p.text().nullable(),
    usedAt: instant().nullable(),
  },
})
export type ConnectionState = InferEntity<typeof ConnectionState>
