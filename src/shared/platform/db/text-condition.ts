import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from './read-rows.ts'

/** The number of first rows that are examined to estimate how many rows match. */
const PROBED = 240
/** The number of first rows that are examined of a narrow list when a text is not settled by the first ones. */
const PROBED_OF_NARROW = 5_000
/**
 * From this part of matching rows on, scanning row by row finds them with the fewest reads: at most 20 rows per match,
 * or about 20 with the rows of other tables that each row reads.
 */
const COMMON = { alone: 0.05, withOthers: 0.15 }

/** A search text of an organization's list. */
export interface ListedText {
  organizationId: number
  /** The query of all rows of the list in its order, and the alias of a row in the conditions. */
  rows: RawBuilder<unknown>
  alias: string
  /** The condition of the list without the text. */
  listed: RawBuilder<unknown>
  /** The condition that examines one row. */
  each: RawBuilder<unknown>
  /** Whether `each` also reads other tables. */
  readsOthers: boolean
  /** The condition that finds all matching rows by indexes. */
  indexed: RawBuilder<unknown>
  /** Whether the list is one person's or one aircraft's: it is shorter than what the organization has of many a text. */
  narrow?: boolean
}

/** The conditions of a list with a text: to read its first rows, and to count or sort all of them. */
export interface TextConditions {
  first: RawBuilder<unknown>
  all: RawBuilder<unknown>
}

/**
 * Returns the conditions that read the fewest rows. A short list is examined completely, so its matching ids are the
 * condition. Few matches are found by indexes. Of many matches, a scan row by row finds the first ones soonest.
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

/** Examines the first rows of a list. `complete`: it has no others. */
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
