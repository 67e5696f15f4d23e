import { defineEntity, p } from '@mikro-orm/core'
import { seatSides } from '../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'

/** One side's signature on the figures of a flight. A correction or a reopening deletes the row. */
export const Confirmation = defineEntity({
  name: 'Confirmation',
  tableName: 'confirmation',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: p.integer(),
    side: p.enum(seatSides),
    confirmedAt: instant(),
  },
})

const stakeKinds = ['readings', 'percentage', 'waived'] as const

/**
 * One payer's part of a flight: own meter readings (hundredths of an hour), a percentage (basis points), or a waiver.
 */
export const PayerStake = defineEntity({
  name: 'PayerStake',
  tableName: 'payer_stake',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    position: p.smallint(),
    membershipId: p.integer().nullable(),
    guestId: p.integer().nullable(),
    kind: p.enum(stakeKinds),
    hobbsOut: p.integer().nullable(),
    hobbsIn: p.integer().nullable(),
    tachOut: p.integer().nullable(),
    tachIn: p.integer().nullable(),
    percentageBps: p.integer().nullable(),
  },
})
