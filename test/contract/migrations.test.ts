import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { statementsOf } from './support/migrations.ts'

const folder = join(import.meta.dirname, '../../migrations')
const all = readdirSync(folder).filter((file) => file.endsWith('.ts'))
const files = all.filter((file) => file.startsWith('Migration')).sort()
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** The last file of the baseline, which makes the schema of the first release on an empty database. */
const LAST_OF_BASELINE = files.find((file) => file.endsWith('_booking_facts.ts')) ?? ''
const recent = files.filter((file) => file > LAST_OF_BASELINE)

/** What a file takes from others: by its import and export statements, and by `import(` anywhere in it. */
function importsOf(source: string): (string | undefined)[] {
  const statements = source.matchAll(/^(?:import|export)\b(?:[^'"`;=]*\bfrom)?\s*['"]([^'"]+)['"]/gm)
  const calls = source.matchAll(/\b(?:import|require)\(\s*['"`]([^'"`]+)['"`]/g)
  return [...statements, ...calls].map(([, from]) => from)
}

test.each([
  ["import { Migration } from '@mikro-orm/migrations'", ['@mikro-orm/migrations']],
  ["import {\n  a,\n} from './a.ts'\nimport './b.ts'", ['./a.ts', './b.ts']],
  ["export * from './c.ts'", ['./c.ts']],
  ["  const d = await import('./d.ts')", ['./d.ts']],
  ["  check (outcome is distinct from 'delivered')", []],
])('the check of imports reads in %j: %j', (source, imported) => {
  expect(importsOf(source)).toEqual(imported)
})

test('migrations have a time and a topic in their names, and no two the same time', () => {
  for (const file of files) expect(file).toMatch(/^Migration\d{14}_[a-z]+(_[a-z]+)*\.ts$/)
  const times = files.map((file) => file.slice(9, 23))
  expect(new Set(times).size).toBe(times.length)
})

test('a migration that has landed never changes: its checksum is recorded (`npm run schema` records new ones)', () => {
  const sums = all.map((file) => [file, createHash('sha256').update(read(file)).digest('hex')])
  expect(Object.fromEntries(sums)).toEqual(JSON.parse(read('checksums.json')))
})

test.each(files)('%s goes forward only, in a class of its name', (file) => {
  const source = read(file)
  expect(source).toContain(`export class ${file.replace('.ts', '')} extends Migration`)
  expect(source).not.toMatch(/\bdown\s*\(/)
})

test.each(files)('%s has the time of its writing in its name', (file) => {
  const [, ...parts] = /^Migration(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(file) ?? []
  const [year, month, day, hour, minute, second] = parts
  const written = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  expect(written.getTime()).toBeGreaterThan(Date.UTC(2026, 10, 22))
  expect(written.getTime()).toBeLessThan(Date.now())
})

test.each(files.filter((file) => file <= LAST_OF_BASELINE))('%s imports the common columns alone', (file) => {
  const allowed = ['@mikro-orm/migrations', './tenant-record.ts']
  expect(importsOf(read(file)).filter((from) => !allowed.includes(from ?? ''))).toEqual([])
})

describe.runIf(recent.length > 0).each(recent)('%s', (file) => {
  test('imports nothing that could change under it', () => {
    expect(importsOf(read(file))).toEqual(['@mikro-orm/migrations'])
  })

  test('builds indexes on tables that exist concurrently', async () => {
    const { statements } = await statementsOf(join(folder, file))
    const made = statements.flatMap((text) => /create table (?:if not exists )?(\w+)/i.exec(text)?.[1] ?? [])
    const locking = statements.filter((text) => {
      const [, concurrently, table = ''] = /create (?:unique )?index (concurrently )?.*?\bon (\w+)/is.exec(text) ?? []
      return table !== '' && !concurrently && !made.includes(table)
    })
    expect(locking).toEqual([])
  })

  test('is one transaction, or made of statements that are safe to repeat', async () => {
    const { transactional, statements } = await statementsOf(join(folder, file))
    const unsafe = transactional
      ? /\bconcurrently\b/i
      : /^(?!\s*(do|update|delete|create or replace)\b)(?!.*\bif (not )?exists\b)/is
    expect(statements.filter((text) => unsafe.test(text))).toEqual([])
  })
})
