import type Stripe from 'stripe'
import { integer, type Read, required, text } from './params.ts'
import { badParameter } from './stripe-fault.ts'

/** The parameters of every search; `page` is the `next_page` of the previous answer. */
export const SEARCH = { query: required(text()), limit: integer(1, 100), page: integer(0) }

/** New objects are found only after this time. Stripe's documentation says "less than a minute". */
const INDEXED_AFTER_SECONDS = 60

/**
 * Matches one clause of a query. Each character can match in one way only, so a clause that does not match fails
 * without backtracking.
 */
const CLAUSE = /^\s*(?:metadata\[(["'])(?<meta>[^"']+)\1\]|(?<field>\w+)):(["'])(?<value>(?:\\.|(?!\4)[^\\])*)\4\s*$/

interface Searched {
  created: number
  metadata: Stripe.Metadata | null
}

/** Returns the objects that match every clause (`metadata['key']:'value' AND status:'open'`), newest first. */
export function search<T extends Searched>(
  url: string,
  oldestFirst: T[],
  fields: readonly (keyof T & string)[],
  { query, limit = 10, page = 0 }: Read<typeof SEARCH>,
  now: number,
): Stripe.ApiSearchResult<T> {
  const clauses = query.split(/ AND /i).map((clause) => parseClause(clause, fields))
  const indexed = oldestFirst.filter(({ created }) => created <= now - INDEXED_AFTER_SECONDS)
  const found = indexed.filter((row) => clauses.every((holds) => holds(row))).toReversed()
  const end = page + limit
  const has_more = end < found.length
  return {
    object: 'search_result',
    data: found.slice(page, end),
    has_more,
    next_page: has_more ? String(end) : null,
    url,
  }
}

function parseClause<T extends Searched>(clause: string, fields: readonly (keyof T & string)[]): (row: T) => boolean {
  const { meta, field, value = '' } = CLAUSE.exec(clause)?.groups ?? {}
  const wanted = value.replace(/\\(.)/g, '$1')
  if (meta !== undefined) return (row) => row.metadata?.[meta] === wanted
  const name = fields.find((known) => known === field)
  if (name === undefined) throw badParameter('We were unable to parse your search query.', 'query')
  return (row) => String(row[name] ?? '').toLowerCase() === wanted.toLowerCase()
}
