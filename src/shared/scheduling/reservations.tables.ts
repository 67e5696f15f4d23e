import { type InferEntity, p } from '@mikro-orm/core'
import { reservationTypes, seatSides } from '../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Hundredths, Tenths } from '../platform/kernel/units.ts'
import type { StoredFinding } from './at-risk/at-risk.rules.ts'
import type { CloseOutFigures, FeeTier } from './reservations/booking-parts.types.ts'
import type { StoredRecurrence } from './rules/recurrence.rules.ts'
import type { RuleKey } from './rules/rule-catalogue.rules.ts'
import type { SoloFlight } from './rules/solo-flight.rules.ts'

export const collectionStyles = ['close_out', 'prepaid_fixed'] as const

/**
 * A booking. Meter readings are in hundredths of an hour, `briefingTenths` is in tenths. The database refuses two live
 * bookings of one resource at the same time (exclusion constraint `reservation_resource_clash`); `live` is true until the
 * booking is cancelled.
 */
export const Reservation = aggregate('reservation', {
  exported: { without: ['meetingUrl', 'uid'] },
  rights: 'no delete',
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    title: p.text(),
    type: p.enum(reservationTypes),
    startsAt: instant(),
    endsAt: instant(),
    timeZoneName: p.text(),
    notes: p.text().nullable(),
    resourceId: p.integer().nullable(),
    locationId: p.integer().nullable(),
    createdBy: member.act('work', 'others'),
    seriesId: p.integer().nullable(),
    seriesIndex: p.integer().nullable(),
    seriesCount: p.integer().nullable(),
    /** The number of people aboard who are not on the booking. */
    passengers: p.smallint().default(0),
    /** Whether it is flown under instrument flight rules. */
    ifr: p.boolean().default(false),
    /** Where a solo flight goes; null: not given, or no solo flight. */
    solo: p.json<SoloFlight>().nullable(),
    /** The UID of its calendar event. */
    uid: p.uuid().defaultRaw('gen_random_uuid()'),
    live: p.boolean().default(true),
    cancelledAt: instant().nullable(),
    cancelledBy: member.act('work', 'others').nullable(),
    cancellationReason: p.text().nullable(),
    cancellationCategory: p.text().nullable(),
    collectionStyle: p.enum(collectionStyles).default('close_out'),
    prepaidAmountCents: p.integer().$type<Cents>().nullable(),
    rampedOutAt: instant().nullable(),
    /** The expected return: the booked end unless another time is given; null before ramp-out. */
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
    /**
     * Whether every payer must sign: true when figures that look like a typo were confirmed by somebody who may not decide
     * for the payers.
     */
    payersSign: p.boolean().default(false),
    /** How often its figures were corrected while its signatures stood; a constraint allows two. */
    corrections: p.smallint().default(0),
    /** The last such correction, and the figures that were signed; null when the figures are as they were signed. */
    correctedBy: member.act('work', 'others').nullable(),
    correctedAt: instant().nullable(),
    correctionReason: p.text().nullable(),
    signedFigures: p.json<CloseOutFigures>().nullable(),
    meetingUrl: p.text().nullable(),
    /** The start that the last reminder was sent for; a moved booking gets another reminder. */
    remindedFor: instant().nullable(),
    /** The start for which the weather notification was enqueued; a moved booking gets another one. */
    weatherJudgedFor: instant().nullable(),
    /** What its cancellation costs, by ascending hours; null: nothing. */
    cancellationTerms: p.json<FeeTier[]>().nullable(),
    /** The earlier start from which its notice counts, since its payer moved it when that was near; null: its own. */
    noticeStart: instant().nullable(),
    /** Whether it was made, restored or moved to its place after its start: it is no no-show. */
    madeAfterStart: p.boolean().default(false),
    /** The start for which the desk was told that nobody has ramped it out. */
    noShowToldFor: instant().nullable(),
    /** Whether the booking has a live invoice or an unreversed ledger charge; maintained by the database. */
    billed: p.boolean().default(false).lazy(),
  },
})
export type Reservation = InferEntity<typeof Reservation>

