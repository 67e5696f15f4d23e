import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { reservationTypes } from '../../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'

export const collectionStyles = ['close_out', 'prepaid_fixed'] as const

/**
 * A booking. Meter readings are hundredths of an hour, `briefingTenths` tenths. The database refuses two live bookings
 * of one resource at one time (exclusion constraint `reservation_resource_clash`); `live` is true until the booking is
 * cancelled.
 */
export const Reservation = defineEntity({
  name: 'Reservation',
  tableName: 'reservation',
  properties: {
    ...tenantRecord,
    title: p.text(),
    type: p.enum(reservationTypes),
    startsAt: instant(),
    endsAt: instant(),
    timeZoneName: p.text(),
    notes: p.text().nullable(),
    resourceId: p.integer().nullable(),
    locationId: p.integer().nullable(),
    createdBy: p.integer(),
    seriesId: p.integer().nullable(),
    seriesIndex: p.integer().nullable(),
    seriesCount: p.integer().nullable(),
    /** People on board who are not on the booking. */
    passengers: p.smallint().default(0),
    /** Whether it is flown under instrument flight rules. */
    ifr: p.boolean().default(false),
    /** The UID of its calendar event. */
    uid: p.uuid().defaultRaw('gen_random_uuid()'),
    live: p.boolean().default(true),
    cancelledAt: instant().nullable(),
    cancelledBy: p.integer().nullable(),
    cancellationReason: p.text().nullable(),
    cancellationCategory: p.text().nullable(),
    collectionStyle: p.enum(collectionStyles).default('close_out'),
    prepaidAmountCents: p.integer().$type<Cents>().nullable(),
    rampedOutAt: instant().nullable(),
    /** The expected return: the booked end unless given; null before ramp-out. */
    expectedBackAt: instant().nullable(),
    /** The last alarm sent, in minutes after the expected return. */
    overdueStage: p.smallint().default(0),
    rampedInAt: instant().nullable(),
    hobbsOut: p.integer().$type<Hundredths>().nullable(),
    hobbsIn: p.integer().$type<Hundredths>().nullable(),
    tachOut: p.integer().$type<Hundredths>().nullable(),
    tachIn: p.integer().$type<Hundredths>().nullable(),
    briefingTenths: p.integer().$type<Tenths>().nullable(),
    signedOffAt: instant().nullable(),
    /** When a correction or a reopening cleared the signatures; the booking has waited for them since then. */
    signaturesClearedAt: instant().nullable(),
    /** The last review reminder sent, in days without the final signature. */
    reviewReminderStage: p.smallint().default(0),
    /** Whether every payer signs, since one of them said that figures are right which look like a typo. */
    payersSign: p.boolean().default(false),
    meetingUrl: p.text().nullable(),
    /** The start that the last reminder was sent for; a moved booking gets another reminder. */
    remindedFor: instant().nullable(),
    /** The start for which its weather was judged ahead of it. */
    weatherJudgedFor: instant().nullable(),
    /** Whether the booking has a live invoice or an unreversed ledger charge; maintained by the database. */
    billed: p.boolean().default(false).lazy(),
  },
})
export type Reservation = InferEntity<typeof Reservation>
