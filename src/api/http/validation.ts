import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { Invalid } from '../../shared/platform/kernel/errors.ts'
import { problemsOf, sentenceFor } from './wording.ts'

/** Beyond this many problems a message helps nobody. */
const SHOWN = 5
/** Beyond this many the list of them is only long: ten thousand wrong items are one mistake. */
const LISTED = 50

/** What the parts of a request are called where all of one is wrong. */
const places: Record<string, string> = { body: 'body', querystring: 'query', params: 'path' }

/**
 * Checks what came in against the endpoint's schema; handlers see the parsed value, unknown keys dropped.
 * The refusal is 400 with each problem's dot path first, and up to fifty of them in `details.problems`.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  const inQuery = httpPart === 'querystring'
  const error: z.core.$ZodErrorMap = (issue) =>
    inQuery && Array.isArray(issue.input) ? 'must be given once' : sentenceFor(issue)
  return (data: unknown) => {
    const parsed = schema.safeParse(httpPart === 'body' ? (data ?? undefined) : data, { error })
    if (parsed.success) return { value: parsed.data }
    const problems = problemsOf(parsed.error.issues.slice(0, LISTED), places[httpPart] ?? httpPart)
    const shown = problems.slice(0, SHOWN).map(({ message }) => message)
    return { error: new Invalid(shown.join('; '), undefined, { problems }) }
  }
}

/** The refusal that the framework holds as its own kind of error, as the validator made it. */
export function unfit(error: Error): Invalid {
  return new Invalid(error.message, undefined, (error as Invalid).details)
}
