import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { search, searchKinds } from '../../../shared/insight/search/search.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, oneLine, queryWords } from '../../http/schemas.ts'
import { hitView, SearchHit } from './hit.view.ts'

/** The number of characters after which the search text is cut. */
const MOST_CHARACTERS = 100

const SearchQuery = z.object({
  q: oneLine(2_000)
    .trim()
    .min(2)
    .transform((text) => [...text].slice(0, MOST_CHARACTERS).join('').trim())
    .meta({ override: { type: 'string', minLength: 2 } })
    .describe('Text after 100 characters is ignored'),
  kind: queryWords(searchKinds).optional().describe('Only these kinds'),
})

/** The endpoint that searches records that the caller may read. */
export const searchRoutes: Routes = (on) => {
  on.get('/search', {
    id: 'search',
    computed: true,
    access: 'member',
    tag: 'Search',
    summary: 'Find members, resources, bookings, invoices and courses',
    description:
      'Returns what the caller may list, best match first, at most 20 of each kind. From three characters on, typos ' +
      'are tolerated; two characters match the start of a word. Searched are:\n\n' +
      '- the names of members and courses,\n' +
      '- name, tail number, make and model of resources,\n' +
      '- title, people and resource of bookings that are not cancelled,\n' +
      '- number and payer of invoices.\n\n' +
      'Admins find all invoices, others their own. Courses are for admins and members with the training grant ' +
      '`configureTraining` or `auditor`. Notes, memos, reasons and contacts are not searched.',
    query: SearchQuery,
    answers: { 200: envelope(z.array(SearchHit)) },
    errors: [insightErrors.searchTooLong],
    rateLimit: { account: 'search' },
    read: async ({ services, actor, query: { q, kind: kinds } }) =>
      ok((await search(services.database, actor, { text: q, kinds })).map(hitView)),
  })
}
