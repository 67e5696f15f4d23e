import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { search, searchKinds } from '../../../shared/insight/search/search.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, oneLine, queryWords } from '../../http/schemas.ts'
import { hitView, SearchHit } from './hit.view.ts'

/** The text is cut to this number of characters. */
const MOST_CHARACTERS = 100

const SearchQuery = z.object({
  q: oneLine(2_000)
    .trim()
    .min(2)
    .transform((text) => [...text].slice(0, MOST_CHARACTERS).join('').trim())
    .meta({ override: { type: 'string', minLength: 2 }, examples: ['ana'] })
    .describe('Cut at 100 characters'),
  kinds: queryWords(searchKinds).optional().describe('Only these kinds, separated by commas'),
})

/** The endpoint of the search in what the caller may read. */
export const searchRoutes: Routes = (on) => {
  on.get('/search', {
    id: 'search',
    access: 'member',
    tag: 'Search',
    summary: 'Find members, resources, bookings, invoices and courses',
    description:
      'What the caller may list, best first, at most 20 of each kind; typos are forgiven from three characters on, and ' +
      'two characters match the start. Looked at: names of members and courses; name, tail number, make and model of ' +
      'resources; of bookings, which are not cancelled, the title and the names of people and resource; of invoices the ' +
      'number and the payer’s name. Admins find everybody’s invoices, others their own; courses are for admins and the ' +
      'training grants `configureTraining` and `auditor`. Notes, memos, reasons and contacts are not searched.',
    query: SearchQuery,
    answers: { 200: envelope(z.array(SearchHit)) },
    errors: [insightErrors.searchTooLong],
    rateLimit: { account: 'search' },
    read: async ({ services, actor, query: { q, kinds } }) =>
      ok((await search(services.database, actor, { text: q, kinds })).map(hitView)),
  })
}
