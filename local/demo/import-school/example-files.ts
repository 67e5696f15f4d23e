import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../examples/import/', import.meta.url)

/** The Monday on which the bookings in the files begin. Events of the past are dated eight or more days before it. */
const FIRST_MONDAY = Date.parse('2027-01-04')
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/**
 * Returns the text of the files of `examples/import` by kind. Every date is moved by the same number of weeks, so that
 * the bookings begin on the first Monday (midnight UTC) that is at least a day after `now`, and continue for three
 * months.
 */
export function readExampleFiles(now: Date): Map<string, string> {
  const weeks = Math.ceil((now.getTime() + DAY_MS - FIRST_MONDAY) / WEEK_MS)
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv'))
  return new Map(
    names.map((name) => [name.slice(0, -'.csv'.length), moved(readFileSync(new URL(name, folder), 'utf8'), weeks)]),
  )
}

function moved(text: string, weeks: number): string {
  return text.replace(/\b20\d\d-\d\d-\d\d\b/g, (day) =>
    new Date(Date.parse(day) + weeks * WEEK_MS).toISOString().slice(0, 10),
  )
}
