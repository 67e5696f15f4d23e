import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareZoneData } from '../../src/shared/composition/zone-data.queries.ts'
import { NOW, startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool } from '../support/builders.ts'

const source = join(import.meta.dirname, '../../src')

/** SQL that asks PostgreSQL for the local time of a zone; UTC is the same in all zone data. */
const asksForZone = [
  /at\s+time\s+zone\s+(?!'UTC')/i,
  /\btimezone\s*\(\s*(?!'UTC')/i,
  /\bdate_trunc\s*\([^(),]*,[^(),]*,[^()]*\)/i,
  /\b(current_date|localtimestamp|current_time)\b/,
  /\bset\s+(local\s+)?time\s*zone\b/i,
  /\bset_config\s*\(\s*'timezone'/i,
  /\bmake_timestamptz\s*\(/i,
]

const lines = (text: string) => text.split('\n').filter((line) => !/^\s*(\*|\/\/|--)/.test(line))
const asking = (text: string) => lines(text).filter((line) => asksForZone.some((pattern) => pattern.test(line)))

let api: TestApp

beforeAll(async () => {
  api = await startTestApp()
})
afterAll(() => api.close())

describe('local days are computed with the zone data of Node.js alone (§Time zones)', () => {
  test('by the source: no statement gives PostgreSQL a zone but UTC', () => {
    const files = globSync('**/*.ts', { cwd: source })
    expect(files.length).toBeGreaterThan(1000)
    const found = files.flatMap((file) =>
      asking(readFileSync(join(source, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    )
    // It compares the two zone data, and no answer depends on it.
    expect(found).toEqual([
      expect.stringMatching(/^shared\/composition\/zone-data\.queries\.ts: `select .* at time zone \$1/),
    ])
  })

  test('by the schema: neither do functions, views, defaults, generated columns, indexes or constraints', async () => {
    const { rows } = await api.core.database.pool.query<{ name: string; text: string }>(`
      select p.proname as name, p.prosrc as text from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace and n.nspname not in ('pg_catalog', 'information_schema')
        where p.prolang in (select oid from pg_language where lanname in ('sql', 'plpgsql'))
      union all select viewname, definition from pg_views where schemaname not in ('pg_catalog', 'information_schema')
      union all select d.adrelid::regclass::text, pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
      union all select indexname, indexdef from pg_indexes where schemaname not in ('pg_catalog', 'information_schema')
      union all select conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'c'`)
    expect(rows.length).toBeGreaterThan(300)
    const found = rows.flatMap(({ name, text }) => asking(text ?? '').map((line) => `${name}: ${line.trim()}`))
    expect(found).toEqual([])
  })

  test('and the patterns know such statements', () => {
    const bad = [
      'x at time zone o.zone',
      "at time zone 'Europe/Berlin'",
      'timezone(o.zone, x)',
      "date_trunc('day', x, zone)",
      "select set_config('TimeZone', zone, true)",
      'make_timestamptz(2026, 3, 29, 2, 30, 0, zone)',
    ]
    expect(bad.filter((line) => asking(line).length === 0)).toEqual([])
    expect(asking("to_char(x at time zone 'UTC', 'YYYY')")).toEqual([])
  })
})

describe('a process compares the zone data of PostgreSQL with that of Node.js at its start', () => {
  /** The pool, with a zone for which PostgreSQL uses the data of another. */
  const usingDataOf = (zone: string, other: string) => ({
    query: (text: string, values?: unknown[]) =>
      api.core.database.pool.query(
        text,
        values?.map((value) => (value === zone ? other : value)),
      ),
  })

  beforeAll(async () => {
    await buildSchool(api, { timeZoneName: 'America/Phoenix' })
  })

  test('and finds a day that differs, within ten days after the first, though the zones agree for half of each year', async () => {
    const zone = 'America/Phoenix'
    const clients = [api.core.database.pool, usingDataOf(zone, 'America/Denver'), usingDataOf(zone, 'America/Nowhere')]
    const found = []
    for (const client of clients)
      found.push(await compareZoneData(client as typeof api.core.database.pool, new Date(NOW)))
    const differs = (what: string) => ({
      compared: 1,
      difference: `the zone data of PostgreSQL and Node.js (${process.versions.tz}) differ: ${what}. Local time is computed by Node.js: update the older of the two`,
    })
    expect(found).toEqual([
      { compared: 1, difference: null },
      differs(`${zone} (2026-03-11)`),
      differs(`${zone} (unknown to PostgreSQL)`),
    ])
  })
})
