/** What a handler answers; the route's schema of that status decides what of it leaves the process. */
export interface Answer {
  status: 200 | 201 | 202 | 204 | 302
  body?: unknown
  headers?: Record<string, string>
}

/** 200 with `{ data }` and what stands beside it. */
export function ok(data: unknown, beside?: Record<string, unknown>): Answer {
  return { status: 200, body: { data, ...beside } }
}

/** 201 with `{ data }` and what stands beside it. */
export function created(data: unknown, beside?: Record<string, unknown>): Answer {
  return { status: 201, body: { data, ...beside } }
}

/** 202 with `{ data }`: taken, and not done yet. */
export function accepted(data: unknown): Answer {
  return { status: 202, body: { data } }
}

/** 200 without a body. */
export function empty(): Answer {
  return { status: 200 }
}

/** 204: done, nothing to say. */
export function done(): Answer {
  return { status: 204 }
}

/** 302: the browser goes on elsewhere. */
export function redirect(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 302, headers: { location, 'cache-control': 'no-store', ...headers } }
}

/** The most rows that the total of a list counts. */
export const MOST_COUNTED = 10_000

/**
 * 200 with one page of a list. The total before the page was cut goes into `X-Total-Count`; beyond 10,000 it is 10000,
 * and `X-Total-Count-Exact` is false.
 */
export function page({ rows, total }: { rows: unknown[]; total: number }): Answer {
  const headers = { 'x-total-count': String(Math.min(total, MOST_COUNTED)) }
  const exact = total <= MOST_COUNTED
  return {
    status: 200,
    body: { data: rows },
    headers: exact ? headers : { ...headers, 'x-total-count-exact': 'false' },
  }
}
