import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { Invalid } from '../../shared/platform/kernel/errors.ts'
import { boundLists } from './bounded-lists.ts'
import { httpErrors } from './http.errors.ts'
import { type FieldProblem, problemsOf, sentenceFor } from './wording.ts'

/** The most problems in the message of the error. */
const SHOWN = 5
/** The most problems in `details`. Ten thousand wrong items usually have one cause. */
const LISTED = 50

/** The names of the parts of a request, for problems without a field. */
const places: Record<string, string> = { body: 'body', querystring: 'query', params: 'path' }

/**
 * Validates a request against the schema of its endpoint. Handlers get the parsed value without unknown keys. The error
 * is a 400. Each problem starts with the dot path of its field, and `details.problems` lists up to fifty problems.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  boundLists(schema)
  const inQuery = httpPart === 'querystring'
  return (data: unknown) => {
    let worded = 0
    const error: z.core.$ZodErrorMap = (issue) => {
      // Further problems are not shown. Writing ten thousand sentences would take longer than the parsing.
      if (worded++ >= LISTED) return ''
      return inQuery && Array.isArray(issue.input) ? fieldErrors.onlyOnce() : sentenceFor(issue)
    }
    const parsed = httpPart === 'body' ? parsedBody(schema, data, error) : schema.safeParse(data, { error })
    if (parsed.success) return { value: parsed.data }
    const problems = problemsOf(parsed.error.issues.slice(0, LISTED), places[httpPart] ?? httpPart)
    return { error: unfitFor(problems) }
  }
}

type Parsed = { success: true; data: unknown } | { success: false; error: { issues: z.core.$ZodIssue[] } }

/**
 * Parses a body. An absent body counts as an empty object when no field is required; otherwise the required fields are
 * problems too.
 */
function parsedBody(schema: z.ZodType, data: unknown, error?: z.core.$ZodErrorMap): Parsed {
  const params = error && { error }
  const parsed = schema.safeParse(data ?? undefined, params)
  if (parsed.success || (data !== undefined && data !== null)) return parsed
  const empty = schema.safeParse({}, params)
  if (empty.success) return empty
  return { success: false, error: { issues: [...parsed.error.issues, ...empty.error.issues.filter(isOfField)] } }
}

/** Returns whether an issue is about one field, and not a rule that several fields fail together. */
function isOfField({ path, code }: z.core.$ZodIssue): boolean {
  return path.length > 0 && code !== 'custom'
}

/** Returns whether a request may have no body. */
export function mayLackBody(schema: z.ZodType): boolean {
  return parsedBody(schema, undefined).success
}

/**
 * Returns the validation error inside the framework's error, with further problems of fields that have none yet.
 * @throws Error when the schema itself failed, which is a defect of the service.
 */
export function unfit(error: Error | undefined, further: readonly FieldProblem[] = []): Invalid {
  if (error && !(error instanceof Invalid)) throw error
  if (error && further.length === 0) return httpErrors.unfit({ problems: error.message }, error.details)
  const found = (error?.details as { problems?: FieldProblem[] } | undefined)?.problems ?? []
  const named = new Set(found.map(({ field }) => field))
  return unfitFor([...found, ...further.filter(({ field }) => !named.has(field))])
}

function unfitFor(problems: readonly FieldProblem[]): Invalid {
  const shown = problems.slice(0, SHOWN).map(({ message }) => message)
  return httpErrors.unfit({ problems: shown.join('; ') }, { problems })
}
