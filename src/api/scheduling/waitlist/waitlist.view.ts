import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import type { EntryRow, findPasses } from '../../../shared/scheduling/waitlist/entry.queries.ts'
import type { OfferRow } from '../../../shared/scheduling/waitlist/offer.queries.ts'
import {
  answeredHow,
  causeForPerson,
  endCauses,
  offerSources,
  offerStatuses,
  passCauses,
  shownStatuses,
  shownWithdrawalCauses,
  waitingTypes,
} from '../../../shared/scheduling/waitlist/waitlist.states.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, NamedReference, Person, Reference } from '../../http/schemas.ts'
import { BookingProblem } from '../rules/problem.view.ts'

const Window = z.object({ start: Instant, end: Instant }).meta({ id: 'WaitlistWindow' })
const status = z.enum(offerStatuses).meta({ choices: 'OfferStatus' })

/** What a member waits for, and the offers that came of it. */
export const WaitlistEntry = z
  .object({
    id: Id,
    status: z.enum(shownStatuses).describe('`offered`: an offer is open'),
    position: z
      .int()
      .nullable()
      .describe(
        'The place among the entries of the type that wait; null for others, and beyond the first 1,000 of the type',
      ),
    orgUserId: Id,
    person: Person,
    createdBy: Person,
    type: z.enum(waitingTypes).meta({ choices: 'WaitingType' }),
    durationMinutes: z.int(),
    windows: z.array(Window),
    resourceIds: z.array(Id),
    pool: z.string().nullable(),
    instructorOrgUserIds: z.array(Id),
    noticeMinutes: z.int(),
    insteadOf: Id.nullable(),
    offers: z
      .array(
        z.object({ id: Id, status, start: Instant, end: Instant, expiresAt: Instant }).meta({ id: 'WaitlistOffer' }),
      )
      .describe('The offers, newest first'),
    reservation: Reference.nullable().describe('The booking that was made or moved when the offer was accepted'),
    endedAt: Instant.nullable(),
    endCause: z
      .enum(endCauses)
      .nullable()
      .describe('`over`: its last window is over. `silent`: three offers in a row without an answer'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'WaitlistEntry' })

/** An entry with the places that others got. */
export const WaitlistEntryDetail = WaitlistEntry.extend({
  passedOver: z
    .array(z.object({ at: Instant, start: Instant, cause: z.enum(passCauses) }).meta({ id: 'PassedOver' }))
    .describe(
      'The last 20 places that the entry did not get. `order`: others came first. `limit`: the member has as many offers ' +
        'as allowed. `rule`: a rule of booking about the member. `not_accepted`: another rule',
    ),
}).meta({ id: 'WaitlistEntryDetail' })

export function entryView(row: EntryRow): z.input<typeof WaitlistEntry> {
  return {
    id: row.id,
    status: row.shown,
    position: row.position,
    orgUserId: row.membership_id,
    person: row.person,
    createdBy: row.maker,
    type: row.type,
    durationMinutes: row.duration_minutes,
    windows: row.windows,
    resourceIds: row.resource_ids,
    pool: row.pool,
    instructorOrgUserIds: row.instructor_ids,
    noticeMinutes: row.notice_minutes,
    insteadOf: row.instead_of_id,
    offers: row.offers.map(({ start, end, expiresAt, ...offer }) => ({
      ...offer,
      start: iso(new Date(start)),
      end: iso(new Date(end)),
      expiresAt: iso(new Date(expiresAt)),
    })),
    reservation: row.reservation_id === null ? null : { id: row.reservation_id },
    endedAt: iso(row.ended_at),
    endCause: row.end_cause,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

export function entryDetailView(
  row: EntryRow,
  passes: Awaited<ReturnType<typeof findPasses>>,
): z.input<typeof WaitlistEntryDetail> {
  const passedOver = passes.map(({ at, start, cause }) => ({ at: iso(at), start: iso(start), cause }))
  return { ...entryView(row), passedOver }
}

/** A place that is kept for one person until an instant. */
export const Offer = z
  .object({
    id: Id,
    source: z.enum(offerSources),
    status,
    waitlistEntryId: Id.nullable().describe('The entry of the waiting list; null for an offer of a recovery'),
    orgUserId: Id,
    person: Person,
    type: z.enum(reservationTypes),
    start: Instant,
    end: Instant,
    resource: NamedReference.nullable(),
    instructor: Person.nullable(),
    insteadOf: Id.nullable().describe('The booking that moves when the offer is accepted'),
    warnings: z.array(BookingProblem).describe('The warnings that the booking would get'),
    estimatedCents: Cents.nullable().describe('The estimated cost. Only for the person and desk staff'),
    expiresAt: Instant,
    cause: z.enum(shownWithdrawalCauses).nullable().describe('Why it was withdrawn. `order`: others are asked'),
    endedAt: Instant.nullable(),
    answeredBy: Person.nullable().describe('Who answered it'),
    how: z.enum(answeredHow).nullable().describe('How it was answered in the person’s name, or by the mailed link'),
    reservation: Reference.nullable().describe('The booking that was made or moved when the offer was accepted'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Offer' })

/** Returns an offer as a member sees it. */
export function offerView(row: OfferRow, reader: Actor): z.input<typeof Offer> {
  const seesCost = row.membership_id === reader.orgUserId || is(reader, deskStaff)
  const seesDecline = row.instructor_id === reader.orgUserId || is(reader, deskStaff)
  const cause = seesDecline ? row.cause : causeForPerson(row.cause)
  return {
    id: row.id,
    source: row.source,
    status: row.status,
    waitlistEntryId: row.entry_id,
    orgUserId: row.membership_id,
    person: row.person,
    type: row.type,
    start: iso(row.starts_at),
    end: iso(row.ends_at),
    resource: row.resource_id === null ? null : { id: row.resource_id, name: row.resource_name ?? '' },
    instructor: row.instructor,
    insteadOf: row.moves_id,
    warnings: seesCost ? row.warnings : [],
    estimatedCents: seesCost ? row.estimated_cents : null,
    expiresAt: iso(row.expires_at),
    cause,
    endedAt: iso(row.ended_at),
    answeredBy: cause === 'order' ? null : row.answerer,
    how: row.how,
    reservation: row.reservation_id === null ? null : { id: row.reservation_id },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
