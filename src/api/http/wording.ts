import type { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]
type Issue = z.core.$ZodIssue

/** One problem of the input. `message` is a sentence that starts with the field's dot path. */
export interface FieldProblem {
  field: string
  message: string
}

/** The message for a missing value and for an empty text or choice. */
export const IS_REQUIRED = 'is required'

/**
 * Returns the message of a schema's issue without the field: `must be at least 1`. A schema's own message takes
 * precedence; the validation library's default messages are never used.
 */
export function sentenceFor(issue: RawIssue): string {
  if (issue.input === undefined) return IS_REQUIRED
  switch (issue.code) {
    case 'invalid_type':
      return typeSentence(issue)
    case 'invalid_value':
      return choiceSentence(issue.values)
    case 'too_small':
      return leastSentence(issue)
    case 'too_big':
      return mostSentence(issue)
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an email address' : UNFIT
    default:
      return UNFIT
  }
}

/** The message for issues that no field of the interface has so far. */
const UNFIT = 'does not fit'

const kinds: Record<string, string> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
}

function typeSentence({ expected, inst }: RawIssue & { code: 'invalid_type' }): string {
  const { format } = (inst?._zod.def ?? {}) as { format?: string }
  return kinds[format === 'safeint' ? 'int' : expected] ?? UNFIT
}

function choiceSentence(values: readonly unknown[]): string {
  if (values.join() === 'true,false') return 'must be true or false'
  return values.length === 1 && values[0] === true ? 'must be true' : `must be one of ${values.join(', ')}`
}

function leastSentence({ origin, minimum, inclusive }: RawIssue & { code: 'too_small' }): string {
  if (origin === 'string') return minimum === 1 ? IS_REQUIRED : `must have at least ${minimum} characters`
  if (origin === 'array') return `must have at least ${minimum === 1 ? 'one entry' : `${minimum} entries`}`
  return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`
}

function mostSentence({ origin, maximum, inclusive }: RawIssue & { code: 'too_big' }): string {
  if (origin === 'string') return `must have at most ${maximum} characters`
  if (origin === 'array') return `must have at most ${maximum} entries`
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`
}

/** Returns the problems, each once; `place` names the whole input, for problems without a field. */
export function problemsOf(issues: readonly Issue[], place: string): FieldProblem[] {
  const found = issues.flatMap(flattened)
  const problems = found
    .filter((one) => !isAnyInteger(one.issue) || !found.some((other) => other !== one && samePath(one, other)))
    .map(({ path, message }) => {
      const field = path.join('.') || place
      return { field, message: `${field}: ${message}` }
    })
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()]
}

interface Found {
  path: PropertyKey[]
  message: string
  issue: Issue
}

/** Returns an issue, or the issues of the union branch that is nearest to the input. */
function flattened(issue: Issue): Found[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return [{ path: issue.path, message: issue.message, issue }]
  }
  const branches = issue.errors.map((branch) => branch.flatMap(flattened))
  const missing = (branch: Found[]) => branch.filter(({ message }) => message === IS_REQUIRED)
  if (branches.every((branch) => missing(branch).length === branch.length)) {
    const choices = branches.map((branch) => branch.map(({ path }) => path.join('.')).join(' and '))
    return [{ path: issue.path, message: `needs ${choices.join(' or ')}`, issue }]
  }
  const [nearest = []] = branches.sort((a, b) => missing(a).length - missing(b).length || b.length - a.length)
  return nearest.map((found) => ({ ...found, path: [...issue.path, ...found.path] }))
}

/** Returns whether the issue is the bound of all integers, which a field's own bound makes redundant. */
function isAnyInteger(issue: Issue): boolean {
  if (issue.code === 'too_big') return issue.maximum === Number.MAX_SAFE_INTEGER
  return issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER
}

function samePath(a: Found, b: Found): boolean {
  return a.path.join('.') === b.path.join('.')
}
