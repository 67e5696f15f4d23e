import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { seatSides } from '../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'

/** A side's signature under the figures of a flight. Clearing it (a correction, a reopening) removes the row. */
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
export type Confirmation = InferEntity<typeof Confirmation>

export const stakeKinds = ['readings', 'percentage', 'waived'] as const

/** What one payer carries of a flight: own meter readings (hundredths), a share (basis points), or nothing. */
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
export type PayerStake = InferEntity<typeof PayerStake>
