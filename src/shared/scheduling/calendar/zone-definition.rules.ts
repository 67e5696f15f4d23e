import { localDate, minuteOfDay, type OffsetChange, offsetChanges, offsetMinutes } from '../../platform/kernel/zones.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 366 * DAY_MS

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A change of a zone's UTC offset, with its local time under the offset before the change. */
interface Onset extends OffsetChange {
  /** The local time, stored in a `Date` as if it were UTC. */
  local: Date
}

/**
 * Returns the VTIMEZONE of a zone for events between two instants (RFC 5545 §3.6.5), under the zone name that the events use.
 * It is computed from the same zone data as the local times of the events, so the two agree. Offset changes that recur every
 * year become one recurrence rule, because Outlook requires rules; other changes are listed one by one.
 */
export function zoneDefinition(zone: string, first: Date, last: Date): string {
  const changes = offsetChanges(new Date(first.getTime() - YEAR_MS), new Date(last.getTime() + YEAR_MS), zone)
  const onsets = changes.map((change) => ({ ...change, local: new Date(change.at.getTime() + change.before * 60_000) }))
  const began = onsets.some(({ at }) => at <= first)
  const lines = [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...(began ? [] : observance(atStart(onsets[0]?.before ?? offsetMinutes(first, zone)))),
    ...yearly(onsets),
    'END:VTIMEZONE',
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

/** Returns an observance (RFC 5545) with this offset that starts before every event. */
function atStart(offset: number): Onset {
  return { at: new Date(0), local: new Date(0), before: offset, after: offset }
}

function yearly(onsets: readonly Onset[]): string[] {
  const groups = Map.groupBy(onsets, ({ before, after }) => `${before} ${after}`)
  return [...groups.values()].flatMap((group) => {
    const rule = yearlyRule(group)
    return rule ? observance(group[0]!, rule) : group.flatMap((onset) => observance(onset))
  })
}

/**
 * Returns the recurrence rule of offset changes that happen every year on the same weekday of the month at the same time;
 * null when they do not, or when there is only one change.
 */
function yearlyRule(group: readonly Onset[]): string | null {
  const [start, ...others] = group
  if (!start || others.length === 0) return null
  const follows = others.every(
    ({ local }, index) =>
      local.getUTCFullYear() === start.local.getUTCFullYear() + index + 1 &&
      local.getUTCMonth() === start.local.getUTCMonth() &&
      local.getUTCDay() === start.local.getUTCDay() &&
      local.getTime() % DAY_MS === start.local.getTime() % DAY_MS,
  )
  if (!follows) return null
  const nth = group.every(isLastOfMonth) ? -1 : nthOfMonth(start)
  if (nth > 0 && others.some((onset) => nthOfMonth(onset) !== nth)) return null
  return `FREQ=YEARLY;BYMONTH=${start.local.getUTCMonth() + 1};BYDAY=${nth}${weekdays[start.local.getUTCDay()]}`
}

function nthOfMonth({ local }: Onset): number {
  return Math.ceil(local.getUTCDate() / 7)
}

function isLastOfMonth({ local }: Onset): boolean {
  return new Date(local.getTime() + 7 * DAY_MS).getUTCMonth() !== local.getUTCMonth()
}

function observance({ local, before, after }: Onset, rule?: string): string[] {
  const name = after > before ? 'DAYLIGHT' : 'STANDARD'
  const date = localDate(local, 'UTC').replaceAll('-', '')
  const minute = minuteOfDay(local, 'UTC')
  return [
    `BEGIN:${name}`,
    `DTSTART:${date}T${twoDigits(minute / 60)}${twoDigits(minute % 60)}00`,
    ...(rule ? [`RRULE:${rule}`] : []),
    `TZOFFSETFROM:${offset(before)}`,
    `TZOFFSETTO:${offset(after)}`,
    `END:${name}`,
  ]
}

/** Returns an offset in minutes in the format of iCalendar: -150 becomes "-0230". */
function offset(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(size / 60)}${twoDigits(size % 60)}`
}

function twoDigits(figure: number): string {
  return String(Math.floor(figure)).padStart(2, '0')
}
