import { z } from 'zod'
import { meetingProviders } from '../../../shared/communication/communication.tables.ts'
import type { ConnectionRow } from '../../../shared/communication/meetings/connection.queries.ts'
import type { MeetingServices } from '../../../shared/platform/adapters/meetings/meetings.port.ts'
import { Instant } from '../../http/schemas.ts'

/** A meeting provider, and whether the caller's account there is connected. */
export const Connection = z
  .object({
    provider: z.enum(meetingProviders).meta({ choices: 'MeetingProvider' }),
    connected: z.boolean(),
    accountEmail: z
      .string()
      .nullable()
      .describe('The email address of the account; null when the provider does not return it'),
    needsReconnect: z
      .boolean()
      .describe('Whether the provider no longer accepts the connection. The account must then be connected again'),
    connectedAt: Instant.nullable(),
  })
  .meta({ id: 'Connection' })

/** Returns one row per provider that this installation offers, connected or not. */
export function connectionsView(rows: ConnectionRow[], offered: MeetingServices): z.input<typeof Connection>[] {
  return meetingProviders
    .filter((provider) => offered[provider])
    .map((provider) => {
      const row = rows.find((one) => one.provider === provider)
      return {
        provider,
        connected: row !== undefined,
        accountEmail: row?.account_email ?? null,
        needsReconnect: row !== undefined && row.broken_at !== null,
        connectedAt: row?.connected_at.toISOString() ?? null,
      }
    })
}