/**
 * A person on a booking: a member or a guest, on a side, in order. It repeats the booking's time and `live` (a foreign key
 * with ON UPDATE CASCADE keeps them equal), so that the database can refuse two live bookings of one person at the same time
 * (exclusion constraint `seat_person_clash`).
 */
export const Seat = set('seat', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    side: p.enum(seatSides),
    position: p.smallint(),
    membershipId: member.booked('bookings').nullable(),
    guestId: p.integer().nullable(),
    startsAt: instant(),
    endsAt: instant(),
    live: p.boolean().default(true),
  },
})

/**
 * An override of a rule for one booking: by whom and why, with the resource and start of the booking at that time. The reason
 * may be medical, so it is stored here and in no event.
 */
export const RuleOverride = log('rule_override', {
  exported: true,
  rights: { update: ['notifiedAt', 'endedAt', 'documentSha256'] },
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    rule: p.text().$type<RuleKey>(),
    /** The person whom the finding is about; null when it is about nobody. */
    membershipId: member.act('bookings', 'others').nullable(),
    resourceId: p.integer().nullable(),
    startsAt: instant(),
    reason: p.text(),
    /** The document of that person that shows the paper; null without one, or after it was deleted. */
    documentId: p.integer().nullable(),
    /** The SHA-256 of its file, in hexadecimal; null without one, and until a job has read it. */
    documentSha256: p.text().nullable(),
    overriddenBy: member.act('work', 'others'),
    /** When the digest that contains it was enqueued; null before. */
    notifiedAt: instant().nullable(),
    /** When its booking was restored after a cancellation; an override that has ended counts for nothing. */
    endedAt: instant().nullable(),
  },
})

/**
 * A time when the organization, one location or one resource is closed: one row per occurrence; those of one series
 * share `seriesId`. A closure is inserted and deleted, never changed.
 */
export const Closure = set('closure', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    startsAt: instant(),
    endsAt: instant(),
    reason: p.text(),
    locationId: p.integer().nullable(),
    resourceId: p.integer().nullable(),
    seriesId: p.integer().nullable(),
    recurrence: p.json<StoredRecurrence>().nullable(),
    createdBy: member.act('work', 'others'),
  },
})

/**
 * A future booking that would be refused if it were made now, or accepted with warnings. The row is deleted when the rules find
 * nothing any more. It refers to its booking without a foreign key, because checking the key would wait for transactions that change the booking.
 */
export const ReservationAtRisk = log('reservation_at_risk', {
  exported: false,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    since: instant(),
    /** The keys of the rules that block the booking; empty when they only warn. A currency adds its own key and `currency`. */
    rules: p.json<string[]>(),
    /** What blocks the booking, or has blocked it while it was at risk. People are notified of each cause once. */
    causes: p.json<string[]>(),
    /**
     * The findings that block it: `forDesk` for desk staff, `forOthers` for everybody else, without the reason why a person is grounded.
     */
    forDesk: p.json<StoredFinding[]>(),
    forOthers: p.json<StoredFinding[]>(),
    /** The findings that warn, for the same readers. */
    warningsForDesk: p.json<StoredFinding[]>().default([]),
    warningsForOthers: p.json<StoredFinding[]>().default([]),
    /** The digest of the content, by which a check recognizes a flag that has not changed. */
    digest: p.text(),
  },
})

/** When the future bookings of an organization were last checked. */
export const AtRiskRun = log('at_risk_run', {
  exported: false,
  columns: { ...tenantRecord, startedAt: instant() },
})

/** A notification to a member about bookings that the same check found to be at risk. */
export const AtRiskNotice = log('at_risk_notice', {
  exported: false,
  /** The row is needed only until its mail is sent. */
  kept: { days: 7, since: 'notifiedAt' },
  columns: {
    ...tenantRecord,
    membershipId: member.own('notices'),
    reservationIds: p.json<number[]>(),
    notifiedAt: instant(),
  },
})

/**
 * The secret URL of one member's calendar. Only the SHA-256 of its token is stored; the token cannot be computed from `seed`
 * alone.
 */
export const CalendarFeed = set('calendar_feed', {
  exported: false,
  columns: { ...tenantRecord, membershipId: member.own('settings'), seed: p.text(), tokenHash: p.text() },
})
