import { sql } from 'kysely'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Opening } from '../openings/openings.rules.ts'
import { lockSlots } from '../reservations/slots.access.ts'
import { estimateOf } from '../rules/balance.rules.ts'
import type { Problem } from '../rules/problems.ts'
import type { Place } from './entry.rules.ts'
import { insertOffer } from './insert-offer.ts'
import { refusalOfPlace, seatsOf } from './judge-place.ts'
import { RESTING } from './marks.queries.ts'
import { isQuiet, offerTimes, quietEnd } from './offer-times.rules.ts'
import { findMovedByOffers } from './open-offers.queries.ts'
import type { BarredTime } from './places.rules.ts'
import { findHeldMinutes, type WaitingEntry } from './waiting.queries.ts'

interface Making {
  principal: Actor
  entry: WaitingEntry
  opening: Opening
}

/**
 * Offers a place to the member of an entry. Returns null when the place is too near, and `not now` in quiet hours: the place
 * then stays marked until they end.
 */
export async function makeOffer(
  tx: Tx,
  mailTokens: MailTokens,
  { principal, entry, opening }: Making,
): Promise<BarredTime | 'not now' | null> {
  const { organizationId, organization } = principal
  const { settings } = organization
  const { start, end, resource } = opening
  const zone = resource?.zone ?? organization.timeZoneName
  const place = placeIn(opening)
  const { instructorId } = place
  if (isQuiet(tx.now, settings.quietHours, zone)) {
    await rest(tx, organizationId, place, quietEnd(tx.now, settings.quietHours, zone))
    return 'not now'
  }
  const times = offerTimes({
    now: tx.now,
    start,
    noticeMinutes: entry.noticeMinutes,
    offerMinutes: settings.offerMinutes,
    quietHours: settings.quietHours,
    zone,
    heldMinutes: await findHeldMinutes(tx.db, organizationId, place, tx.now),
    // Strangers who joined by code do not keep places from others by waiting for them.
    mayHold: entry.makerId !== entry.orgUserId || entry.hasFlown,
  })
  if (!times) return null
  const moves = entry.moves === 'ahead' ? entry.insteadOfId : null
  // Bookings of the slot wait from here on, and those before are seen.
  await lockSlots(tx.db, {
    resourceIds: place.resourceId === null ? [] : [place.resourceId],
    seats: seatsOf(entry.type, entry.orgUserId, instructorId),
  })
  if (moves !== null && (await findMovedByOffers(tx.db, organizationId, [moves])).size > 0) return null
  const { type, orgUserId } = entry
  if (await refusalOfPlace(tx, principal, { ...place, type, orgUserId, movesId: moves })) return null
  const by = { organizationId, orgUserId: null }
  await insertOffer(tx, mailTokens, by, {
    source: 'waitlist',
    entryId: entry.id,
    membershipId: entry.orgUserId,
    type: entry.type,
    startsAt: start,
    endsAt: end,
    resourceId: place.resourceId,
    instructorId,
    movesId: moves,
    expiresAt: times.expiresAt,
    holdsUntil: times.holdsUntil,
    estimatedCents: estimateAt(entry, opening, principal),
    warnings: warningsFor(entry.orgUserId, opening.warnings),
  })
  return { ...place, orgUserId, entryId: entry.id, why: 'open' }
}

function estimateAt(entry: WaitingEntry, { start, end, resource, crew }: Opening, { organization }: Actor) {
  const times = { id: null, type: entry.type, start, end, locationId: null, passengers: 0, ifr: false, lessonIds: [] }
  const booking = { ...times, zone: organization.timeZoneName }
  return estimateOf({ booking, seats: crew, resource, settings: organization.settings })
}

/** Returns the warnings that the person of an offer reads: what concerns them and the aircraft, and nothing about the instructor. */
export function warningsFor(orgUserId: number, warnings: readonly Problem[]): Problem[] {
  return warnings.filter((one) => one.orgUserId === undefined || one.orgUserId === orgUserId)
}

/** Leaves a mark that becomes one of the job when the quiet hours end. */
async function rest(
  tx: Tx,
  organizationId: number,
  { start, end, resourceId }: { start: Date; end: Date; resourceId: number | null },
  until: Date,
): Promise<void> {
  await sql`insert into job_mark (organization_id, job, about) values (${organizationId}, ${RESTING},
    jsonb_strip_nulls(${JSON.stringify({ resourceId, start, end, until })}::jsonb))`.execute(tx.db)
}

/** Returns the place of an opening. */
export function placeIn({ start, end, resource, crew }: Opening): Place {
  const instructorId = crew.find(({ side }) => side === 'instructors')?.orgUserId ?? null
  return { start, end, resourceId: resource?.id ?? null, instructorId }
}
