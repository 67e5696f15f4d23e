import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/**
 * Written by the previous release only: a trigger copies its rows to the event log, which is what everybody reads.
 */
export const ReservationEvent = defineEntity({
  name: 'ReservationEvent',
  tableName: 'reservation_event',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    action: p.text(),
    membershipId: p.integer().nullable(),
    reason: p.text().nullable(),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
  },
})
