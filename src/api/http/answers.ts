import type { Position } from '../../shared/platform/db/keyset.ts'

/** The formats in which an answer can be asked for, with their media types. */
export const mediaOf = {
  json: 'application/json',
  csv: 'text/csv',
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
} as const
export type Format = keyof typeof mediaOf

/** The response of a handler. Only the fields in the schema of its status are sent. */
export interface Answer {
  status: 200 | 201 | 202 | 204 | 302
  body?: unknown
  /** The rows of a list. They are sent as `data`, beside the fields of `body`. */
  list?: ListedRows<unknown>
  headers?: Record<string, string>
  /** The position after which the next page of a list begins; null on the last page and without a cursor. */
  next?: Position | null
}

/**
 * The rows of a list as they were read, and the function that returns a row as the caller sees it. `list-bytes.ts`
 * serializes them.
 */
export interface ListedRows<Row> {
  rows: Row[]
  view(row: Row): unknown
  /** The rows that follow `rows`, in slices. Each slice is read when the client has received the previous one. */
  rest?: AsyncIterable<Row[]>
}

/**
 * A page of rows; the total before paging, which is counted only up to a limit; and the position after which the next
 * page by cursor begins.
 */
export interface Page<Row> extends ListedRows<Row> {
  total: number
  next: Position | null
}

/** Returns 200 with `{ data }` and the fields beside it. */
export function ok(data: unknown, beside?: Record<string, unknown>): Answer {
  return { status: 200, body: { data, ...beside } }
}

/** Returns 201 with `{ data }` and the fields beside it. */
export function created(data: unknown, beside?: Record<string, unknown>): Answer {
  return { status: 201, body: { data, ...beside } }
}

/** Returns 202 with `{ data }` and the fields beside it: the request is accepted, and its work is not done yet. */
export function accepted(data: unknown, beside?: Record<string, unknown>): Answer {
  return { status: 202, body: { data, ...beside } }
}

/** Returns 200 without a body. */
export function empty(): Answer {
  return { status: 200 }
}

/** Returns 204 without a body. */
export function done(): Answer {
  return { status: 204 }
}

/** Returns a 302 redirect. */
export function redirect(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 302, headers: { location, 'cache-control': 'no-store', ...headers } }
}

/** The largest total of a list that is counted exactly. */
export const MOST_COUNTED = 10_000

/**
 * Returns 200 with one page of a list. `X-Total-Count` is the total before paging; above 10,000 it is 10000 and
 * `X-Total-Count-Exact` is false.
 * Implements interface §Conventions that hold across the interface.
 */
export function page<Row>({ total, next, ...list }: Page<Row>): Answer {
  const headers = { 'x-total-count': String(Math.min(total, MOST_COUNTED)) }
  const exact = total <= MOST_COUNTED
  return {
    status: 200,
    list,
    headers: exact ? headers : { ...headers, 'x-total-count-exact': 'false' },
    next,
  }
}
