import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/**
 * The secret URL of one member's calendar. Only the SHA-256 of its token is stored; `seed` alone does not give the
 * token.
 */
export const CalendarFeed = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feed',
  properties: { ...tenantRecord, membershipId: p.integer(), seed: p.text(), tokenHash: p.text() },
})
