import { z } from 'zod'
import type { Placed, Position } from '../../shared/platform/db/keyset.ts'
import type { Sort } from '../../shared/platform/db/sort-keys.ts'
import type { Invalid } from '../../shared/platform/kernel/errors.ts'
import { invalidFields } from '../../shared/platform/platform.errors.ts'
import { MOST_COUNTED, type Page } from './answers.ts'
import { type Cursor, CursorParameter } from './cursors.ts'
import { httpErrors } from './http.errors.ts'
import { queryNumber } from './schemas.ts'
import { compareKeys, type SortKey, sortKey, valueAt } from './sort-in-memory.ts'

/** The most rows of a page, and the number of rows when `limit` is absent. */
const MOST_A_PAGE = 1_000

const Limit = queryNumber(1, Number.MAX_SAFE_INTEGER).transform((limit) => Math.min(limit, MOST_A_PAGE))

/** The query parameters of every list. */
export const ListQuery = z.object({
  limit: Limit.default(MOST_A_PAGE).meta({
    override: {
      type: 'integer',
      minimum: 1,
      default: 1000,
      description: 'The number of rows on a page. Values above 1000 count as 1000',
    },
  }),
  offset: queryNumber(0, 1_000_000_000)
    .optional()
    .meta({ override: { type: 'integer', minimum: 0, description: 'The number of rows to skip. Default: 0' } }),
  sort: z
    .string()
    .max(200)
    .optional()
    .describe('The field to sort by, as a dot path into the row. Empty values come last'),
  order: z.enum(['asc', 'desc']).meta({ choices: 'SortOrder' }).default('asc').describe('The direction of `sort`'),
  cursor: CursorParameter,
})

export type ListParameters = z.output<typeof ListQuery>

/** The query parameters of a list that returns all its rows when `limit` is absent. */
export const WholeListQuery = ListQuery.extend({
  limit: Limit.optional().meta({
    id: 'WholeListLimit',
    override: {
      type: 'integer',
      minimum: 1,
      description: 'The number of rows on a page; without it all rows are returned. Values above 1000 count as 1000',
    },
  }),
})

/** The source of a list: its rows in slices, in its own order or sorted, and their number. */
export interface ListSource<Row> {
  slice(offset: number, limit: number, sort?: Sort): Promise<Row[]>
  /** Returns the rows after a position in the list's own order; null: the first rows. */
  following(after: Position | null, limit: number): Promise<Placed<Row>[]>
  /**
   * Returns all rows in slices of `size`, sorted by this path or in the list's own order. Only the ids of all rows are
   * in memory. A row that is deleted in the meantime is left out.
   */
  inOrder?(sort: Sort | undefined, slice: { offset: number; size: number }): AsyncGenerator<Row[]>
  /** Returns the number of rows. Counting stops at `most` + 1. */
  count(most: number): Promise<number>
  /**
   * Returns true when slices can be sorted by this path, or when no row has the path. Absent: slices cannot be sorted.
   */
  sortsBy?(path: string): boolean
  /** Some of the sortable paths. The error about too many rows names them. */
  columns?(): readonly string[]
}

/** The most rows in memory at once while a list is sorted. */
const SLICE = 1_000
/** The rows per slice when a whole list is read. */
const WHOLE = 1_000
/** The most rows that are read to sort a list by a path that the database cannot sort by. */
const MOST_SORTED = 100_000

/**
 * Returns one page of a list, each row as `view` returns it. The database sorts and pages when it can sort in that
 * order. Otherwise (a path that only the view has, or a list in memory) rows are read in slices and only their sort
 * keys are kept, of at most 100,000 rows, so any dot path sorts in bounded memory. With a cursor, the page has the rows
 * after it in the list's own order.
 * Implements interface §Conventions that hold across the interface.
 */
export async function listPage<Row>(
  source: ListSource<Row>,
  { limit, offset = 0, sort, order, cursor }: ListParameters,
  view: (row: Row) => unknown,
): Promise<Page<Row>> {
  if (cursor) return pageAt(source, cursor, limit, view)
  if (sort === undefined || source.sortsBy?.(sort)) {
    const by = sort === undefined ? undefined : { by: sort, order }
    const rows = await source.slice(offset, limit, by)
    return { rows, view, total: await totalOf(source, { rows: rows.length, offset, limit }), next: null }
  }
  if ((await source.count(MOST_SORTED)) > MOST_SORTED) throw tooMany(source.columns?.() ?? [])
  const keys: RowKey[] = []
  let last: Slice<Row> | undefined
  for (let after: Position | null = null; ; after = last.rows.at(-1)?.cursorPosition ?? null) {
    last = { after, rows: await source.following(after, SLICE) }
    for (const [at, row] of last.rows.entries()) keys.push({ key: sortKey(valueAt(view(row), sort)), after, at })
    if (last.rows.length < SLICE) break
  }
  const sorted = keys.toSorted((a, b) => compareKeys(a.key, b.key, order))
  return { rows: await pick(source, sorted.slice(offset, offset + limit), last), view, total: keys.length, next: null }
}

/** Some rows of a list in its own order: those that follow a position. */
interface Slice<Row> {
  after: Position | null
  rows: Placed<Row>[]
}

