import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { expireOffer as job, offerPlaces } from '../scheduling.jobs.ts'
import { endEntry, endOffer } from './end-offer.ts'
import { RESTING } from './marks.queries.ts'
import { findEntryIdOf, findLateOffers, findLatestAnswers } from './open-offers.queries.ts'
import { lockEntryIfAny, lockOffer } from './waitlist.access.ts'

/** The offers in a row without an answer that end an entry. */
const MOST_SILENCES = 3
const BATCH = 100
/** An offer whose job is so late is looked up by the sweep, in milliseconds. */
const LATE_MS = 10_000

/** Ends an offer that nobody answered in time. Three in a row without an answer end its entry. Does nothing to any other. */
export async function expireOffer(tx: Tx, organizationId: number, offerId: number): Promise<void> {
  const by = { organizationId, orgUserId: null }
  const entryId = await findEntryIdOf(tx.db, organizationId, offerId)
  const entry = entryId ? await lockEntryIfAny(tx, organizationId, entryId) : null
  const offer = await lockOffer(tx, organizationId, offerId)
  if (offer?.status !== 'open' || offer.expiresAt > tx.now) return
  await endOffer(tx, by, offer, 'expired')
  if (entry?.status !== 'waiting') return
  const latest = await findLatestAnswers(tx.db, organizationId, entry.id, MOST_SILENCES)
  const isSilent = latest.length === MOST_SILENCES && latest.every((status) => status === 'expired')
  if (isSilent) endEntry(tx, by, entry, 'silent')
}

/** Enqueues the end of offers whose job was lost. */
export async function sweepOffers(tx: Tx): Promise<void> {
  const before = new Date(tx.now.getTime() - LATE_MS)
  for (const { id, organizationId } of await findLateOffers(tx.db, before, BATCH)) {
    tx.enqueue(job, { organizationId, offerId: id })
  }
}

/** Makes the marks of places that rested in quiet hours marks of the job, when these hours are over. */
export async function wakePlaces(tx: Tx): Promise<void> {
  await sql`update job_mark set job = ${offerPlaces.name}
    where job = ${RESTING} and (about ->> 'until')::timestamptz <= ${tx.now}`.execute(tx.db)
}
