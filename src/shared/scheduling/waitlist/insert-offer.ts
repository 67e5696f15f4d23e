import type { RequiredEntityData } from '@mikro-orm/core'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cause, emit } from '../../platform/events/emit.ts'
import { expireOffer } from '../scheduling.jobs.ts'
import { Offer } from '../waitlist.tables.ts'
import { findOfferedResource } from './offered-resource.queries.ts'

type NewOffer = Omit<RequiredEntityData<Offer>, 'organizationId' | 'madeAt' | 'seed' | 'tokenHash' | 'offered'> & {
  membershipId: number
  startsAt: Date
  endsAt: Date
  resourceId: number | null
  entryId?: number
  expiresAt: Date
}

/** Writes an offer, with the job that ends it. `partOf`: the offer whose notification tells of it too. Returns its id. */
export async function insertOffer(
  tx: Tx,
  mailTokens: MailTokens,
  by: Cause,
  given: NewOffer,
  partOf?: number,
): Promise<number> {
  const { organizationId } = by
  const { expiresAt, membershipId, startsAt, endsAt, resourceId, entryId } = given
  const offered = await findOfferedResource(tx.db, organizationId, resourceId)
  const offer = tx.em.create(Offer, { ...given, ...mailTokens.draw(), organizationId, madeAt: tx.now, offered })
  await tx.em.flush()
  const { id } = offer
  tx.enqueue(expireOffer, { organizationId, offerId: id }, { availableAt: expiresAt })
  const place = { start: startsAt, end: endsAt, resourceId }
  const after = { orgUserId: membershipId, ...place, waitlistEntryId: entryId, expiresAt, partOf }
  emit(tx, by, { kind: 'offer.made', subject: { kind: 'offer', id }, after })
  return id
}
