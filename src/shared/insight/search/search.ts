import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Database } from '../../platform/db/database.ts'
import { type ReadLimited, readLimited } from '../../platform/db/read-limited.ts'
import { holds } from '../../training/grants/grant.access.ts'
import { insightErrors } from '../insight.errors.ts'
import { type BookingHit, bookingHits } from './bookings.queries.ts'
import { type InvoiceHit, invoiceHits } from './invoices.queries.ts'
import { type CourseHit, courseHits, type MemberHit, MOST_NAMED, namedGuests, namedMembers } from './named.queries.ts'
import { type ResourceHit, resourceHits } from './resources.queries.ts'
import { MOST_ROWS, matchText, SIMILARITY } from './text-match.queries.ts'

export const searchKinds = ['member', 'resource', 'booking', 'invoice', 'course'] as const
export type SearchKind = (typeof searchKinds)[number]

export type Hit =
  | ({ of: 'member' } & MemberHit)
  | ({ of: 'resource' } & ResourceHit)
  | ({ of: 'booking' } & BookingHit)
  | ({ of: 'invoice' } & InvoiceHit)
  | ({ of: 'course' } & CourseHit)

/** The most milliseconds of one query. */
const STATEMENT_MS = 300

/**
 * Returns the hits of a text that the actor may see, best first, at most 20 of each kind. Each kind takes one query;
 * the names of members and of guests take one query each.
 * Implements interface §Search.
 */
export async function search(
  database: Database,
  actor: Actor,
  { text, kinds = searchKinds }: { text: string; kinds?: readonly SearchKind[] | undefined },
): Promise<Hit[]> {
  const limits = { statementMs: STATEMENT_MS, settings: { 'pg_trgm.word_similarity_threshold': SIMILARITY } }
  const readsCourses = kinds.includes('course') && (await holds(database, actor, ['configureTraining', 'auditor']))
  const asked = kinds.filter((kind) => kind !== 'course' || readsCourses)
  try {
    const hits = await readLimited(database, limits, (read) => readHits(read, actor, asked, text))
    return hits.sort((a, b) => b.score - a.score)
  } catch (error) {
    if ((error as { code?: string }).code !== CANCELLED) throw error
    throw insightErrors.searchTooLong()
  }
}

/** The SQLSTATE of a statement that exceeded its time limit. */
const CANCELLED = '57014'

async function readHits(read: ReadLimited, actor: Actor, kinds: readonly SearchKind[], text: string): Promise<Hit[]> {
  const { organizationId, orgUserId } = actor
  const match = matchText(text)
  const all = is(actor, admins)
  const wants = (...any: SearchKind[]) => any.some((kind) => kinds.includes(kind))
  const members = wants('member', 'booking', ...(all ? (['invoice'] as const) : []))
    ? await read(namedMembers(match, organizationId))
    : []
  const guests = wants('booking', 'invoice') ? await read(namedGuests(match, organizationId)) : []
  const named = { members: members.slice(0, MOST_NAMED), guests }
  const invoices = async () => {
    if (all) return read(invoiceHits(match, organizationId, named))
    const self = { members: await read(namedMembers(match, organizationId, orgUserId)), guests: [] }
    return read(invoiceHits(match, organizationId, self, orgUserId))
  }
  const readers: Record<SearchKind, () => Promise<Hit[]>> = {
    member: async () => labelled('member', members.filter(({ removed }) => !removed).slice(0, MOST_ROWS)),
    resource: async () => labelled('resource', await read(resourceHits(match, organizationId))),
    booking: async () => labelled('booking', await read(bookingHits(match, organizationId, named))),
    invoice: async () => labelled('invoice', await invoices()),
    course: async () => labelled('course', await read(courseHits(match, organizationId))),
  }
  const hits: Hit[] = []
  for (const kind of searchKinds) if (kinds.includes(kind)) hits.push(...(await readers[kind]()))
  return hits
}

function labelled<Kind extends SearchKind, Row>(of: Kind, rows: Row[]) {
  return rows.map((row) => ({ of, ...row }))
}
