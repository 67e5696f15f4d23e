import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'

const source = join(import.meta.dirname, '../../src')

/** SQL that asks PostgreSQL for the local time of a zone; UTC is the same in all zone data. */
const asksForZone = [
  /at\s+time\s+zone\s+(?!'UTC')/i,
  /\btimezone\s*\(\s*(?!'UTC')/i,
  /\bdate_trunc\s*\([^(),]*,[^(),]*,[^()]*\)/i,
  /\b(current_date|localtimestamp|current_time)\b/,
  /\bset\s+(local\s+)?time\s*zone\b/i,
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
    expect(found).toEqual([])
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
    ]
    expect(bad.filter((line) => asking(line).length === 0)).toEqual([])
    expect(asking("to_char(x at time zone 'UTC', 'YYYY')")).toEqual([])
  })
})
