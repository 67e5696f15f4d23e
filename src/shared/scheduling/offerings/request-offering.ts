import { sql } from 'kysely'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { BookingRequest } from '../booking-requests.tables.ts'
import { lockSlots } from '../reservations/slots.access.ts'
import type { BookingPrincipal } from '../rules/load-booking-facts.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { sendConfirmation } from '../scheduling.jobs.ts'
import { isOpenAt } from './find-public-openings.ts'
import { lockPublicRequests } from './holds.queries.ts'
import { findLocationsOf, findPublicOffering, hoursOf, type OfferingRow } from './offering.queries.ts'
import { isOffered } from './offering.rules.ts'
import { countRequest } from './request-limits.access.ts'

/** Minutes that the chosen aircraft is held. */
export const HOLD_MINUTES = 30
/** Hours that the mailed link is valid. */
export const CONFIRMATION_HOURS = 24
/** The most days from now to the start of a guest's request. */
const MOST_DAYS_AHEAD = 365
/** The most undecided requests of one email at a school; further ones are dropped without an error. */
const MOST_OF_GUEST = 3
/** The most aircraft that a school holds at the same time, for all guests. */
const MOST_HOLDS = 10
/**
 * The most aircraft held at the same time, at all schools, for unconfirmed requests from one network; further requests hold
 * none.
 */
const MOST_HOLDS_OF_NETWORK = 2

/** The network that a guest's request comes from, and the operator's factor on the limits. */
export interface RequestOrigin {
  /** The keyed hash of the network. */
  networkMark: string
  factor: number
}

export interface GuestRequest {
  name: string
  email: string
  phone: string
  start: Date
  resourceId: number | null
}

/**
 * Creates a guest's request for an offering and enqueues its confirmation mail. A chosen aircraft must be free and is held
 * for 30 minutes. The response is the same for every email, so that it does not disclose whether an email is known. An email
 * with too many undecided requests gets the usual response, but the request is not stored. When the email holds an aircraft
 * on this offering already, or the network holds two, the request is stored without a hold. Implements interface §Booking
 * requests, docs/decisions/0013.
 */
export async function requestOffering(
  tx: Tx,
  mailTokens: MailTokens,
  offeringId: number,
  input: GuestRequest,
  { networkMark, factor }: RequestOrigin,
): Promise<{ id: number }> {
  const { offering, school } = await findPublicOffering(tx.db, offeringId)
  const { organizationId } = school
  assertIsAhead(input.start, tx.now)
  const guest = { organizationId, offeringId, email: input.email, networkMark }
  await countRequest(tx, guest, factor)
  const end = minutesAfter(input.start, offering.duration_minutes)
  await assertIsOffered(tx, offering, { start: input.start, end }, input.resourceId)
  const counts = await lockPublicRequests(tx.db, guest, tx.now)
  if (input.resourceId !== null) {
    await assertIsOpen(tx, school, offering, { start: input.start, resourceId: input.resourceId })
    if (counts.holds >= MOST_HOLDS) throw schedulingErrors.offeringWithoutAircraft()
  }
  if (counts.ofGuest >= MOST_OF_GUEST) return { id: await unusedRequestId(tx) }
  const mayHold = counts.holdsOfGuest === 0 && counts.holdsOfNetwork < MOST_HOLDS_OF_NETWORK
  const holds = input.resourceId !== null && mayHold
  const request = tx.em.create(BookingRequest, {
    ...mailTokens.draw(),
    organizationId,
    offeringId,
    status: 'awaiting_confirmation',
    type: 'guest',
    title: offering.name,
    startsAt: input.start,
    endsAt: end,
    timeZoneName: school.organization.timeZoneName,
    resourceId: input.resourceId,
    guestName: input.name,
    guestEmail: input.email,
    guestPhone: input.phone,
    collectionStyle: offering.collection_style,
    prepaidAmountCents: offering.collection_style === 'prepaid_fixed' ? offering.price_cents : null,
    networkMark,
    heldUntil: holds ? minutesAfter(tx.now, HOLD_MINUTES) : null,
    tokenExpiresAt: minutesAfter(tx.now, CONFIRMATION_HOURS * 60),
  })
  await tx.em.flush()
  tx.enqueue(sendConfirmation, { organizationId, bookingRequestId: request.id })
  return { id: request.id }
}

function assertIsAhead(start: Date, now: Date): void {
  if (start.getTime() <= now.getTime()) throw schedulingErrors.startInPast()
  if (start.getTime() > minutesAfter(now, MOST_DAYS_AHEAD * 1440).getTime()) {
    throw schedulingErrors.startTooFarAhead({ days: MOST_DAYS_AHEAD })
  }
}

/** Checks that an offering is flown at this time from the location of the chosen aircraft, or of one of its aircraft. */
async function assertIsOffered(
  tx: Tx,
  offering: OfferingRow,
  slot: Interval,
  resourceId: number | null,
): Promise<void> {
  const hours = hoursOf(offering)
  if (hours.earliestMinute === null && hours.latestMinute === null && !hours.daylight) return
  const aircraft = offering.resource_ids?.filter((id) => resourceId === null || id === resourceId) ?? []
  if (aircraft.length === 0) return
  const locations = await findLocationsOf(tx.db, offering.organization_id, aircraft)
  if (!locations.some((location) => isOffered(hours, slot, location))) throw schedulingErrors.notOfferedThen()
}

async function assertIsOpen(
  tx: Tx,
  school: BookingPrincipal,
  offering: OfferingRow,
  slot: { start: Date; resourceId: number },
): Promise<void> {
  const { resourceId } = slot
  if (!offering.resource_ids?.includes(resourceId)) {
    throw schedulingErrors.aircraftNotOffered()
  }
  await lockSlots(tx.db, { resourceIds: [resourceId], seats: [] })
  if (!(await isOpenAt(tx.db, school, tx.now, offering, slot))) {
    throw schedulingErrors.timeNotOpen()
  }
}

/** Returns an id from the sequence of requests that no request gets. */
async function unusedRequestId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('booking_request', 'id'))::int as id`.execute(tx.db)
  return rows[0]!.id
}

function minutesAfter(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + minutes * 60_000)
}
