import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Database } from '../../platform/db/database.ts'
import { type ReadLimited, readLimited } from '../../platform/db/read-limited.ts'
import { Unavailable } from '../../platform/kernel/errors.ts'
import { holds } from '../../training/grants/policy.ts'
import { type BookingHit, bookingHits } from './bookings.queries.ts'
import { type CourseHit, courseHits } from './courses.queries.ts'
import { type InvoiceHit, invoiceHits } from './invoices.queries.ts'
import { type MemberHit, memberHits } from './members.queries.ts'
import { type ResourceHit, resourceHits } from './resources.queries.ts'
import { matchText, SIMILARITY } from './text-match.ts'

export const searchKinds = ['member', 'resource', 'booking', 'invoice', 'course'] as const
export type SearchKind = (typeof searchKinds)[number]

export type Hit =
  | ({ of: 'member' } & MemberHit)
  | ({ of: 'resource' } & ResourceHit)
  | ({ of: 'booking' } & BookingHit)
  | ({ of: 'invoice' } & InvoiceHit)
  | ({ of: 'course' } & CourseHit)

/** How long the query of one kind may take, in milliseconds. */
const STATEMENT_MS = 300

/**
 * Returns what the actor may see and the text matches, best first: one query a kind, at most 20 rows of each.
 * Implements interface §Search.
 * @throws Unavailable when a query takes more than 300 ms
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
    const hits = await readLimited(database, limits, async (read) => {
      const found: Hit[] = []
      for (const kind of searchKinds) if (asked.includes(kind)) found.push(...(await hitsOf(read, actor, kind, text)))
      return found
    })
    return hits.sort((a, b) => b.score - a.score)
  } catch (error) {
    if ((error as { code?: string }).code !== CANCELLED) throw error
    throw new Unavailable('The search took too long. Please use more letters.')
  }
}

/** SQLSTATE of a statement that took longer than it may. */
const CANCELLED = '57014'

async function hitsOf(read: ReadLimited, actor: Actor, kind: SearchKind, text: string): Promise<Hit[]> {
  const { organizationId, orgUserId } = actor
  const match = matchText(text)
  switch (kind) {
    case 'member':
      return (await read(memberHits(match, organizationId))).map((hit) => ({ of: kind, ...hit }))
    case 'resource':
      return (await read(resourceHits(match, organizationId))).map((hit) => ({ of: kind, ...hit }))
    case 'booking':
      return (await read(bookingHits(match, organizationId))).map((hit) => ({ of: kind, ...hit }))
    case 'invoice': {
      const readable = is(actor, admins) ? ({ all: true } as const) : { of: orgUserId }
      return (await read(invoiceHits(match, organizationId, readable))).map((hit) => ({ of: kind, ...hit }))
    }
    case 'course':
      return (await read(courseHits(match, organizationId))).map((hit) => ({ of: kind, ...hit }))
  }
}
