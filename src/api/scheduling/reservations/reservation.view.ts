import { z } from 'zod'
import { objectsUntil } from '../../../shared/billing/flight-bill/taking.rules.ts'
import { mayReadInvoice } from '../../../shared/billing/invoices/invoice.access.ts'
import { sidesOutstanding } from '../../../shared/dispatch/sign-off.rules.ts'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { sum, ZERO } from '../../../shared/platform/kernel/units.ts'
import { readsAll } from '../../../shared/qualification/documents/document.rules.ts'
import { reservationStatuses, statusOf } from '../../../shared/scheduling/reservations/lifecycle.states.ts'
import {
  isBookingParty,
  lifecycleOf,
  overridesInForce,
} from '../../../shared/scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { collectionStyles } from '../../../shared/scheduling/reservations.tables.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Reading } from '../../http/reading-schemas.ts'
import { Cents, Id, Instant, Person } from '../../http/schemas.ts'
import { LocationReference } from '../../identity/locations/location.view.ts'
import { CorrectedAfterSigning, closeOutView, correctionView } from './correction.view.ts'
import { bookedTermsView, CancellationTerms, feeView, ReservationFee } from './fee.view.ts'
import { InvoiceTotals, invoiceTotalsView } from './invoice-totals.view.ts'
import { PersonnelView, personnelView } from './personnel.view.ts'
import { PlannedLesson } from './planned-lesson.view.ts'
import { StudentLesson } from './reservations.schemas.ts'
import { Review } from './review.view.ts'
import { SoloFlight } from './solo-flight.schemas.ts'
import { PayerView, StakeView, stakeView } from './stake.view.ts'

/** The resource of a booking. */
export const BookedResource = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.string(),
    tailNumber: z.string().nullable(),
    pool: z.string().nullable(),
  })
  .meta({ id: 'BookedResource' })

