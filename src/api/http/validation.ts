import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { Invalid } from '../../shared/kernel/errors.ts'

/** Beyond this many problems a message helps nobody. */
const SHOWN = 5
/** Beyond this many the list of them is only long: ten thousand wrong items are one mistake. */
const LISTED = 50

/**
 * Checks what came in against the endpoint's schema; handlers see the parsed value, unknown keys dropped.
 * The refusal is 400 with each problem's dot path first, and up to fifty of them in `details.problems`.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const parsed = schema.safeParse(httpPart === 'body' ? (data ?? undefined) : data)
    if (parsed.success) return { value: parsed.data }
    const problems = parsed.error.issues.slice(0, LISTED).map((issue) => ({
      field: issue.path.join('.') || (httpPart ?? 'body'),
      message: issue.message,
    }))
    const message = problems
      .slice(0, SHOWN)
      .map((problem) => `${problem.field}: ${problem.message}`)
      .join('; ')
    return { error: new Invalid(message, undefined, { problems }) }
  }
}

/** The refusal that the framework holds as its own kind of error, as the validator made it. */
export function unfit(error: Error): Invalid {
  return new Invalid(error.message, undefined, (error as Invalid).details)
}
