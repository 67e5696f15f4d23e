import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import { fits, type Place, type Wish } from './entry.rules.ts'

const MINUTE_MS = 60_000

/** A time in which a place may have become free; an entry's own mark frees all its windows (`entryId`). */
export interface FreedTime {
  start: Date | null
  end: Date | null
  entryId: number | null
}

/** What an entry asks for, with the aircraft of its pool as `resourceIds`, and the start of the booking that accepting moves. */
export interface Waiting extends Wish {
  id: number
  orgUserId: number
  movesStart: Date | null
}

/** Returns whether a place is one that an entry waits for; none is while its pool has no aircraft. */
export function isWaitedFor(entry: Waiting, place: Place): boolean {
  return !isOfEmptyPool(entry) && fits(entry, place)
}

/** Returns whether an entry names a pool that has no aircraft by now. */
function isOfEmptyPool({ pool, resourceIds }: Waiting): boolean {
  return pool !== null && resourceIds.length === 0
}

/**
 * Returns the spans in which an entry is searched for, in order: its windows within the horizon and after its notice, as far as
 * places in them may overlap a freed time, and before the booking that accepting moves. None while its pool has no aircraft.
 */
export function spansOf(entry: Waiting, freed: readonly FreedTime[], horizon: { from: Date; to: Date }): Interval[] {
  if (isOfEmptyPool(entry)) return []
  const length = entry.durationMinutes * MINUTE_MS
  const earliest = horizon.from.getTime() + entry.noticeMinutes * MINUTE_MS
  const before = entry.movesStart ? entry.movesStart.getTime() + length - 1 : Number.POSITIVE_INFINITY
  const spans = entry.windows.flatMap((window) =>
    freed
      .filter(({ entryId }) => entryId === null || entryId === entry.id)
      .map((time) => ({
        start: Math.max(window.start.getTime(), earliest, time.start ? time.start.getTime() - length : 0),
        end: Math.min(
          window.end.getTime(),
          horizon.to.getTime(),
          before,
          time.end ? time.end.getTime() + length : Number.POSITIVE_INFINITY,
        ),
      })),
  )
  return joined(spans.filter(({ start, end }) => end - start >= length)).map(({ start, end }) => ({
    start: new Date(start),
    end: new Date(end),
  }))
}

/** Joins spans that overlap or adjoin, so that none is searched twice. */
function joined(spans: readonly { start: number; end: number }[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else found.push({ ...span })
  }
  return found
}

/** A time that is not offered, to an entry, a person or anybody. */
export interface BarredTime extends Place {
  orgUserId: number | null
  entryId: number | null
  /**
   * `open`: an open offer is there. `answered`: the entry had an offer of this start and resource, and declined it or did not
   * answer. `instructor`: the instructor declined an offer to the entry. `booked`: its offer was booked over in the last day.
   * `freed`: the person freed it in the last day.
   */
  why: 'open' | 'answered' | 'instructor' | 'booked' | 'freed'
}

/** Returns whether an entry is not offered a place, whatever the rules of booking say. */
export function isBarred(entry: Waiting, place: Place, barred: readonly BarredTime[]): boolean {
  return barred.some((time) => {
    const withInstructor = time.instructorId !== null && time.instructorId === place.instructorId
    if (time.why === 'answered') return time.entryId === entry.id && isSamePlace(time, place)
    if (time.why === 'instructor') return time.entryId === entry.id && withInstructor && startsWith(time, place)
    if (time.entryId === entry.id && isSamePlace(time, place)) return true
    if (!overlaps(time, place)) return false
    const onResource = time.resourceId !== null && time.resourceId === place.resourceId
    if (time.why === 'booked') return onResource
    const isTheirs = time.orgUserId === entry.orgUserId
    if (time.why === 'freed') return isTheirs && (onResource || withInstructor)
    return onResource || withInstructor || isTheirs
  })
}

function isSamePlace(one: Place, other: Place): boolean {
  return startsWith(one, other) && one.resourceId === other.resourceId
}

function startsWith(one: Place, other: Place): boolean {
  return one.start.getTime() === other.start.getTime()
}

/** The most open offers of a person. */
export const MOST_OPEN = 3
/** The most offers of a person in a day, and the silences in 30 days that end offers for a week. */
const [MOST_OF_DAY, MOST_SILENCES, SILENT_MS] = [10, 3, 7 * 86_400_000]

/** The offers of a person, over all entries. */
export interface OfferCounts {
  /** Whether a message of an offer reaches the person. */
  isReachable: boolean
  openOffers: number
  offersOfDay: number
  /** Offers that expired in the last 30 days, and when the last one did. */
  silences: number
  silentAt: Date | null
}

/**
 * Returns whether a member gets no offers at present: no message reaches them, too many are open or were made today, or they did not
 * answer.
 */
export function isLimited(
  { isReachable, openOffers, offersOfDay, silences, silentAt }: OfferCounts,
  now: Date,
): boolean {
  if (!isReachable || openOffers >= MOST_OPEN || offersOfDay >= MOST_OF_DAY) return true
  return silences >= MOST_SILENCES && silentAt !== null && now.getTime() - silentAt.getTime() < SILENT_MS
}