/** A booking as its reader may see it. Members who are not staff see only their own share of the money. */
export const Reservation = z
  .object({
    id: Id,
    title: z.string(),
    type: z.enum(reservationTypes).meta({ choices: 'ReservationType' }),
    status: z.enum(reservationStatuses),
    start: Instant,
    end: Instant,
    timeZoneName: z.string(),
    notes: z
      .string()
      .nullable()
      .describe('Only for the people on the booking, its creator and staff; null for other readers'),
    resource: BookedResource.nullable(),
    location: LocationReference.nullable(),
    personnel: PersonnelView,
    createdBy: Person,
    series: z.object({ id: Id, index: z.int(), count: z.int() }).meta({ id: 'SeriesPosition' }).nullable(),
    cancelledAt: Instant.nullable(),
    cancellation: z
      .object({
        reason: z.string(),
        category: z.string(),
        by: Person.nullable().describe('null when the service cancelled it'),
      })
      .meta({ id: 'Cancellation' })
      .nullable()
      .describe(
        'Only for the people on the booking, its creator and staff; null for other readers, and while the booking is ' +
          'not cancelled',
      ),
    collectionStyle: z.enum(collectionStyles).meta({ choices: 'CollectionStyle' }),
    prepaidAmountCents: Cents.nullable().describe(
      'Only for the people on the booking, its creator and staff; null for other readers, and when nothing is prepaid',
    ),
    rampedOutAt: Instant.nullable(),
    expectedBackAt: Instant.nullable().describe('When the aircraft is expected back; null before ramp-out'),
    rampedInAt: Instant.nullable(),
    hobbsTimeOut: Reading.nullable(),
    hobbsTimeIn: Reading.nullable(),
    tachTimeOut: Reading.nullable(),
    tachTimeIn: Reading.nullable(),
    briefing: z.number().nullable().describe('Hours of ground time, to the tenth; null when there is none'),
    review: Review,
    correctedAfterSigning: CorrectedAfterSigning,
    payers: z.array(StakeView).describe('How each payer pays; readers who are not staff see only their own entry'),
    paymentOverrides: z.array(StakeView).describe('The same as `payers`'),
    invoiceTotals: InvoiceTotals.nullable().describe(
      'The bill of the flight; readers who are not staff see only their own lines and share. null until there are ' +
        'figures to bill, and for a prepaid booking',
    ),
    invoices: z
      .array(
        z
          .object({
            id: Id,
            payer: PayerView,
            totalCents: Cents,
            paid: z.boolean(),
            voided: z.boolean(),
            payUrl: z
              .string()
              .nullable()
              .describe('The payment page; null while there is none, and for readers who may not read the invoice'),
          })
          .meta({ id: 'BookingInvoice' }),
      )
      .describe('The invoices of the booking; readers who are not staff see only their own'),
    owedBackCents: Cents.describe(
      'For a cancelled booking: the amount that was prepaid by cash or check, less what credit notes gave back; ' +
        'otherwise 0',
    ),
    meetingUrl: z.string().nullable(),
    passengers: z.int().describe('The number of people aboard who are not on the booking'),
    ifr: z.boolean().describe('Whether the flight is under instrument flight rules'),
    solo: SoloFlight.nullable().describe('Where a solo flight goes; null: not given'),
    overrides: z
      .array(
        z
          .object({
            rule: z.string(),
            orgUserId: Id.nullable().describe(
              'The member for whom the rule is overridden; null when the override is not about one person',
            ),
            reason: z.string(),
            by: Person,
            at: Instant,
            paper: z.boolean().describe('Whether a document shows the paper that was seen'),
            documentId: Id.optional().describe(
              'The document that shows the paper; absent for readers who may not see it',
            ),
          })
          .meta({ id: 'RuleOverride' }),
      )
      .nullable()
      .describe('The overrides that are in force for the booking; null for readers who are not staff'),
    lesson: PlannedLesson.nullable().describe(
      'The planned lesson of the reader, or else the first one; null when there is none, and for readers who are ' +
        'neither on the booking nor staff',
    ),
    lessons: z
      .array(StudentLesson)
      .describe('The planned lesson of each student; empty for readers who are neither on the booking nor staff'),
    cancellationTerms: CancellationTerms,
    fee: ReservationFee.describe('Only for its payer and desk staff'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Reservation' })

/** Returns a booking as its reader may see it at an instant. Implements interface §Reservation. */
export function reservationView(row: ReservationRow, reader: Actor, now: Date): z.input<typeof Reservation> {
  const isStaff = is(reader, staff)
  const concerned = isBookingParty(row, reader)
  const mine = (one: { orgUserId: number | null }) => isStaff || one.orgUserId === reader.orgUserId
  const planned = isStaff || row.seats.some(({ orgUserId }) => orgUserId === reader.orgUserId) ? row.lessons : []
  const status = statusOf(lifecycleOf(row))
  const stakes = row.stakes.filter(mine).map((stake) => stakeView(stake, row.seats))
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    status,
    start: iso(row.starts_at),
    end: iso(row.ends_at),
    timeZoneName: row.time_zone_name,
    notes: concerned ? row.notes : null,
    resource: row.resource,
    location: row.location,
    personnel: personnelView(row.seats, isStaff),
    createdBy: personView(row.created_by, row.created_by_name),
    series:
      row.series_id === null ? null : { id: row.series_id, index: row.series_index ?? 1, count: row.series_count ?? 1 },
    cancelledAt: iso(row.cancelled_at),
    cancellation:
      row.cancelled_at && concerned
        ? {
            reason: row.cancellation_reason ?? '',
            category: row.cancellation_category ?? '',
            by: personView(row.cancelled_by, row.cancelled_by_name),
          }
        : null,
    collectionStyle: row.collection_style,
    prepaidAmountCents: concerned ? row.prepaid_amount_cents : null,
    rampedOutAt: iso(row.ramped_out_at),
    expectedBackAt: iso(row.expected_back_at),
    rampedInAt: iso(row.ramped_in_at),
    ...closeOutView(row),
    review: {
      needs: row.signed_off_at ? [] : sidesOutstanding(row),
      confirmations: row.confirmations.map(({ recordedBy, amounts: _, ...one }) => ({
        ...one,
        onBehalf: recordedBy !== null,
      })),
      signedOffAt: iso(row.signed_off_at),
      waitsFor:
        status === 'signed_off'
          ? row.notices.filter(mine).map(({ orgUserId, notifiedAt }) => ({
              orgUserId,
              until: notifiedAt && iso(objectsUntil(new Date(notifiedAt))),
            }))
          : [],
    },
    correctedAfterSigning: correctionView(row, reader),
    payers: stakes,
    paymentOverrides: stakes,
    invoiceTotals: invoiceTotalsView(row, reader),
    invoices: row.invoices.filter(mine).map((invoice) => ({
      id: invoice.id,
      payer: { orgUserId: invoice.orgUserId, guestId: invoice.guestId, name: invoice.name },
      totalCents: invoice.totalCents,
      paid: invoice.status === 'paid',
      voided: invoice.status === 'void',
      payUrl: mayReadInvoice(reader, { membership_id: invoice.orgUserId }) ? invoice.payUrl : null,
    })),
    owedBackCents: row.cancelled_at ? sum(row.invoices.filter(mine).map((invoice) => invoice.offlineCents)) : ZERO,
    meetingUrl: concerned ? row.meeting_url : null,
    passengers: row.passengers,
    ifr: row.ifr,
    solo: row.solo,
    overrides: isStaff ? overridesView(row, reader) : null,
    lesson: planned.find(({ orgUserId }) => orgUserId === reader.orgUserId) ?? planned[0] ?? null,
    lessons: planned.map(({ orgUserId, id: lessonId }) => ({ orgUserId, lessonId })),
    cancellationTerms: bookedTermsView(row, reader, { concerned, status, now }),
    fee: row.fees.length > 0 ? feeView(row, reader) : null,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

function overridesView(row: ReservationRow, reader: Actor) {
  return overridesInForce(row).map(({ rule, orgUserId, reason, by, at, documentId = null, hasPaper = false }) => ({
    rule,
    orgUserId,
    reason,
    by,
    at: iso(at),
    paper: hasPaper,
    ...(documentId !== null && (readsAll(reader) || orgUserId === reader.orgUserId) && { documentId }),
  }))
}
