import type { Tx } from '../../platform/db/transaction.ts'
import { fits } from './entry.rules.ts'
import { type BarredTime, isLimited } from './places.rules.ts'
import type { WaitingEntry } from './waiting.queries.ts'
import type { PassCause } from './waitlist.states.ts'

const MINUTE_MS = 60_000
/** The most entries of which one place is recorded. */
const MOST_PASSES = 50

/** Records that a place went to one entry, for the others that wait for such a place, and why they did not get it. */
export async function recordPasses(
  tx: Tx,
  organizationId: number,
  place: BarredTime,
  { entry: got, waiting }: { entry: WaitingEntry; waiting: readonly WaitingEntry[] },
): Promise<void> {
  const at = waiting.indexOf(got)
  const passed = waiting
    .map((entry, index) => ({ entry, cause: causeOf(entry, place, index > at, tx.now) }))
    .filter(({ entry }) => entry !== got && entry.type === got.type && fits(entry, place))
    .slice(0, MOST_PASSES)
  if (passed.length === 0) return
  await tx.db
    .insertInto('waitlist_pass')
    .values(
      passed.map(({ entry, cause }) => ({
        organization_id: organizationId,
        entry_id: entry.id,
        starts_at: place.start,
        resource_id: place.resourceId,
        cause,
        passed_at: tx.now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function causeOf(entry: WaitingEntry, place: BarredTime, isLater: boolean, now: Date): PassCause {
  if (place.start.getTime() - now.getTime() < entry.noticeMinutes * MINUTE_MS) return 'notice'
  if (isLater) return 'order'
  return isLimited(entry, now) ? 'limit' : 'not_accepted'
}
