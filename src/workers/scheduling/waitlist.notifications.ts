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
  findWithdrawal,
  findWithdrawnLately,
} from '../../shared/scheduling/waitlist/offer-notices.queries.ts'
import {
  causeForPerson,
  type OfferStatus,
  type WithdrawalCause,
} from '../../shared/scheduling/waitlist/waitlist.states.ts'
import {
  defineNotification,
  members,
  type NotificationSources,
} from '../communication/notifications/define-notification.ts'

type Told = OfferTemplateData & { orgUserId: number; endedAt: Date | null }

/** The most withdrawals that a person is told of in a day. */
const MOST_WITHDRAWALS = 3
/** Endings of an entry that its member did not cause. */
const toldEndings = ['flown', 'over', 'role_lost', 'silent']

/** Returns an offer that is open and not late; null otherwise. */
async function openOffer(sources: NotificationSources, event: DomainEvent): Promise<Told | null> {
  const offer = await load(sources, event, 'open')
  return offer && offer.expiresAt > sources.clock() ? offer : null
}

/** Returns an accepted offer. */
const acceptedOffer = (sources: NotificationSources, event: DomainEvent) => load(sources, event, 'accepted')

/** Returns a withdrawn offer; null when its person caused it, or was told of three in a day. */
async function withdrawnOffer(sources: NotificationSources, event: DomainEvent) {
  const { db } = sources.database
  const offer = await load(sources, event, 'withdrawn')
  const withdrawal = await findWithdrawal(db, event.organizationId, event.subjectId)
  if (!offer || !withdrawal || withdrawal.isOwn) return null
  const earlier = await findWithdrawnLately(db, event.organizationId, offer)
  const cause = causeForPerson(offer.cause as WithdrawalCause | null)
  return earlier < MOST_WITHDRAWALS ? { ...offer, cause, by: withdrawal.by } : null
}

/** Returns an entry that ended without its member. */
async function endedEntry({ database }: NotificationSources, { organizationId, subjectId }: DomainEvent) {
  const row = await findEndOf(database.db, organizationId, subjectId)
  if (!row?.cause || !toldEndings.includes(row.cause)) return null
  return { id: row.id, orgUserId: row.orgUserId, cause: row.cause as string }
}

/** Returns the person of an offer or an entry, as the audience. */
const itsPerson = ({ orgUserId }: { orgUserId: number }) => members([orgUserId])

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
  slot_offered: defineNotification(openOffer, itsPerson, slotOffered),
  offer_withdrawn: defineNotification(withdrawnOffer, itsPerson, offerWithdrawn),
  waitlist_booked: defineNotification(acceptedOffer, itsPerson, waitlistBooked),
  waitlist_ended: defineNotification(endedEntry, itsPerson, waitlistEnded),
}
