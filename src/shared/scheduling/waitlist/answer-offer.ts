import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { waitlistErrors } from '../waitlist.errors.ts'
import type { Offer } from '../waitlist.tables.ts'
import { endOffer } from './end-offer.ts'
import { recordPassOf } from './record-passes.ts'
import { lockOffer } from './waitlist.access.ts'
import type { AnsweredHow } from './waitlist.states.ts'

/** Who answers an offer, and how: null for the person themself, signed in. */
export interface Answering {
  by: Cause
  answeredBy: number
  how: AnsweredHow | null
}

type Read = Pick<Offer, 'membershipId' | 'instructorId'>

/** Returns who answers an offer: its person, or desk staff in the person's name, who say how the person answered. */
export function answeringOf(actor: Actor, offer: Read | null, how: AnsweredHow | null): Answering {
  assertReads(actor, offer)
  if (offer.membershipId === actor.orgUserId) return { by: actor, answeredBy: actor.orgUserId, how: null }
  // Nobody consents in a name for hours that they gain.
  if (!is(actor, deskStaff) || offer.instructorId === actor.orgUserId) throw waitlistErrors.offerOfOther()
  if (how === null) throw waitlistErrors.howMissing()
  return { by: actor, answeredBy: actor.orgUserId, how }
}

function assertReads(actor: Actor, offer: Read | null): asserts offer is Read {
  const isTheirs = offer?.membershipId === actor.orgUserId || offer?.instructorId === actor.orgUserId
  if (!offer || !(isTheirs || is(actor, deskStaff))) throw waitlistErrors.noSuchOffer()
}

/** Checks that an offer can be answered. Late is by the clock, whatever the job that ends offers has done. */
export function assertIsOpen(offer: Offer, now: Date): void {
  const status = offer.status === 'open' && offer.expiresAt <= now ? 'expired' : offer.status
  if (status !== 'open') throw waitlistErrors.offerEnded({}, { status })
}

/**
 * Declines an offer: its person, desk staff in their name, or its instructor. That counts as no answer of the person, whose entry
 * is then passed over, as if others came first.
 */
export async function declineOffer(tx: Tx, actor: Actor, id: number, how: AnsweredHow | null): Promise<{ id: number }> {
  const offer = await lockOffer(tx, actor.organizationId, id)
  assertReads(actor, offer)
  const isInstructor = offer.instructorId === actor.orgUserId && offer.membershipId !== actor.orgUserId
  if (isInstructor && !is(actor, deskStaff)) {
    if (!actor.organization.settings.instructorsDecline) throw waitlistErrors.offerOfOther()
    assertIsOpen(offer, tx.now)
    await endOffer(tx, actor, offer, 'withdrawn', { cause: 'instructor', answeredBy: actor.orgUserId })
    await recordPassOf(tx, offer)
    return { id }
  }
  await decline(tx, answeringOf(actor, offer, how), offer)
  return { id }
}

/** Ends a locked offer as declined. */
export async function decline(tx: Tx, { by, answeredBy, how }: Answering, offer: Offer): Promise<void> {
  assertIsOpen(offer, tx.now)
  await endOffer(tx, by, offer, 'declined', { answeredBy, how })
}
