import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from './support.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const plain = (path: string) => path.replace(/\{\w+\}/g, '{}')
const names = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${plain(path)}`))

/** The rows of the tables of changes: the operation, what it was and what it is. */
const rows = read('docs/decisions/0039-one-interface.md')
  .split('\n')
  .filter((line) => /^\| [^-]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, operation = '', before = '', now = '']) => ({ operation, before, now }))

/** The operations that a cell names, without their queries. */
const named = (cell: string) =>
  [...cell.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`?]*)[`?]/g)].map(([, one = '']) => one)
const exists = (name: string) => names.has(plain(name))

test('the tables of changes name operations that exist: a new one as it is, an old one with what it is now', () => {
  expect(rows.length).toBeGreaterThan(80)
  const wrong = rows.flatMap(({ operation, before, now }) => {
    const gone = /its own path/.test(before)
    const first = named(operation).filter((name) => exists(name) === gone)
    return [...first, ...named(now).filter((name) => !exists(name))]
  })
  expect(wrong).toEqual([])
})
