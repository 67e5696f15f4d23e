import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { expireOffer as job, offerPlaces } from '../scheduling.jobs.ts'
import { endEntry, endOffer } from './end-offer.ts'
import { RESTING } from './marks.queries.ts'
import { lockEntryIfAny, lockOffer } from './waitlist.access.ts'

/** The offers in a row without an answer that end an entry. */
const MOST_SILENCES = 3
const BATCH = 100

/** Ends an offer that nobody answered in time. Three in a row without an answer end its entry. Does nothing to any other. */
export async function expireOffer(tx: Tx, organizationId: number, offerId: number): Promise<void> {
  const by = { organizationId, orgUserId: null }
  const seen = await tx.db
    .selectFrom('offer')
    .select('entry_id as entryId')
    .where('organization_id', '=', organizationId)
    .where('id', '=', offerId)
    .executeTakeFirst()
  const entry = seen?.entryId ? await lockEntryIfAny(tx, organizationId, seen.entryId) : null
  const offer = await lockOffer(tx, organizationId, offerId)
  if (offer?.status !== 'open' || offer.expiresAt > tx.now) return
  await endOffer(tx, by, offer, 'expired')
  if (entry?.status !== 'waiting') return
  const latest = await tx.db
    .selectFrom('offer')
    .select('status')
    .where('organization_id', '=', organizationId)
    .where('entry_id', '=', entry.id)
    .where('status', 'in', ['expired', 'declined', 'accepted'])
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SILENCES)
    .execute()
  const isSilent = latest.length === MOST_SILENCES && latest.every(({ status }) => status === 'expired')
  if (isSilent) endEntry(tx, by, entry, 'silent')
}

/** Enqueues the end of offers whose job was lost. Returns how many. */
export async function sweepOffers(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number; organizationId: number }>`
    select id, organization_id as "organizationId" from offer
    where status = 'open' and expires_at < ${tx.now}::timestamptz - interval '10 seconds'
    order by expires_at limit ${BATCH}`.execute(tx.db)
  for (const { id, organizationId } of rows) tx.enqueue(job, { organizationId, offerId: id })
  return 0
}

/** Makes the marks of places that rested in quiet hours marks of the job, when these hours are over. */
export async function wakePlaces(tx: Tx): Promise<number> {
  await sql`update job_mark set job = ${offerPlaces.name}
    where job = ${RESTING} and (about ->> 'until')::timestamptz <= ${tx.now}`.execute(tx.db)
  return 0
}
