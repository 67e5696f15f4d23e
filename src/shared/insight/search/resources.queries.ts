import { type RawBuilder, sql } from 'kysely'
import { MOST_ROWS, type TextMatch } from './text-match.queries.ts'

/** A resource whose name, tail number, make or model matches. */
export interface ResourceHit {
  id: number
  name: string
  kind: string
  tail_number: string | null
  make: string | null
  model: string | null
  score: number
}

/**
 * The searched columns. An organization has few resources, so all of them are compared; only the index on the
 * organization is used.
 */
const searched = [sql`w.name`, sql`w.tail_number`, sql`concat_ws(' ', w.make, w.model)`]

const anyOf = (conditions: RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`

/** The smallest share of equal trigrams of a similar tail number: two swapped digits change four of seven trigrams. */
const SIMILAR_CODE = 0.27

/**
 * Returns the query of the best matching resources, among those of GET /resources. `precise` requires the same
 * similarity as for the other kinds of results; it is used to find bookings by their resource.
 */
export function resourceHits(match: TextMatch, organizationId: number, { precise = false, most = MOST_ROWS } = {}) {
  const resembles = (column: RawBuilder<unknown>) =>
    precise || !match.tolerant
      ? match.resembles(column)
      : sql`word_similarity(${match.text}, ${column}) >= ${SIMILAR_CODE}`
  const score = sql`greatest(${sql.join(searched.map((column) => sql`coalesce(${match.score(column)}, 0)`))})`
  const found = anyOf(searched.flatMap((column) => [match.contains(column), resembles(column)]))
  return sql<ResourceHit>`
    select w.id, w.name, w.kind, w.tail_number, w.make, w.model, ${score} as score
    from resource w where w.organization_id = ${organizationId} and ${found}
    order by score desc, w.name, w.id limit ${most}`
}
