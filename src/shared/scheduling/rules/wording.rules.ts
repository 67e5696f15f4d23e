import type { Interval } from '../../platform/kernel/instants.ts'
import { localDate, minuteOfDay } from '../../platform/kernel/zones.ts'

/** Returns an interval for a message: "10:00–12:00", with dates unless all of it is on the local date `day`. */
export function spanInWords(span: Interval, zone: string, day: string): string {
  const first = localDate(span.start, zone)
  const last = localDate(span.end, zone)
  const end = clock(span.end, zone)
  if (first === day && last === day) return `${clock(span.start, zone)}–${end}`
  return `${first} ${clock(span.start, zone)}–${last === first ? end : `${last} ${end}`}`
}

/** Returns minutes after midnight as a clock time: 510 is "08:30". */
export function minuteInWords(minute: number): string {
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
}

/** Returns a count with its noun, singular for one: "1 student", "2 students". */
export function countOf(count: number, plural: string): string {
  return `${count} ${count === 1 ? plural.slice(0, -1) : plural}`
}

function clock(instant: Date, zone: string): string {
  return minuteInWords(minuteOfDay(instant, zone))
}

function pad(part: number): string {
  return String(part).padStart(2, '0')
}
