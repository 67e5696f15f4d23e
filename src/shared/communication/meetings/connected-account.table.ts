import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/** The providers of meetings for ground lessons. */
export const meetingProviders = ['zoom', 'google'] as const
export type MeetingProvider = (typeof meetingProviders)[number]

/**
 * A member's account at a meeting provider. Tokens are encrypted with a key of the service. `brokenAt` is set when the
 * provider rejects a refresh: the member has to connect again.
 * Kysely writes both tables; the ORM only declares their columns.
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
    /** The end of the claim of the job that refreshes the token, by the database's clock. */
    refreshClaimedUntil: instant().nullable(),
    connectedAt: instant(),
    brokenAt: instant().nullable(),
  },
})

/**
 * A connection in progress. Its state is signed, valid for minutes, is used once, and must return to the browser that
 * opened it.
 */
export const ConnectionState = defineEntity({
  name: 'ConnectionState',
  tableName: 'connection_state',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    provider: p.enum(meetingProviders),
    stateHash: p.text(),
    /** Encrypted, because it is enough to finish the connection. */
    codeVerifier: p.text(),
    expiresAt: instant(),
    /** SHA-256 hash of the browser's cookie; null until the address is opened. */
    browserHash: p.text().nullable(),
    usedAt: instant().nullable(),
  },
})
