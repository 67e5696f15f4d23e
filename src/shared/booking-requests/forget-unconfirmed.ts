import type { Tx } from '../db/transaction.ts'

/** How long the name and address of somebody who never opened the mailed link are kept, in days. */
const KEPT_DAYS = 7
const DAY_MS = 86_400_000

/** Deletes the requests of guests that nobody confirmed in a week. Answers how many there were. */
export async function forgetUnconfirmedRequests(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('booking_request')
    .where('status', '=', 'awaiting_confirmation')
    .where('created_at', '<', new Date(tx.now.getTime() - KEPT_DAYS * DAY_MS))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
