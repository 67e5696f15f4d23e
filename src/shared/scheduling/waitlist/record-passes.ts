import type { Tx } from '../../platform/db/transaction.ts'
import { principalOf, refusalOfPlace } from './judge-place.ts'
import { type BarredTime, isLimited, isWaitedFor } from './places.rules.ts'
import type { WaitingEntry } from './waiting.queries.ts'
import type { PassCause } from './waitlist.states.ts'

const MINUTE_MS = 60_000
/** The most entries of which one place is recorded. */
const MOST_PASSES = 50

/** The most entries that are judged to tell why they did not get a place. */
const MOST_JUDGED = 10

/** Records that a place went to one entry, for the others that wait for such a place, and why they did not get it. */
export async function recordPasses(
  tx: Tx,
  organizationId: number,
  place: BarredTime,
  { entry: got, waiting }: { entry: WaitingEntry; waiting: readonly WaitingEntry[] },
): Promise<void> {
  const at = waiting.indexOf(got)
  const others = waiting.filter((entry) => entry !== got && entry.type === got.type && isWaitedFor(entry, place))
  const rows = []
  for (const [index, entry] of others.slice(0, MOST_PASSES).entries()) {
    const before = waiting.indexOf(entry) < at
    const known = knownCause(entry, place, before, tx.now)
    const judges = known === null && index < MOST_JUDGED
    const cause = known ?? (judges ? await judgedCause(tx, organizationId, entry, place) : 'not_accepted')
    const of = { organization_id: organizationId, entry_id: entry.id, resource_id: place.resourceId }
    rows.push({ ...of, starts_at: place.start, cause, passed_at: tx.now })
  }
  if (rows.length === 0) return
  const insert = tx.db.insertInto('waitlist_pass').values(rows)
  await insert.onConflict((conflict) => conflict.doNothing()).execute()
}

/** Returns why an entry did not get a place where the rules of booking need not be asked; null where they must. */
function knownCause(entry: WaitingEntry, place: BarredTime, before: boolean, now: Date): PassCause | null {
  if (place.start.getTime() - now.getTime() < entry.noticeMinutes * MINUTE_MS) return 'notice'
  if (!before) return 'order'
  return isLimited(entry, now) ? 'limit' : null
}

/** Returns `rule` where all that refuses a place is about the person, and otherwise tells nothing of others. */
async function judgedCause(
  tx: Tx,
  organizationId: number,
  entry: WaitingEntry,
  { start, end, resourceId, instructorId }: BarredTime,
): Promise<PassCause> {
  const { type, orgUserId } = entry
  const principal = await principalOf(tx, { organizationId, ...entry })
  if (!principal) return 'rule'
  const place = { type, orgUserId, start, end, resourceId, instructorId, movesId: entry.insteadOfId }
  const refusal = await refusalOfPlace(tx, principal, place)
  return refusal?.isOfPerson ? 'rule' : 'not_accepted'
}
