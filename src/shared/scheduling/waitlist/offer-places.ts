import { sql } from 'kysely'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { findDesk } from '../at-risk/at-risk.queries.ts'
import { findOpenings } from '../openings/find-openings.ts'
import type { OpeningsQuestion } from '../openings/load-openings-facts.ts'
import type { Opening } from '../openings/openings.rules.ts'
import { endEntry } from './end-offer.ts'
import { isOver } from './entry.rules.ts'
import { principalOf } from './judge-place.ts'
import { makeOffer, placeIn } from './make-offer.ts'
import { markPlaces } from './mark-places.ts'
import { findFreedTimes, takeMarks } from './marks.queries.ts'
import { type BarredTime, type FreedTime, isBarred, isLimited, spansOf } from './places.rules.ts'
import { recordPasses } from './record-passes.ts'
import { findBarred, findWaiting, type WaitingEntry } from './waiting.queries.ts'
import { lockEntries } from './waitlist.access.ts'
import type { EndCause } from './waitlist.states.ts'

const DAY_MS = 86_400_000
/** Places are offered this many days ahead. */
const DAYS_AHEAD = 14
/** The time after which a run leaves the rest to the next one. */
const MOST_MS = 2_000
/** The most places of a span that an entry is tried with, when bookings take them at the same time. */
const MOST_TRIES = 5

/** What an offer is made with. */
export interface OfferTools {
  mailTokens: MailTokens
  config: { RATE_LIMIT_FACTOR: number }
}

/**
 * Makes at most one offer, so that the locks of its slot are short: of the first place that the marks of an organization free for
 * somebody who waits, in the order of the organization. Whom it does not reach stays marked, and so do places that are found in
 * quiet hours. Runs of an organization do not overlap. Returns whether it made an offer.
 */
export async function offerPlaces(
  tx: Tx,
  { mailTokens, config }: OfferTools,
  organizationId: number,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`offer places ${organizationId}`}, 0))`.execute(tx.db)
  const marks = await takeMarks(tx, organizationId)
  const desk = marks.length > 0 ? await findDesk(tx.db, organizationId) : null
  if (!desk) return false
  const { timeZoneName: zone, settings } = desk.organization
  const dayStart = wallToInstant(localDate(tx.now, zone), 0, zone)
  const factor = config.RATE_LIMIT_FACTOR
  const waiting = await findWaiting(tx, organizationId, { order: settings.waitlistOrder, dayStart, factor })
  const freed = await findFreedTimes(tx.db, organizationId, marks, tx.now)
  const barred = await findBarred(tx.db, organizationId, tx.now)
  const horizon = { from: tx.now, to: new Date(tx.now.getTime() + DAYS_AHEAD * DAY_MS) }
  const over = new Map(waiting.flatMap((entry) => endOf(entry, tx.now)))
  const began = performance.now()
  let isMade = false
  for (const [index, entry] of waiting.entries()) {
    if (performance.now() - began > MOST_MS) {
      await markRest(tx, organizationId, waiting.slice(index), freed)
      break
    }
    if (over.has(entry.id)) continue
    const spans = spansOf(entry, freed, horizon)
    const offer = spans.length > 0 && (await offerTo(tx, mailTokens, { organizationId, entry, spans, barred }))
    if (!offer) continue
    await recordPasses(tx, organizationId, offer, { entry, waiting })
    await markRest(tx, organizationId, waiting.slice(index + 1), freed)
    isMade = true
    break
  }
  await endOver(tx, organizationId, over)
  return isMade
}

/** Marks the freed times again for the entries that a run has not reached. */
async function markRest(
  tx: Tx,
  organizationId: number,
  rest: readonly WaitingEntry[],
  freed: readonly FreedTime[],
): Promise<void> {
  const marks = rest.flatMap(({ id }) =>
    freed
      .filter(({ entryId }) => entryId === null || entryId === id)
      .map(({ start, end }) => ({ entryId: id, start, end })),
  )
  await markPlaces(tx, organizationId, marks)
}

/** Returns the id of an entry for which no place can come any more, with the cause; nothing for others. */
function endOf(entry: WaitingEntry, now: Date): [number, EndCause][] {
  if (entry.moves === 'flown') return [[entry.id, 'flown']]
  return isOver(entry, now) ? [[entry.id, 'over']] : []
}

/** Ends entries, after the slot of an offer is locked. */
async function endOver(tx: Tx, organizationId: number, over: ReadonlyMap<number, EndCause>): Promise<void> {
  if (over.size === 0) return
  const entries = await lockEntries(tx, organizationId, { id: { $in: [...over.keys()] } })
  for (const entry of entries) endEntry(tx, { organizationId, orgUserId: null }, entry, over.get(entry.id)!)
}

interface Asking {
  organizationId: number
  entry: WaitingEntry
  spans: readonly Interval[]
  barred: readonly BarredTime[]
}

/** Makes an entry the offer of its first place; null when there is none, or its person may not have one. */
async function offerTo(tx: Tx, mailTokens: MailTokens, asking: Asking): Promise<BarredTime | null> {
  const { organizationId, entry, spans, barred } = asking
  if (isLimited(entry, tx.now)) return null
  const principal = await principalOf(tx, { organizationId, ...entry })
  if (!principal) return null
  for (const span of spans) {
    const openings = await openPlaces(tx, principal, { entry, span, barred })
    for (const opening of openings.slice(0, MOST_TRIES)) {
      const made = await makeOffer(tx, mailTokens, { principal, entry, opening })
      if (made === 'not now') return null
      if (made) return made
    }
  }
  return null
}

/**
 * Returns the openings of a span that are not barred. An opening names the first instructor who is free: while all openings are
 * barred, those with other instructors are looked for.
 */
async function openPlaces(
  tx: Tx,
  principal: Actor,
  { entry, span, barred }: Pick<Asking, 'entry' | 'barred'> & { span: Interval },
): Promise<Opening[]> {
  const exceptInstructorIds: number[] = []
  for (;;) {
    const openings = await openingsIn(tx, principal, { ...questionOf(entry, span), exceptInstructorIds })
    const open = openings.filter((opening) => !isBarred(entry, placeIn(opening), barred))
    const instructorIds = openings.flatMap((opening) => placeIn(opening).instructorId ?? [])
    if (open.length > 0 || instructorIds.length === 0) return open
    exceptInstructorIds.push(...instructorIds)
  }
}

/** Returns the openings of a span; none where the entry itself cannot be booked any more. */
async function openingsIn(tx: Tx, principal: Actor, question: OpeningsQuestion): Promise<Opening[]> {
  try {
    const { openings } = await findOpenings(tx.db, principal, tx.now, question)
    return openings
  } catch (error) {
    if (error instanceof Invalid) return []
    throw error
  }
}

function questionOf(entry: WaitingEntry, { start, end }: Interval): OpeningsQuestion {
  const { type, durationMinutes, resourceIds, instructorIds, ownInstructorIds, insteadOfId, moves } = entry
  const own = instructorIds.length > 0 ? instructorIds : ownInstructorIds
  return {
    type,
    durationMinutes,
    resourceIds: [...resourceIds],
    orgUserIds: [entry.orgUserId],
    instructorIds: type === 'dual' && own.length > 0 ? own : undefined,
    movesId: moves === 'ahead' ? (insteadOfId ?? undefined) : undefined,
    start,
    end,
  }
}
