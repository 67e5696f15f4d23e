import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from './read-rows.ts'

/** The number of first rows that are examined to estimate how many rows match. */
const PROBED = 240
/** The number of first rows of a narrow list that are examined when it has more than `PROBED` rows. */
const PROBED_OF_NARROW = 5_000
/**
 * The share of matching rows from which a scan row by row needs the fewest reads. `alone`: it reads at most 20 rows per
 * match. `withOthers`: each row also reads rows of other tables, which makes about 20 reads per match.
 */
const COMMON = { alone: 0.05, withOthers: 0.15 }

/** A text search in an organization's list. */
export interface ListedText {
  organizationId: number
  /** The query of all rows of the list, in the list's order. `alias` is the name of a row in the conditions. */
  rows: RawBuilder<unknown>
  alias: string
  /** The condition of the list without the search text. */
  listed: RawBuilder<unknown>
  /** The condition that checks one row for the text. */
  each: RawBuilder<unknown>
  /** Whether `each` also reads other tables. */
  readsOthers: boolean
  /** The condition that uses indexes to find all matching rows. */
  indexed: RawBuilder<unknown>
  /**
   * Whether the list belongs to one person or one aircraft. Such a list is shorter than the organization's matches of
   * many texts.
   */
  narrow?: boolean
}

/** The conditions of a list with a search text: `first` to read its first rows, `all` to count or sort all rows. */
export interface TextConditions {
  first: RawBuilder<unknown>
  all: RawBuilder<unknown>
}

/**
 * Returns the conditions that read the fewest rows. A short list is examined completely, so the ids of its matches are
 * the condition. When few rows match, indexes find them. When many rows match, a scan row by row finds the first ones
 * fastest.
 */
export async function textConditions(source: Source, text: ListedText): Promise<TextConditions> {
  const { organizationId, alias, listed, each, readsOthers, indexed, narrow = false } = text
  const row = sql.ref(alias)
  const these = (matching: number[]) => {
    const ids = sql`${row}.organization_id = ${organizationId} and ${row}.id = any(${matching})`
    return { first: ids, all: ids }
  }
  const { matching, complete } = await probe(source, text, PROBED)
  if (complete) return these(matching)
  const more = narrow ? await probe(source, text, PROBED_OF_NARROW) : null
  if (more?.complete) return these(more.matching)
  const oneByOne = sql`${listed} and ${each}`
  const byIndexes = sql`${listed} and ${indexed}`
  const common = readsOthers ? COMMON.withOthers : COMMON.alone
  if (matching.length < common * PROBED) return { first: byIndexes, all: byIndexes }
  return { first: oneByOne, all: readsOthers ? byIndexes : oneByOne }
}

/** Examines the first `most` rows of a list. `complete`: the list has no other rows. */
async function probe(source: Source, { rows, alias, each }: ListedText, most: number) {
  const row = sql.ref(alias)
  const [probed] = await readRows(
    source,
    sql<{ rows: number; matching: number[] }>`
      select count(*)::int as rows, coalesce(array_agg(${row}.id) filter (where ${each}), '{}') as matching
      from (${rows} limit ${most}) ${row}`,
  )
  const { rows: number = 0, matching = [] } = probed ?? {}
  return { matching, complete: number < most }
}