/** The sort key of a row, with the place of the row: the slice after a position, and the index in it. */
interface RowKey {
  key: SortKey
  after: Position | null
  at: number
}

/**
 * Returns the number of rows of a list of which these were read from an offset on. Counts them only when the page is
 * full, or when it begins after the last row.
 */
async function totalOf<Row>(
  source: ListSource<Row>,
  { rows, offset, limit }: { rows: number; offset: number; limit: number },
): Promise<number> {
  const ends = rows < limit && (rows > 0 || offset === 0)
  return ends ? offset + rows : source.count(MOST_COUNTED)
}

/**
 * Returns one page when `limit` is given, otherwise the whole list. In its own order the list is read slice by slice,
 * each when the client has received the previous one, so memory is bounded for any number of rows. A list of one slice
 * is not counted by a query.
 * Implements interface §Conventions that hold across the interface.
 */
export async function listWhole<Row>(
  source: ListSource<Row>,
  { limit, ...others }: z.output<typeof WholeListQuery>,
  view: (row: Row) => unknown,
): Promise<Page<Row>> {
  const { sort, offset, cursor } = others
  if (limit !== undefined) return listPage(source, { ...others, limit }, view)
  if (!cursor && (sort !== undefined || offset !== undefined)) return listInOrder(source, others, view)
  const first = await source.following(cursor?.after ?? null, WHOLE)
  const complete = first.length < WHOLE
  const total = complete && !cursor?.after ? first.length : await source.count(MOST_COUNTED)
  const listed = { rows: first, view, total, next: null }
  return complete ? listed : { ...listed, rest: restOf(source, first) }
}

/**
 * Returns a whole list that is sorted or starts at an offset. Memory is bounded when the database can sort in that
 * order.
 */
async function listInOrder<Row>(
  source: ListSource<Row>,
  parameters: Omit<z.output<typeof WholeListQuery>, 'limit'>,
  view: (row: Row) => unknown,
): Promise<Page<Row>> {
  const { sort, order, offset = 0 } = parameters
  if (!source.inOrder || (sort !== undefined && !source.sortsBy?.(sort))) {
    return listPage(source, { ...parameters, limit: Number.MAX_SAFE_INTEGER }, view)
  }
  const by = sort === undefined ? undefined : { by: sort, order }
  const slices = source.inOrder(by, { offset, size: WHOLE })
  const first = await slices.next()
  const rows: Row[] = first.value ?? []
  const total = await totalOf(source, { rows: rows.length, offset, limit: WHOLE })
  const listed = { rows, view, total, next: null }
  return first.done ? listed : { ...listed, rest: slices }
}

async function* restOf<Row>(source: ListSource<Row>, first: Placed<Row>[]) {
  let rows = first
  while (rows.length === WHOLE) {
    rows = await source.following(rows.at(-1)?.cursorPosition ?? null, WHOLE)
    yield rows
  }
}

/** Returns a page by cursor. Reads one row more than the page has, to find out whether the page is the last one. */
async function pageAt<Row>(
  source: ListSource<Row>,
  { after }: Cursor,
  limit: number,
  view: (row: Row) => unknown,
): Promise<Page<Row>> {
  const found = await source.following(after, limit + 1)
  const rows = found.slice(0, limit)
  const whole = after === null && found.length <= limit
  const total = whole ? found.length : await source.count(MOST_COUNTED)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, view, total, next: last?.cursorPosition ?? null }
}

/**
 * Returns the source of a list in memory: a small list, or one that is joined from several sources. `placeOf` returns
 * the position of a row, a constant number that increases along the list. By default it is the index, for lists that
 * never change.
 */
export function listOf<Row extends object>(
  rows: Row[],
  placeOf: (row: Row, index: number) => number = (_, index) => index,
): ListSource<Row> {
  return {
    slice: async (offset, limit) => rows.slice(offset, offset + limit),
    following: async (after, limit) => {
      const start = after === null ? 0 : rows.findIndex((row, index) => placeOf(row, index) > Number(after[0]))
      const slice = start < 0 ? [] : rows.slice(start, start + limit)
      return slice.map((row, index) => ({ ...row, cursorPosition: [String(placeOf(row, start + index))] }))
    },
    count: async () => rows.length,
  }
}

function tooMany(columns: readonly string[]): Invalid {
  const message =
    columns.length > 0 ? httpErrors.tooManyToSort({ columns: columns.join(', ') }) : httpErrors.tooManyToSortAtAll()
  return invalidFields([{ field: 'sort', message }])
}

/** Returns the rows of these keys, in their order. Slices are read again, except the one that was read last. */
async function pick<Row>(source: ListSource<Row>, keys: readonly RowKey[], last: Slice<Row>): Promise<Row[]> {
  const found = new Map<RowKey, Row>()
  for (const [after, wanted] of Map.groupBy(keys, (key) => key.after)) {
    const rows = after === last.after ? last.rows : await source.following(after, SLICE)
    for (const key of wanted) {
      const row = rows[key.at]
      if (row !== undefined) found.set(key, row)
    }
  }
  return keys.flatMap((key) => found.get(key) ?? [])
}
