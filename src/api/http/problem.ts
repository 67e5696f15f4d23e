import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** The body of an error in the envelope. */
export interface ErrorBody {
  message: string
  code?: string | undefined
  details?: unknown
}

export const problemType = 'application/problem+json'

/** Returns whether a request accepts errors as problem details. */
export function wantsProblem({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { accept = '' } = headers
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === problemType && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
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
