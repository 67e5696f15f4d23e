import type { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]
type Issue = z.core.$ZodIssue

/** One thing that is wrong with what came in. `message` is a sentence with the field's dot path first. */
export interface FieldProblem {
  field: string
  message: string
}

/** What is said of a value that is not there, and of a text or choice that is empty. */
export const IS_REQUIRED = 'is required'

/**
 * Says in the one wording of the interface what a schema refuses, without the field: `must be at least 1`. A schema's
 * own message goes before; nothing that the validation library would say by itself is left.
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

/** For what no field of the interface asks so far. */
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

/** What is wrong with which field, each said once; `place` is the name of the whole, for what is wrong with all of it. */
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

/** An issue, or those of the branch of a union that comes nearest to what was sent. */
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

/** Whether it is only the bound of all whole numbers, which a field's own bound makes superfluous. */
function isAnyInteger(issue: Issue): boolean {
  if (issue.code === 'too_big') return issue.maximum === Number.MAX_SAFE_INTEGER
  return issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER
}

function samePath(a: Found, b: Found): boolean {
  return a.path.join('.') === b.path.join('.')
}
