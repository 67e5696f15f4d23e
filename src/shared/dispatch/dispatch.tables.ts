import { p } from '@mikro-orm/core'
import { seatSides } from '../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { BasisPoints, Cents, Hundredths, Tenths } from '../platform/kernel/units.ts'
import type { PayerAmount } from '../scheduling/reservations/booking-parts.types.ts'
import type { Approach } from './flight-log.types.ts'

const time = () => p.integer().$type<Tenths>()

/** The log of a flight by one person: one row per person and booking. Times are in tenths of hours. */
export const FlightLog = set('flight_log', {
  exported: true,
  rights: 'no delete',
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: member.booked('flight_logs', 'training'),
    picTenths: time(),
    soloTenths: time(),
    dualReceivedTenths: time(),
    instructionTenths: time(),
    crossCountryTenths: time(),
    nightTenths: time(),
    actualInstrumentTenths: time(),
    simulatedInstrumentTenths: time(),
    simulatorTenths: time(),
    dayTakeoffs: p.integer(),
    dayLandings: p.integer(),
    dayFullStops: p.integer(),
    nightTakeoffs: p.integer(),
    nightLandings: p.integer(),
    nightFullStops: p.integer(),
    holds: p.integer(),
    approaches: p.json<Approach[]>(),
    route: p.text().nullable(),
    remarks: p.text().nullable(),
    writtenBy: member.act('flight_logs', 'training'),
  },
})

/** A member's signature on the figures of a flight, for one side. A correction or a reopening deletes the row. */
export const Confirmation = set('confirmation', {
  exported: true,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: member.booked('bookings'),
    side: p.enum(seatSides),
    confirmedAt: instant(),
    /** The desk staff member who signed for a member without an account; null when the member signed. */
    recordedBy: member.act('bookings', 'others').nullable(),
    /** What each payer owed when this was signed: the signature agrees to no more. */
    amounts: p.json<PayerAmount[]>().default([]),
  },
})

/**
 * An objection to a correction of a flight whose signatures stand: one per member and correction. An admin closes it, or who objected;
 * a reopening closes it too.
 */
export const CorrectionObjection = set('correction_objection', {
  exported: true,
  rights: 'no delete',
  mayName: ['note', 'closingReason'],
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    /** The first or the second correction of the flight. */
    correction: p.smallint(),
    membershipId: member.act('bookings', 'others'),
    /** The desk staff member who wrote it for a member without an account; null when the member did. */
    recordedBy: member.act('bookings', 'others').nullable(),
    note: p.text(),
    objectedAt: instant(),
    closedAt: instant().nullable(),
    closedBy: member.act('bookings', 'others').nullable(),
    closingReason: p.text().nullable(),
  },
})

const stakeKinds = ['readings', 'percentage', 'waived'] as const

/**
 * How one payer pays for a flight: by own meter readings (hundredths of an hour), a percentage (basis points), or a
 * waiver.
 */
export const PayerStake = set('payer_stake', {
  exported: true,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    position: p.smallint(),
    membershipId: member.booked('bookings').nullable(),
    guestId: p.integer().nullable(),
    kind: p.enum(stakeKinds),
    hobbsOut: p.integer().$type<Hundredths>().nullable(),
    hobbsIn: p.integer().$type<Hundredths>().nullable(),
    tachOut: p.integer().$type<Hundredths>().nullable(),
    tachIn: p.integer().$type<Hundredths>().nullable(),
    percentageBps: p.integer().$type<BasisPoints>().nullable(),
  },
})

/**
 * A notice to a payer who has not signed a flight: the amount that will be charged, in cents, and when the payer was mailed. The row is
 * deleted when the payer signs, when the flight is invoiced, or when the signatures are cleared; but a sent notice stays when the member
 * who clears them does not decide for the payers, and counts when the flight is signed again within its 24 hours.
 */
export const ChargeNotice = set('charge_notice', {
  exported: true,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: member.booked('bookings'),
    amountCents: p.integer().$type<Cents>(),
    /** When the mail was sent; null: not yet. */
    notifiedAt: instant().nullable(),
    /** When the delivery of the mail was given up; the next request to invoice the flight writes another mail. */
    givenUpAt: instant().nullable(),
  },
})

/** A time in which the service was ready without interruption; a scheduled job notes it each minute. */
export const ServiceUptime = log('service_uptime', {
  kept: { days: 40, since: 'seenAt' },
  columns: { id: p.integer().primary().autoincrement(), startedAt: instant(), seenAt: instant() },
})
