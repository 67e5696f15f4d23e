import { z } from 'zod'
import { type Hit, searchKinds } from '../../../shared/insight/search/search.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { Id } from '../../http/schemas.ts'

/** One hit of a search. */
export const SearchHit = z
  .object({
    kind: z.enum(searchKinds),
    id: Id.describe('The id of the record; for a member the orgUserId'),
    title: z.string(),
    subtitle: z.string().nullable(),
    score: z.number().describe('How well the record matches, from 0 to 1'),
  })
  .meta({ id: 'SearchHit' })

/** Returns a hit as JSON, with a title and a second line that distinguishes it from similar records. */
export function hitView(hit: Hit): z.input<typeof SearchHit> {
  return { kind: hit.of, id: hit.id, ...describe(hit), score: Math.round(hit.score * 100) / 100 }
}

function describe(hit: Hit): { title: string; subtitle: string | null } {
  switch (hit.of) {
    case 'member':
      return { title: hit.name, subtitle: joined(', ', hit.roles) }
    case 'resource':
      return { title: hit.name, subtitle: joined(' ', [hit.make, hit.model]) ?? hit.kind }
    case 'booking': {
      const day = localDate(hit.starts_at, hit.time_zone_name)
      return { title: hit.title, subtitle: joined(' · ', [day, hit.resource, joined(', ', hit.people)]) }
    }
    case 'invoice': {
      const title = hit.number === null ? 'Invoice' : `Invoice ${hit.number}`
      return { title, subtitle: `${hit.payer} · ${formatMoney(hit.total_cents, hit.currency)}` }
    }
    case 'course':
      return { title: hit.name, subtitle: hit.regulatory_part === 'part141' ? 'Part 141' : 'Part 61' }
  }
}

/** Returns the parts that are not null, joined by the separator; null when there are none. */
function joined(separator: string, parts: (string | null)[]): string | null {
  return parts.filter(Boolean).join(separator) || null
}
