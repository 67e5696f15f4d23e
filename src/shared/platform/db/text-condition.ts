import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from './read-rows.ts'

/** How many of the first rows are looked at to tell a text that many have from one that few have. */
const PROBED = 240
/**
 * A text that this part of them has is found soonest by looking at one row after another: at most 20 rows for each that is
 * found, and some 20 where a row has others to look at.
 */
const COMMON = { alone: 0.05, withOthers: 0.15 }

/** A free text that a list of an organization looks for. */
export interface ListedText {
  organizationId: number
  /** The query of all rows of the list, in its order, and the alias by which the conditions refer to a row. */
  rows: RawBuilder<unknown>
  alias: string
  /** The condition of the list without the text. */
  listed: RawBuilder<unknown>
  /** The condition that looks at a row of its own. */
  each: RawBuilder<unknown>
  /** Whether `each` reads other tables besides. */
  readsOthers: boolean
  /** The condition that finds all matching rows by indexes. */
  indexed: RawBuilder<unknown>
}

/** The conditions of a list with a text: to read its first rows, and to count or sort all of them. */
export interface TextConditions {
  first: RawBuilder<unknown>
  all: RawBuilder<unknown>
}

/**
 * Returns the conditions that read the fewest rows. In a short list the matching rows are those just looked at. A text that
 * few rows have is found by indexes. Of one that many have, the first rows are found soonest one after another.
 */
export async function textConditions(source: Source, text: ListedText): Promise<TextConditions> {
  const { organizationId, rows, alias, listed, each, readsOthers, indexed } = text
  const row = sql.ref(alias)
  const [probed] = await readRows(
    source,
    sql<{ rows: number; matching: number[] }>`
      select count(*)::int as rows, coalesce(array_agg(${row}.id) filter (where ${each}), '{}') as matching
      from (${rows} limit ${PROBED}) ${row}`,
  )
  const { rows: number = 0, matching = [] } = probed ?? {}
  if (number < PROBED) {
    const these = sql`${row}.organization_id = ${organizationId} and ${row}.id = any(${matching})`
    return { first: these, all: these }
  }
  const oneByOne = sql`${listed} and ${each}`
  const byIndexes = sql`${listed} and ${indexed}`
  const common = readsOthers ? COMMON.withOthers : COMMON.alone
  if (matching.length < common * PROBED) return { first: byIndexes, all: byIndexes }
  return { first: oneByOne, all: readsOthers ? byIndexes : oneByOne }
}
