import type Stripe from 'stripe'
import { integer, type Read, type TimeRange, text } from './params.ts'
import { badParameter } from './stripe-fault.ts'

/** The parameters of every list. */
export const PAGE = { limit: integer(1, 100), starting_after: text(), ending_before: text() }
type Page = Read<typeof PAGE>

interface Listed {
  id: string
}

/** Returns one page of a list, newest first; with a cursor, the objects after or before the cursor's object. */
export function page<T extends Listed>(url: string, oldestFirst: T[], params: Partial<Page>): Stripe.ApiList<T> {
  const rows = oldestFirst.toReversed()
  const limit = params.limit ?? 10
  if (params.ending_before !== undefined) {
    const end = indexOf(rows, params.ending_before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', data: rows.slice(start, end), has_more: start > 0, url }
  }
  const start = params.starting_after === undefined ? 0 : indexOf(rows, params.starting_after, 'starting_after') + 1
  return { object: 'list', data: rows.slice(start, start + limit), has_more: start + limit < rows.length, url }
}

function indexOf(rows: Listed[], id: string, param: string): number {
  const index = rows.findIndex((row) => row.id === id)
  if (index === -1) throw badParameter(`No such object: '${id}'`, param, 'resource_missing')
  return index
}

/** Whether a time is in a range. Always true without a range; false for null when there is a range. */
export function within(range: TimeRange | undefined, at: number | null): boolean {
  if (range === undefined) return true
  if (at === null) return false
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return at > gt && at >= gte && at < lt && at <= lte
}
