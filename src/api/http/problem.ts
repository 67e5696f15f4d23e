import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** The body of an error in the envelope. */
export interface ErrorBody {
  message: string
  code?: string | undefined
  details?: unknown
}

export const problemType = 'application/problem+json'

type Asking = Pick<FastifyRequest, 'headers'>

/** Returns whether a request accepts errors as problem details. */
export function wantsProblem(request: Asking): boolean {
  return weightOf(request, problemType) > 0
}

/** Returns whether a request prefers a page to JSON, as requests of browsers do. */
export function prefersPage(request: Asking): boolean {
  const page = weightOf(request, 'text/html')
  return page > 0 && page >= weightOf(request, 'application/json') && page >= weightOf(request, problemType)
}

/** Returns the weight, from 0 to 1, that `Accept` gives a content type by its name; 0 when it does not name it. */
function weightOf({ headers: { accept = '' } }: Asking, wanted: string): number {
  const weights = accept.split(',').map((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const [, weight = '1'] = parameters.map((parameter) => /^q=([\d.]+)$/.exec(parameter)).find(Boolean) ?? []
    return type === wanted ? Number(weight) || 0 : 0
  })
  return Math.max(...weights)
}

/**
 * Returns an error as problem details: `detail` is the message; `code` and `details` are additional fields. The `type`
 * of an error with a code is the address in the reference where the code is explained.
 * Implements RFC 9457.
 */
export function problemOf(status: number, { message, code, details }: ErrorBody) {
  return {
    type: code === undefined ? 'about:blank' : `/docs/errors#${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    code,
    details,
  }
}
