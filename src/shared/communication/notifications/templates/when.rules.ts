/** Dates and times in local notation: "Tue, Nov 24, 2026, 10:00–12:00 EST". */

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns a time span in a time zone. Includes both days when it ends on another day, and both zone names when the UTC
 * offset changes in between.
 */
export function spanInWords(start: Date, end: Date, zone: string): string {
  const [first, last] = [momentOf(start, zone), momentOf(end, zone)]
  const opening = first.zone === last.zone ? first.time : `${first.time} ${first.zone}`
  const closing = `${last.time} ${last.zone}`
  return first.day === last.day
    ? `${first.day}, ${opening}–${closing}`
    : `${first.day}, ${opening} – ${last.day}, ${closing}`
}

/** Returns the day of an instant in a zone: "Tue, Nov 24, 2026". */
export function dayInWords(instant: Date, zone: string): string {
  return momentOf(instant, zone).day
}

/** Returns an instant in a zone: "Tue, Nov 24, 2026, 10:00 EST". */
export function momentInWords(instant: Date, zone: string): string {
  const { day, time, zone: name } = momentOf(instant, zone)
  return `${day}, ${time} ${name}`
}

function momentOf(instant: Date, zone: string): { day: string; time: string; zone: string } {
  const parts = formatOf(zone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    day: `${part('weekday')}, ${part('month')} ${part('day')}, ${part('year')}`,
    time: `${part('hour')}:${part('minute')}`,
    zone: part('timeZoneName'),
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  formats.set(zone, format)
  return format
}
