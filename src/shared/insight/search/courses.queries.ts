import { sql } from 'kysely'
import { bestMatches, type TextMatch } from './text-match.queries.ts'

/** A course whose name matches. */
export interface CourseHit {
  id: number
  name: string
  regulatory_part: 'part61' | 'part141'
  score: number
}

/** Returns the query of the best courses by name, under the condition of GET /training/courses: not archived. */
export function courseHits(match: TextMatch, organizationId: number) {
  const best = bestMatches(match, {
    from: sql`training_course c where c.organization_id = ${organizationId} and not c.archived`,
    id: sql`c.id`,
    column: sql`c.name`,
  })
  return sql<CourseHit>`
    select h.id, h.text as name, c.regulatory_part, h.score
    from ${best} h join training_course c on c.organization_id = ${organizationId} and c.id = h.id
    order by h.score desc, h.text, h.id`
}
