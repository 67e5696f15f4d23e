import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort()
/** Where the name of a file may begin. */
const folders = ['', 'test', 'src', 'src/shared']
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>

/** Each match of the pattern's first group in the page, as what names the place and what it says. */
function named(page: string, pattern: RegExp): { at: string; name: string }[] {
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((line, i) =>
      Array.from(line.matchAll(pattern), ([, name = '']) => ({ at: `${page}:${i + 1} ${name}`, name })),
    )
}

describe('A page of the docs', () => {
  test.each(pages)('links to files that exist: %s', (page) => {
    const broken = named(page, /\]\((?!https?:|mailto:)([^)#\s]+)/g).filter(
      ({ name }) => !existsSync(join(root, dirname(page), name)),
    )
    expect(broken.map(({ at }) => at)).toEqual([])
  })

  test.each(pages)('names tests, drills and sources that exist: %s', (page) => {
    const files = named(page, /`((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs))`/g)
    const missing = files.filter(({ name }) => folders.every((folder) => !existsSync(join(root, folder, name))))
    expect(missing.map(({ at }) => at)).toEqual([])
  })

  test.each(pages)('names scripts that package.json has: %s', (page) => {
    const unknown = named(page, /\bnpm run (?:-s )?([\w:.-]*\w)/g).filter(({ name }) => !scripts[name])
    expect(unknown.map(({ at }) => at)).toEqual([])
  })
})

test('the map of the documents leads to every page but single decisions, which their own list has', () => {
  const map = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const links = Array.from(map.matchAll(/\]\(([^)#]+)/g), ([, link = '']) => join('docs', link))
  const mapped = pages.filter((page) => page !== 'docs/README.md' && !/^docs\/decisions\/\d/.test(page))
  expect(mapped.filter((page) => !links.includes(page))).toEqual([])
  const list = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')
  const single = pages.filter((page) => /^docs\/decisions\/\d/.test(page))
  expect(single.filter((page) => !list.includes(`(${page.split('/').at(-1)})`))).toEqual([])
})

test('the list of the decisions has the title of each, and says when it was accepted, amended and superseded', () => {
  const list = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8').split('\n')
  const datesIn = (text = '') => [...new Set(text.match(/\d{4}-\d\d-\d\d|superseded by \d+/g))].sort()
  const wrong = pages
    .filter((page) => /^docs\/decisions\/\d/.test(page))
    .filter((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      const status = /^(?:\*\*)?Status:.*(?:\n.+)*/m.exec(text)?.[0]
      const [, title] = /^# \d+\. (.*)/.exec(text) ?? []
      const row = list.find((line) => line.includes(`[${title}](${page.split('/').at(-1)})`))
      return datesIn(status).length === 0 || datesIn(status).join() !== datesIn(row).join()
    })
  expect(wrong).toEqual([])
})
