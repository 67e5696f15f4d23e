import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { findReservations } from '../reservations/reservation.queries.ts'
import { withdrawOffers } from '../waitlist/end-offer.ts'
import { isMoved } from './plan-rows.rules.ts'
import { type AskedOffer, findAskedOffers } from './recovery.queries.ts'

/** Withdraws the open offers of recoveries whose bookings are cancelled, or no longer where the plans found them. Returns how many. */
export async function withdrawMoved(tx: Tx, organizationId: number): Promise<number> {
  const offers = await findAskedOffers(tx.db, organizationId)
  const stand = new Set(await standing(tx, organizationId, offers))
  const ids = offers.filter((offer) => !stand.has(offer)).map(({ id }) => id)
  if (ids.length === 0) return 0
  return withdrawOffers(tx, { organizationId, orgUserId: null }, { id: { $in: ids } }, 'impossible')
}

/** Returns what is known of an open offer of a recovery; null when its booking is no longer where the plan found it. */
export async function findAsked(
  tx: Tx,
  { organizationId, id }: { organizationId: number; id: number },
): Promise<AskedOffer | null> {
  const [asked] = await standing(tx, organizationId, await findAskedOffers(tx.db, organizationId, id))
  return asked ?? null
}

/** Returns the offers whose bookings are where the plans found them. */
async function standing(tx: Tx, organizationId: number, offers: readonly AskedOffer[]): Promise<AskedOffer[]> {
  if (offers.length === 0) return []
  const bookings = await findReservations(tx.db, organizationId, {
    where: sql`r.live and r.id = any(${offers.map(({ movesId }) => movesId)}::int[])`,
    orderBy: sql`r.id`,
  })
  return offers.filter(({ movesId, from }) => {
    const booking = bookings.find(({ id }) => id === movesId)
    return booking !== undefined && from !== null && !isMoved(from, booking)
  })
}
