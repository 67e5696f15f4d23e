import type { ScaleRequest } from './requests.ts'

/** An endpoint that returns a list, a report or search results, with queries for its filters. */
export interface AskedList {
  /** The path as `openapi.json` has it. */
  endpoint: string
  /** The path to request, with its required parameters. */
  path: string
  /** Queries: one per filter, and more for a filter whose values the database finds in different ways. */
  filters: readonly string[]
  /** The member who sends the request; the admin when absent. */
  as?: ScaleRequest['as']
  /** The name of an array in each answered row; its elements count as answered rows too. */
  nested?: string
  /** Rows that a request may read above the limit of `rows-read.ts`: no school has more of them per person, aircraft or fleet. */
  examines?: number
}

/** A request for a list. */
export type AskedRequest = ScaleRequest & Pick<AskedList, 'nested' | 'examines'>

/** Returns a list with its filters; `path` has the required parameters. */
export function list(endpoint: string, filters: readonly string[] = [], path = endpoint): AskedList {
  return { endpoint, path, filters }
}

/** Returns one request per list without a filter and one per filter. For a paged list it asks for 100 rows. */
export function requestsOf(lists: readonly AskedList[], isPaged: (endpoint: string) => boolean): AskedRequest[] {
  return lists.flatMap((asked) =>
    ['', ...asked.filters].map((filter) => {
      const query = [filter, isPaged(asked.endpoint) ? 'limit=100' : ''].filter((part) => part !== '')
      const path = query.reduce((all, part) => `${all}${all.includes('?') ? '&' : '?'}${part}`, asked.path)
      return { ...asked, name: `${asked.endpoint} ${filter}`, path, as: asked.as ?? 'admin', aimMs: null }
    }),
  )
}
