import { describe, expect, test } from 'vitest'
import { Faults } from '../../local/payments/faults.ts'
import { parseForm } from '../../local/payments/form.ts'
import { search } from '../../local/payments/search.ts'

/** The least of several runs, in milliseconds: what the machine does besides only adds. */
function leastTime(work: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const from = performance.now()
    work()
    return performance.now() - from
  })
  return Math.min(...times)
}

const find = (query: string) => () => {
  expect(() => search('/v1/customers/search', [], [], { query, limit: 10, page: 0 }, 0)).toThrow('unable to parse')
}

const meet = (match: string, path: string) => () => {
  const faults = new Faults()
  faults.add({ match, kind: '500', times: 1 })
  expect(faults.meet('GET', path, () => null)).toBeNull()
}

/** What is asked, in a size. */
const asked: [string, number, (size: number) => () => unknown][] = [
  ['a search with an open quote and escapes', 4_000, (size) => find(`status:'${'\\'.repeat(size)}`)],
  ['a search with many ends of a name', 4_000, (size) => find(`metadata['a${"']:'".repeat(size)}`)],
  ['a fault with many wildcards', 4_000, (size) => meet(`GET ${'*a'.repeat(size)}!`, 'a'.repeat(2 * size))],
  ['a form with a long list', 2_000, (size) => () => parseForm('a[]=1&'.repeat(size))],
  ['a form that nests deeply', 1_000, (size) => () => parseForm(`a${'[b]'.repeat(size)}=1`)],
]

describe('the payment simulator takes time in proportion to the size of', () => {
  test.each(asked)('%s', (_name, size, work) => {
    const ratio = () => leastTime(work(16 * size)) / Math.max(leastTime(work(size)), 0.1)
    // Sixteen times the size takes about sixteen times as long; where each part is read again for each, 256 times, however
    // often it is measured.
    const ratios = [ratio()]
    while (ratios.at(-1)! >= 80 && ratios.length < 5) ratios.push(ratio())
    expect(Math.min(...ratios)).toBeLessThan(80)
  })
})

describe('a fault', () => {
  test.each([
    ['GET /v1/invoices/:id', '/v1/invoices/in_1', true],
    ['GET /v1/invoices/*', '/v1/invoices/in_1', true],
    ['* /v1/invoices/*', '/v1/invoices/in_1', true],
    ['GET /v1/invoices/:id', '/v1/invoices', false],
    ['GET /v1/invoices/:id', '/v1/invoices/', false],
    ['GET /v1/invoices/:id', '/v1/invoices/in_1/pay', false],
    ['POST /v1/invoices/:id', '/v1/invoices/in_1', false],
  ])('at %s meets GET %s: %s', (match, path, meets) => {
    const faults = new Faults()
    faults.add({ match, kind: '500', times: 1 })
    expect(faults.meet('GET', path, () => null) !== null).toBe(meets)
  })
})
