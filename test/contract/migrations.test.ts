import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../migrations')
const files = readdirSync(folder)
  .filter((file) => file.startsWith('Migration'))
  .sort()

it('migrations have a time and a topic in their names, and no two the same time', () => {
  for (const file of files) expect(file).toMatch(/^Migration\d{14}_[a-z]+(_[a-z]+)*\.ts$/)
  const times = files.map((file) => file.slice(9, 23))
  expect(new Set(times).size).toBe(times.length)
})

it.each(files)('%s goes forward only, in a class of its name', (file) => {
  const source = readFileSync(join(folder, file), 'utf8')
  expect(source).toContain(`export class ${file.replace('.ts', '')} extends Migration`)
  expect(source).not.toMatch(/\bdown\s*\(/)
})
