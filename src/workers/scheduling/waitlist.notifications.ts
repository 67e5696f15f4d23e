import type { DomainEvent } from '../../shared/communication/communication.jobs.ts'
import {
  type OfferTemplateData,
  offerWithdrawn,
  slotOffered,
  waitlistBooked,
  waitlistEnded,
} from '../../shared/communication/notifications/templates/offer.rules.ts'
import {
  findEndOf,
  findOfferToTell,
  findWithdrawnLately,
} from '../../shared/scheduling/waitlist/offer-notices.queries.ts'
import type { OfferStatus } from '../../shared/scheduling/waitlist/waitlist.states.ts'
import {
  defineNotification,
  members,
  type NotificationSources,
} from '../communication/notifications/define-notification.ts'

type Told = OfferTemplateData & { orgUserId: number; makerId: number | null; endedAt: Date | null }

/** The most withdrawals that a person is told of in a day. */
const MOST_WITHDRAWALS = 3
/** Endings of an offer that its person caused. */
const ownCauses = ['entry_changed', 'entry_ended', 'left', 'own_booking']
/** Endings of an entry that its member did not cause. */
const toldEndings = ['flown', 'over', 'silent']

/** Returns an offer that is open and not late; null otherwise. */
async function openOffer(sources: NotificationSources, event: DomainEvent): Promise<Told | null> {
  const offer = await load(sources, event, 'open')
  return offer && offer.expiresAt > sources.clock() ? offer : null
}

/** Returns an accepted offer. */
const acceptedOffer = (sources: NotificationSources, event: DomainEvent) => load(sources, event, 'accepted')

/** Returns a withdrawn offer; null when its person caused it, or was told of three in a day. */
async function withdrawnOffer(sources: NotificationSources, event: DomainEvent): Promise<Told | null> {
  const offer = await load(sources, event, 'withdrawn')
  if (!offer || ownCauses.includes(offer.cause ?? '')) return null
  const earlier = await findWithdrawnLately(sources.database.db, event.organizationId, offer, ownCauses)
  return earlier < MOST_WITHDRAWALS ? offer : null
}

/** Returns an entry that ended without its member. */
async function endedEntry({ database }: NotificationSources, { organizationId, subjectId }: DomainEvent) {
  const row = await findEndOf(database.db, organizationId, subjectId)
  if (!row?.cause || !toldEndings.includes(row.cause)) return null
  return { id: row.id, orgUserId: row.orgUserId, makerId: row.makerId, cause: row.cause as string }
}

/** Returns the person of an offer or an entry, as the audience. */
const itsPerson = ({ orgUserId }: { orgUserId: number }) => members([orgUserId])

/** Returns who made the entry that an offer is for, and can make more. */
const itsMaker = ({ makerId }: { makerId: number | null }) => makerId ?? undefined

async function load(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
  status: OfferStatus,
): Promise<Told | null> {
  const offer = await findOfferToTell(database.db, organizationId, subjectId)
  return offer?.status === status ? offer : null
}

/** The notifications of offers and of the waiting list, each to its person. */
export const offerNotifications = {
  slot_offered: defineNotification(openOffer, itsPerson, slotOffered, undefined, itsMaker),
  offer_withdrawn: defineNotification(withdrawnOffer, itsPerson, offerWithdrawn, undefined, itsMaker),
  waitlist_booked: defineNotification(acceptedOffer, itsPerson, waitlistBooked, undefined, itsMaker),
  waitlist_ended: defineNotification(endedEntry, itsPerson, waitlistEnded, undefined, itsMaker),
}
