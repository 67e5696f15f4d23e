import { describe, expect, test } from 'vitest'
import { page } from '../../../src/api/http/answers.ts'
import { type ListSource, listOf, listPage } from '../../../src/api/http/lists.ts'

interface Row {
  id: number
}

const rowsOf = (count: number) => listOf(Array.from({ length: count }, (_, index) => ({ id: index + 1 })))
const sorted = (source: ListSource<Row>, sort: string) =>
  listPage(source, { limit: 2, offset: 0, sort, order: 'desc' }, (row) => row)

describe('a list sorted by a computed column (§Conventions that hold across the interface)', () => {
  test('sorts up to 100,000 rows', async () => {
    expect((await sorted(rowsOf(100_000), 'id')).rows).toEqual([{ id: 100_000 }, { id: 99_999 }])
  })

  test('refuses more than 100,000 rows before it reads any', async () => {
    const unread = { ...rowsOf(100_001), slice: () => Promise.reject(new Error('a row was read')) }
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
    expect((await sorted(source, 'start')).rows).toHaveLength(2)
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
  test.each([
    [0, { 'x-total-count': '0' }],
    [10_000, { 'x-total-count': '10000' }],
    [10_001, { 'x-total-count': '10000', 'x-total-count-exact': 'false' }],
  ])('is exact or capped for %i rows', (total, headers) => {
    expect(page({ rows: [], view: (row) => row, total, next: null }).headers).toEqual(headers)
  })
})
