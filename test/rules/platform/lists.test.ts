import { describe, expect, test } from 'vitest'
import { page } from '../../../src/api/http/answers.ts'
import type { Cursor } from '../../../src/api/http/cursors.ts'
import { type ListSource, listOf, listPage } from '../../../src/api/http/lists.ts'

interface Row {
  id: number
}

const rowsOf = (count: number) => listOf(Array.from({ length: count }, (_, index) => ({ id: index + 1 })))
const sorted = async (source: ListSource<Row>, sort: string) => {
  const { rows } = await listPage(source, { limit: 2, offset: 0, sort, order: 'desc' }, (row) => row)
  return rows.map(({ id }) => id)
}

describe('a list sorted by a computed column (§Conventions that hold across the interface)', () => {
  test('sorts up to 100,000 rows', async () => {
    expect(await sorted(rowsOf(100_000), 'id')).toEqual([100_000, 99_999])
  })

  test.each([
    [999, 'asc', [[null, 1_000]]],
    [999, 'desc', [[null, 1_000]]],
    [
      2_500,
      'desc',
      [
        [null, 1_000],
        ['999', 1_000],
        ['1999', 1_000],
      ],
    ],
    [
      2_500,
      'asc',
      [
        [null, 1_000],
        ['999', 1_000],
        ['1999', 1_000],
        [null, 1_000],
      ],
    ],
  ] as const)(
    'reads each of %i rows once, and again only what stands on the page (%s)',
    async (count, order, slices) => {
      const source = rowsOf(count)
      const read: [string | null, number][] = []
      const watched: ListSource<Row> = {
        ...source,
        slice: () => Promise.reject(new Error('a row was skipped')),
        following(after, limit) {
          read.push([after?.[0] ?? null, limit])
          return source.following(after, limit)
        },
      }
      await listPage(watched, { limit: 2, offset: 0, sort: 'id', order }, (row) => row)
      expect(read).toEqual(slices)
    },
  )

  test('refuses more than 100,000 rows before it reads any', async () => {
    const read = () => Promise.reject(new Error('a row was read'))
    const unread = { ...rowsOf(100_001), slice: read, following: read }
    await expect(sorted(unread, 'id')).rejects.toMatchObject({
      status: 400,
      message: 'sort: too many rows, narrow the window or leave sort out',
    })
  })

  test('names in the refusal the columns that the database sorts by', async () => {
    const source = { ...rowsOf(100_001), sortsBy: (path: string) => path === 'start', columns: () => ['start', 'end'] }
    const message = 'sort: too many rows, narrow the window or sort by start, end'
    await expect(sorted(source, 'payers.0.name')).rejects.toMatchObject({
      message,
      details: { problems: [{ field: 'sort', message }] },
    })
    expect(await sorted(source, 'start')).toHaveLength(2)
  })
})

describe('a list in memory by cursor (§Conventions that hold across the interface)', () => {
  const pageAfter = async (ids: number[], after: readonly string[] | null) => {
    const source = listOf(
      ids.map((id) => ({ id })),
      ({ id }) => id,
    )
    const cursor = { sealed: '', after }
    const { rows, view, ...rest } = await listPage(source, { limit: 2, order: 'asc', cursor }, ({ id }) => id)
    return { ...rest, rows: rows.map(view) }
  }

  test('goes on after the row that was the last, whatever came and went', async () => {
    expect(await pageAfter([2, 5, 9], null)).toEqual({ rows: [2, 5], total: 3, next: ['5'] })
    expect(await pageAfter([1, 2, 7, 9, 10], ['5'])).toEqual({ rows: [7, 9], total: 5, next: ['9'] })
  })

  test('ends with a full page when nothing follows', async () => {
    expect(await pageAfter([2, 5, 9, 10], ['5'])).toEqual({ rows: [9, 10], total: 4, next: null })
    expect(await pageAfter([2, 5], ['5'])).toEqual({ rows: [], total: 2, next: null })
  })
})

describe('the total of a list (§Conventions that hold across the interface)', () => {
  const totalOf = async (source: ListSource<Row>, asked: { limit: number; offset?: number; cursor?: Cursor }) =>
    (await listPage(source, { order: 'asc', ...asked }, (row) => row)).total
  const first: Cursor = { sealed: '', after: null }

  test.each([
    ['a page that is not full', { limit: 4 }],
    ['the last page', { limit: 2, offset: 2 }],
    ['the only page by cursor', { limit: 3, cursor: first }],
  ])('is not counted for %s', async (_, asked) => {
    const uncounted = { ...rowsOf(3), count: () => Promise.reject(new Error('the rows were counted')) }
    expect(await totalOf(uncounted, asked)).toBe(3)
  })

  test.each([
    ['a full page', { limit: 3 }],
    ['a page after the end', { limit: 4, offset: 5 }],
    ['a page by cursor that others follow', { limit: 2, cursor: first }],
    ['a later page by cursor', { limit: 5, cursor: { ...first, after: ['0'] } }],
  ])('is counted for %s', async (_, asked) => {
    expect(await totalOf({ ...rowsOf(3), count: async () => 7 }, asked)).toBe(7)
  })

  test('is not counted for an empty list', async () => {
    const uncounted = { ...rowsOf(0), count: () => Promise.reject(new Error('the rows were counted')) }
    expect(await totalOf(uncounted, { limit: 4 })).toBe(0)
  })

  test.each([
    [0, { 'x-total-count': '0' }],
    [10_000, { 'x-total-count': '10000' }],
    [10_001, { 'x-total-count': '10000', 'x-total-count-exact': 'false' }],
  ])('is exact or capped for %i rows', (total, headers) => {
    expect(page({ rows: [], view: (row) => row, total, next: null }).headers).toEqual(headers)
  })
})
