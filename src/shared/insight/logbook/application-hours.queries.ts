import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { entriesOf } from './logbook.queries.ts'

/** The times of an application for a certificate (FAA Form 8710-1), in tenths of hours, and the landings. */
export const applicationColumns = [
  'total',
  'instruction',
  'solo',
  'pic',
  'crossCountryInstruction',
  'crossCountrySolo',
  'crossCountryPic',
  'instrument',
  'night',
  'nightInstruction',
  'nightPic',
] as const
export type ApplicationColumn = (typeof applicationColumns)[number]

/** The hours of one category of aircraft; `simulator` for simulators and training devices. */
export interface ApplicationHours extends Record<ApplicationColumn, Tenths> {
  category: string
  landings: number
  nightLandings: number
}

const time = (column: string) => sql.ref(`e.${column}`)
/** The time of an entry that counts for both, at most the shorter one. */
const both = (one: string, other: string) => sql`least(${time(one)}, ${time(other)})`
const simulated = sql`(e.type = 'sim')`

const sums: Readonly<Record<ApplicationColumn, RawBuilder<unknown>>> = {
  total: sql`case when ${simulated} then ${time('simulator')} else coalesce(${time('totalDeciHours')}, 0) end`,
  instruction: time('dualReceived'),
  solo: time('solo'),
  pic: time('pic'),
  crossCountryInstruction: both('crossCountry', 'dualReceived'),
  crossCountrySolo: both('crossCountry', 'solo'),
  crossCountryPic: both('crossCountry', 'pic'),
  instrument: sql`${time('actualInstrument')} + ${time('simulatedInstrument')}`,
  night: time('night'),
  nightInstruction: both('night', 'dualReceived'),
  nightPic: both('night', 'pic'),
}

/** Returns the hours of a member's log at the school by category, for an application. Implements interface §28.2. */
export function findApplicationHours(
  db: Db,
  scope: { organizationId: number; orgUserId: number },
): Promise<ApplicationHours[]> {
  const columns = applicationColumns.map((column) => sql`sum(${sums[column]})::int as ${sql.ref(column)}`)
  return readRows(
    db,
    sql<ApplicationHours>`
    select case when ${simulated} then 'simulator' else coalesce(e.category, 'airplane') end as category,
      ${sql.join(columns)}, sum(e."dayLandings" + e."nightLandings")::int as landings, sum(e."nightLandings")::int as "nightLandings"
    from ${entriesOf({ ...scope, window: {} })} e where e.type <> 'ground' group by 1 order by 1`,
  )
}
