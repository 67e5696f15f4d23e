import type { DomainEvent } from '../../shared/communication/communication.jobs.ts'
import type { Message } from '../../shared/communication/notifications/templates/message.rules.ts'
import {
  type OfferedTogether,
  offerWithdrawn,
  slotOffered,
  waitlistBooked,
  waitlistEnded,
} from '../../shared/communication/notifications/templates/offer.rules.ts'
import { readSettings } from '../../shared/platform/authz/organization-settings.ts'
import { findCauseInWords, findRecoveryOf } from '../../shared/scheduling/recoveries/recovery-cause.queries.ts'
import {
  findEndOf,
  findOfferedTogether,
  findOfferToTell,
  findWithdrawal,
  findWithdrawnLately,
  type OfferToTell,
} from '../../shared/scheduling/waitlist/offer-notices.queries.ts'
import { quietEnd } from '../../shared/scheduling/waitlist/offer-times.rules.ts'
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

/** The most withdrawals that a person is notified of in a day. */
const MOST_WITHDRAWALS = 3
/** Endings of an entry that its member did not cause. */
const toldEndings = ['flown', 'over', 'role_lost', 'silent']

/** Returns an offer that is open and not late, with those that were made together with it; null when none is left. */
async function openOffers(
  { database: { db }, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<(OfferedTogether & Quiet & { orgUserId: number; makerId: number | null }) | null> {
  const found = await findOfferedTogether(db, organizationId, subjectId)
  const [first, ...others] = found.filter(({ expiresAt }) => expiresAt > clock())
  if (!first) return null
  const { orgUserId, makerId, zone, settings } = first
  const recoveryId = await findRecoveryOf(db, organizationId, first.id)
  const why = recoveryId === null ? null : await findCauseInWords(db, organizationId, recoveryId)
  return {
    offers: [first, ...others],
    why,
    isRecovery: first.source === 'recovery',
    orgUserId,
    makerId,
    zone,
    settings,
  }
}

/** Returns an accepted offer. */
const acceptedOffer = (sources: NotificationSources, event: DomainEvent) => load(sources, event, 'accepted')

/** Returns a withdrawn offer; null when its person caused it, or was notified of three in a day. */
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
  return { ...row, cause: row.cause as string }
}

/** Whose quiet hours a message keeps. */
interface Quiet {
  zone: string
  settings: unknown
}

/** Returns when the quiet hours of an organization are over, in the zone of a place. */
function afterQuiet({ zone, settings }: Quiet, now: Date): Date {
  return quietEnd(now, readSettings(settings).quietHours, zone)
}

/** Whoever accepts in somebody's name has to tell them at once. */
function unlessInName(offer: OfferToTell, now: Date): Date {
  const isInName = offer.how !== null && offer.how !== 'link'
  return isInName ? now : afterQuiet(offer, now)
}

/** Returns the person of an offer or an entry, as the audience. */
const itsPerson = ({ orgUserId }: { orgUserId: number }) => members([orgUserId])

/** Returns who made the entry that an offer is for, and can make more. */
const itsMaker = ({ makerId }: { makerId: number | null }) => makerId ?? undefined

async function load(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
  status: OfferStatus,
): Promise<OfferToTell | null> {
  const offer = await findOfferToTell(database.db, organizationId, subjectId)
  return offer?.status === status ? offer : null
}

/** Defines a notification to the person of an offer or an entry. */
const toItsPerson = <Subject extends { orgUserId: number; makerId: number | null }>(
  load: (sources: NotificationSources, event: DomainEvent) => Promise<Subject | null>,
  say: (subject: Subject) => Message,
  notBefore: (subject: Subject, now: Date) => Date,
) => defineNotification(load, itsPerson, say, undefined, itsMaker, notBefore)

/** The notifications of offers and of the waiting list, each to its person. Their mails and pushes keep the quiet hours. */
export const offerNotifications = {
  slot_offered: toItsPerson(openOffers, slotOffered, afterQuiet),
  offer_withdrawn: toItsPerson(withdrawnOffer, offerWithdrawn, afterQuiet),
  waitlist_booked: toItsPerson(acceptedOffer, waitlistBooked, unlessInName),
  waitlist_ended: toItsPerson(endedEntry, waitlistEnded, afterQuiet),
}
