import { addDays, localDate, minuteOfDay, offsetMinutes, wallToInstant } from '../../shared/platform/kernel/zones.ts'
import { EXAMPLE_NOW, EXAMPLE_ZONE } from './example-now.ts'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS
/** Only dates within five years of the recording move. Others are birthdays or other history and stay. */
const MOVED_MS = 5 * 365.25 * 24 * 60 * MINUTE_MS

const DATED = /(?<!\d)(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d))?(?![\d-])/g

/** How many weeks the dates of the examples move. */
export interface ExampleWeeks {
  /** The weeks for dates up to the time of the recording. After the move they are still in the past. */
  past: number
  /** The weeks for dates after the time of the recording. After the move they are still in the future. */
  ahead: number
}

/**
 * Returns the weeks between the recording and `now`, in the school's local time: rounded down for past dates, up for
 * future ones.
 */
export function exampleWeeks(now: Date): ExampleWeeks {
  const weeks = (wallTime(now) - wallTime(EXAMPLE_NOW)) / WEEK_MS
  const past = Math.floor(weeks)
  return { past, ahead: past === weeks ? past : past + 1 }
}

/**
 * Returns a copy of a document in which the dates of the examples are moved by whole weeks. Weekdays and local times
 * stay the same, also when the offset from UTC differs. Instants and local days inside texts move too.
 */
export function withMovedExamples(document: unknown, weeks: ExampleWeeks): unknown {
  return moveIn(document, weeks, false)
}

/** `names`: the keys of `part` are field names. A field that is named `example` is not an example. */
function moveIn(part: unknown, weeks: ExampleWeeks, names: boolean): unknown {
  if (Array.isArray(part)) return part.map((item) => moveIn(item, weeks, false))
  if (part === null || typeof part !== 'object') return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      const isExample = !names && (key === 'example' || key === 'examples')
      return [key, isExample ? movedExample(value, weeks) : moveIn(value, weeks, !names && key === 'properties')]
    }),
  )
}

/** Returns an example with all its instants and local days moved. */
export function movedExample(value: unknown, weeks: ExampleWeeks): unknown {
  if (Array.isArray(value)) return value.map((item) => movedExample(item, weeks))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, movedExample(part, weeks)]))
  }
  if (typeof value !== 'string') return value
  return value.replace(DATED, (text, day: string) => (text === day ? movedDay(day, weeks) : movedInstant(text, weeks)))
}

function movedDay(day: string, { past, ahead }: ExampleWeeks): string {
  if (!isNear(Date.parse(day))) return day
  return addDays(day, 7 * (day <= localDate(EXAMPLE_NOW, EXAMPLE_ZONE) ? past : ahead))
}

function movedInstant(text: string, { past, ahead }: ExampleWeeks): string {
  const at = new Date(text)
  if (!isNear(at.getTime())) return text
  const day = addDays(localDate(at, EXAMPLE_ZONE), 7 * (at <= EXAMPLE_NOW ? past : ahead))
  const minute = wallToInstant(day, minuteOfDay(at, EXAMPLE_ZONE), EXAMPLE_ZONE).getTime()
  return written(new Date(minute + (at.getTime() % MINUTE_MS)), text)
}

/** Formats an instant like another text: in UTC or with the school's offset, with or without milliseconds. */
function written(at: Date, like: string): string {
  const isUtc = like.endsWith('Z')
  const minutes = isUtc ? 0 : offsetMinutes(at, EXAMPLE_ZONE)
  const size = Math.abs(minutes)
  const two = (number: number) => String(number).padStart(2, '0')
  const offset = isUtc ? 'Z' : `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
  const local = new Date(at.getTime() + minutes * MINUTE_MS).toISOString()
  return `${local.slice(0, like.includes('.') ? 23 : 19)}${offset}`
}

function isNear(ms: number): boolean {
  return Math.abs(ms - EXAMPLE_NOW.getTime()) < MOVED_MS
}

/** Returns the school's local time in milliseconds, as if it were UTC. */
function wallTime(at: Date): number {
  return at.getTime() + offsetMinutes(at, EXAMPLE_ZONE) * MINUTE_MS
}
