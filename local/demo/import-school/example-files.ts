import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../examples/import/', import.meta.url)

/** The first Monday of the bookings in the files. Whatever has happened in them happened by the Sunday a week before it. */
const FIRST_MONDAY = Date.parse('2027-01-04')
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/**
 * Returns the files of `examples/import` by kind, with every date moved by the same whole weeks, so that the bookings begin on
 * the Monday after `now` and go on for three months.
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
