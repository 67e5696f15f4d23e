import { defineEntity, p } from '@mikro-orm/core'
import { seatSides } from '../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import type { BasisPoints, Cents, Hundredths } from '../platform/kernel/units.ts'

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
    /** Who of the desk signed for a member without an account; null: the member did. */
    recordedBy: p.integer().nullable(),
  },
})

const stakeKinds = ['readings', 'percentage', 'waived'] as const

/**
 * How one payer pays for a flight: by own meter readings (hundredths of an hour), a percentage (basis points), or a
 * waiver.
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
    hobbsOut: p.integer().$type<Hundredths>().nullable(),
    hobbsIn: p.integer().$type<Hundredths>().nullable(),
    tachOut: p.integer().$type<Hundredths>().nullable(),
    tachIn: p.integer().$type<Hundredths>().nullable(),
    percentageBps: p.integer().$type<BasisPoints>().nullable(),
  },
})

/** What a payer who has not signed a flight was told will be taken for it, in cents, and when. Who decides for the payers and clears the signatures deletes the row. */
export const ChargeNotice = defineEntity({
  name: 'ChargeNotice',
  tableName: 'charge_notice',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: p.integer(),
    amountCents: p.integer().$type<Cents>(),
    /** When the mail was sent; null: it is to be sent. */
    toldAt: instant().nullable(),
  },
})
