import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const page = join(import.meta.dirname, '../../docs/architecture.md')

/**
 * Expects the row `what` of the table of figures in `docs/architecture.md` to say `figure`. With `FIGURES=write` in the environment
 * it writes the figure there.
 */
export function expectFigure(what: string, figure: number | string): void {
  const text = readFileSync(page, 'utf8')
  const row = `\n| ${what} | `
  expect(text).toContain(row)
  const start = text.indexOf(row) + row.length
  const end = text.indexOf(' |', start)
  if (process.env.FIGURES === 'write') writeFileSync(page, `${text.slice(0, start)}${figure}${text.slice(end)}`)
  else expect(text.slice(start, end), what).toBe(String(figure))
}
