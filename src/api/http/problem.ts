import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** The body of an error in the envelope. */
export interface ErrorBody {
  message: string
  code?: string | undefined
  details?: unknown
}

/** A media range of an `Accept` header, with its weight from 0 to 1. */
export interface AcceptedRange {
  type: string
  weight: number
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

/** The most ranges of a header that are read. */
const MOST_RANGES = 50

/** Returns the media ranges of an `Accept` header. A weight that is no number from 0 to 1 counts as 1. RFC 9110 §12.5.1. */
export function acceptedRanges(accept = ''): AcceptedRange[] {
  return accept
    .split(',')
    .slice(0, MOST_RANGES)
    .flatMap((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = Number(parameters.find((piece) => piece.startsWith('q='))?.slice(2) || 1)
      return type.includes('/') ? [{ type, weight: weight >= 0 && weight <= 1 ? weight : 1 }] : []
    })
}

/** Returns the weight that `Accept` gives a content type by its name; 0 when it does not name it. */
function weightOf({ headers }: Asking, wanted: string): number {
  return Math.max(0, ...acceptedRanges(headers.accept).map(({ type, weight }) => (type === wanted ? weight : 0)))
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
