import { type RawBuilder, sql } from 'kysely'
import { bestMatches, MOST_ROWS, type TextMatch } from './text-match.queries.ts'

/** The people whose names match best. Their bookings and invoices are found too. */
export interface Named {
  members: NamedPerson[]
  guests: NamedPerson[]
}

interface NamedPerson {
  id: number
  score: number
}

/** A member whose name matches, with the roles of the membership. */
export interface MemberHit extends NamedPerson {
  name: string
  roles: string[]
  removed: boolean
}

/** The most matching members, and the most matching guests, whose bookings and invoices are searched. */
export const MOST_NAMED = 10
/** The most members that are read. Members who have left are not results themselves, but their bookings are. */
const MOST_MEMBERS = 5 * MOST_ROWS

/**
 * Returns the query of the members whose names match best, removed members included; with `of`, only of this member.
 * Emails are not searched.
 */
export function namedMembers(match: TextMatch, organizationId: number, of?: number) {
  const one = of === undefined ? sql`` : sql`and m.id = ${of}`
  const from = sql`membership m where m.organization_id = ${organizationId} ${one}`
  const best = bestMatches(match, { from, id: sql`m.id`, column: sql`m.search_name` }, MOST_MEMBERS)
  return sql<MemberHit>`
    select h.id, h.text as name, h.score, m.removed_at is not null as removed,
      array_remove(array[case when m.owner then 'owner' end, case when m.admin then 'admin' end,
        case when m.dispatcher then 'dispatcher' end, case when m.instructor then 'instructor' end,
        case when m.student then 'student' end, case when m.renter then 'renter' end,
        case when m.technician then 'technician' end], null) as roles
    from ${best} h join membership m on m.organization_id = ${organizationId} and m.id = h.id
    order by h.score desc, h.text, h.id`
}

/** Returns the query of the guests whose names match best. Emails and phone numbers are not searched. */
export function namedGuests(match: TextMatch, organizationId: number) {
  const from = sql`guest g where g.organization_id = ${organizationId}`
  return sql<NamedPerson>`select id, score from ${bestMatches(match, { from, id: sql`g.id`, column: sql`g.name` }, MOST_NAMED)} h`
}

/** Returns named people as a row source of `id` and `score`. */
export function rowsOf(people: readonly NamedPerson[]): RawBuilder<unknown> {
  return sql`unnest(${people.map(({ id }) => id)}::int[], ${people.map(({ score }) => score)}::float8[])`
}

/** A course whose name matches. */
export interface CourseHit {
  id: number
  name: string
  regulatory_part: 'part61' | 'part141'
  score: number
}

/**
 * Returns the query of the courses whose names match best. Archived courses are excluded, as in GET /training/courses.
 */
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
