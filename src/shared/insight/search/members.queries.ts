import { sql } from 'kysely'
import { bestMatches, type TextMatch } from './text-match.ts'

/** A member whose name matches, with the roles of the membership. */
export interface MemberHit {
  id: number
  name: string
  roles: string[]
  score: number
}

/** Returns the query of the best members by name, under the condition of GET /orgUsers. Addresses are not searched. */
export function memberHits(match: TextMatch, organizationId: number) {
  const best = bestMatches(match, {
    from: sql`membership m where m.organization_id = ${organizationId} and m.removed_at is null`,
    id: sql`m.id`,
    column: sql`m.search_name`,
  })
  return sql<MemberHit>`
    select h.id, h.text as name, h.score, array_remove(array[case when m.owner then 'owner' end,
      case when m.admin then 'admin' end, case when m.dispatcher then 'dispatcher' end,
      case when m.instructor then 'instructor' end, case when m.student then 'student' end,
      case when m.renter then 'renter' end, case when m.technician then 'technician' end], null) as roles
    from ${best} h join membership m on m.organization_id = ${organizationId} and m.id = h.id
    order by h.score desc, h.text, h.id`
}
