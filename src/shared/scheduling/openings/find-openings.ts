import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Db } from '../../platform/db/database.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { type Interval, intersection } from '../../platform/kernel/instants.ts'
import { addDays, endOfDay, localDate } from '../../platform/kernel/zones.ts'
import type { BookingPrincipal } from '../rules/load-booking-facts.ts'
import {
  daysAtOnce,
  findCandidates,
  firstSlot,
  loadOpeningsFacts,
  type OpeningsQuestion,
} from './load-openings-facts.ts'
import {
  GRID_MS,
  type Opening,
  type OpeningsFacts,
  openingsAt,
  openingsFrom,
  timeIndependentProblems,
} from './openings.rules.ts'
import { partsOfDay, startsOfDay } from './openings-by-day.rules.ts'

/** The most openings that one search returns. */
export const MOST_OPENINGS = 200
/** The most starts that one search by day returns. */
const MOST_STARTS = 1_000
const MINUTE_MS = 60_000

/** The openings of a window; `next` is the start from which a window that was cut goes on, null when it was not. */
interface FoundOpenings<Found> {
  openings: Found[]
  next: Date | null
}

/**
 * Returns the slots in a window in which the booking rules would accept a booking, at most `MOST_OPENINGS`. A caller who
 * books for themselves is always on it. When the type needs an instructor and no named member is one, each free instructor is
 * tried. Sides without people stay open for the caller to fill. Whether the caller needs approval is not checked. Implements
 * interface §Booking rules.
 * @throws Invalid when no time can solve a problem, such as a type that the caller may not book.
 */
export async function findOpenings(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  question: OpeningsQuestion,
): Promise<FoundOpenings<Opening>> {
  const openings: Opening[] = []
  for await (const { facts, date, starts } of daysOf(db, principal, now, question)) {
    const [hours] = partsOfDay(date, facts.zone, { ...question, count: 1 })
    const within = hours && intersection(hours, starts)
    if (within) openings.push(...openingsFrom(facts, within, MOST_OPENINGS - openings.length))
    if (openings.length === MOST_OPENINGS) return cut(facts, openings)
  }
  return { openings, next: null }
}

/**
 * Returns the openings of whole starts, and the start from which the search goes on. Of a start that alone has more openings than
 * one search returns, the rest is left out.
 */
function cut(facts: OpeningsFacts, openings: Opening[]): FoundOpenings<Opening> {
  const { start } = openings.at(-1)!
  const earlier = openings.filter((one) => one.start < start)
  const found = openings.length - earlier.length
  const isWhole = earlier.length === 0 || openingsAt(facts, start, found + 1).length === found
  return isWhole ? { openings, next: new Date(start.getTime() + GRID_MS) } : { openings: earlier, next: start }
}

/**
 * Returns at most `startsPerDay` starts of each local day in a window, spread over the day, each with the openings of all
 * resources that are free then. Ends before a day that could bring more than `MOST_STARTS`. Otherwise like `findOpenings`.
 */
export async function findOpeningsByDay(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  { startsPerDay, ...question }: OpeningsQuestion & { startsPerDay: number },
): Promise<FoundOpenings<Opening[]>> {
  const openings: Opening[][] = []
  for await (const { facts, date, starts } of daysOf(db, principal, now, question)) {
    if (openings.length + startsPerDay > MOST_STARTS) return { openings, next: starts.start }
    const parts = partsOfDay(date, facts.zone, { ...question, count: startsPerDay })
    const within = parts.flatMap((part) => intersection(part, starts) ?? [])
    openings.push(...startsOfDay(facts, within, startsPerDay))
  }
  return { openings, next: null }
}

interface DayOfSearch {
  facts: OpeningsFacts
  /** The local date. */
  date: string
  /** The possible starts of the day: those in the window and ahead. */
  starts: Interval
}

/** Returns the local days of a search with their facts, which are loaded for many days at a time. */
async function* daysOf(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  question: OpeningsQuestion,
): AsyncGenerator<DayOfSearch> {
  const { timeZoneName: zone } = principal.organization
  const candidates = await findCandidates(db, principal.organizationId, question)
  const length = question.durationMinutes * MINUTE_MS
  const last = question.end.getTime() - length
  let days = daysAtOnce(candidates)
  let from = Math.max(question.start.getTime(), now.getTime())
  do {
    const loaded = endOfDay(addDays(localDate(new Date(from), zone), days - 1), zone).getTime()
    const until = Math.min(loaded, last + 1)
    const span = { start: new Date(from), end: new Date(Math.max(until, from) + length) }
    const factsOf = await loadOpeningsFacts(db, principal, now, { ...question, ...span }, candidates)
    const [problem] = timeIndependentProblems(factsOf(span))
    if (problem) throw new Invalid(problem.message, problem.code === 'INVALID' ? undefined : problem.code)
    while (from < until) {
      const date = localDate(new Date(from), zone)
      const end = Math.min(endOfDay(date, zone).getTime(), until)
      const facts = factsOf({ start: new Date(from), end: new Date(end + length) })
      yield { facts, date, starts: { start: new Date(from), end: new Date(end) } }
      await othersTurn()
      from = end
    }
    days *= 2
  } while (from <= last)
}

/**
 * Returns the openings at one start, which need not be a quarter hour: one per resource for which a booking would be
 * accepted, with the first possible crew.
 */
export async function findOpeningsAt(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  question: Omit<OpeningsQuestion, 'end'>,
): Promise<Opening[]> {
  const slot = firstSlot(question)
  const candidates = await findCandidates(db, principal.organizationId, question)
  const factsOf = await loadOpeningsFacts(db, principal, now, { ...question, ...slot }, candidates)
  return openingsAt(factsOf(slot), slot.start)
}
