import { type RawBuilder, sql } from 'kysely'
import { containing, startingWith } from '../../platform/db/read-rows.ts'

/** The most rows of one kind. */
export const MOST_ROWS = 20
/** The most rows that are scored. When more rows contain the text, an arbitrary selection of them is scored. */
const MOST_SCORED = 200
/** The conditions and the score of a searched text, in SQL. */
export interface TextMatch {
  text: string
  /** Whether similar texts match too; a text of two characters matches only the start of a text. */
  tolerant: boolean
  /** Returns the condition that the column contains the text or, for a text of two characters, starts with it. */
  contains(column: RawBuilder<unknown>): RawBuilder<unknown>
  /** Returns the condition that some words of the column are similar to the text. */
  resembles(column: RawBuilder<unknown>): RawBuilder<unknown>
  /** Returns how well the column matches, from 0 to 1; 1 is the same text. */
  score(column: RawBuilder<unknown>): RawBuilder<number>
}

/** The smallest share of a text's trigrams in a similar text: a typo in a word of six letters changes half of them. */
export const SIMILARITY = '0.42'

/** Returns the conditions of a text of at least two characters. */
export function matchText(text: string): TextMatch {
  const tolerant = [...text].length > 2
  const like = tolerant ? containing(text) : startingWith(text)
  const contains = (column: RawBuilder<unknown>) => sql`${column} ilike ${like}`
  return {
    text,
    tolerant,
    contains,
    resembles: (column) => (tolerant ? sql`${text} <% ${column}` : sql`false`),
    score: (column) => sql<number>`(0.8 * greatest(word_similarity(${text}, ${column}),
      case when ${contains(column)} then 0.9 else 0 end) + 0.2 * similarity(${text}, ${column}))::float8`,
  }
}

/** The rows in which a text is searched: `from` with its condition, their id, and the column with the text. */
export interface Searched {
  from: RawBuilder<unknown>
  id: RawBuilder<unknown>
  column: RawBuilder<unknown>
}

/**
 * Returns a query of `id`, `text` and `score` of the best rows. Similar texts are searched only when fewer than 20 rows
 * contain the text itself, so that a frequent word is cheap.
 */
export function bestMatches(match: TextMatch, { from, id, column }: Searched, most = MOST_ROWS): RawBuilder<unknown> {
  const rows = (condition: RawBuilder<unknown>) =>
    sql`select ${id} as id, ${column} as text from ${from} and ${condition} limit ${MOST_SCORED}`
  return sql`(with containing as materialized (${rows(match.contains(column))}),
      alike as materialized (${rows(sql`(select count(*) from containing) < ${MOST_ROWS}
        and ${match.resembles(column)} and not ${match.contains(column)}`)})
    select c.id, c.text, ${match.score(sql`c.text`)} as score
    from (select * from containing union all select * from alike) c
    order by score desc, c.text, c.id limit ${most})`
}
