import type { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import type { Sentence } from '../../shared/platform/kernel/errors.ts'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]
type Issue = z.core.$ZodIssue

/** One problem of the input. `message` is a sentence that starts with the field's dot path. */
export interface FieldProblem {
  field: string
  message: string
}

/**
 * Returns the message of a schema's issue without the field, such as `must be at least 1`. A message in the schema
 * takes precedence. The default messages of zod are never used.
 */
export function sentenceFor(issue: RawIssue): Sentence {
  if (issue.input === undefined) return fieldErrors.required()
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
      return issue.format === 'email' ? fieldErrors.email() : fieldErrors.unfit()
    default:
      return fieldErrors.unfit()
  }
}

const kinds: Record<string, () => Sentence> = {
  string: fieldErrors.text,
  number: fieldErrors.number,
  int: fieldErrors.wholeNumber,
  boolean: fieldErrors.trueOrFalse,
  array: fieldErrors.list,
  object: fieldErrors.object,
  record: fieldErrors.object,
}

function typeSentence({ expected, inst }: RawIssue & { code: 'invalid_type' }): Sentence {
  const { format } = (inst?._zod.def ?? {}) as { format?: string }
  const say = kinds[format === 'safeint' ? 'int' : expected] ?? fieldErrors.unfit
  return say()
}

/** The most choices that a message lists. The document lists all of them. */
const MOST_NAMED = 60

function choiceSentence(values: readonly unknown[]): Sentence {
  if (values.join() === 'true,false') return fieldErrors.trueOrFalse()
  if (values.length === 1 && values[0] === true) return fieldErrors.onlyTrue()
  return fieldErrors.oneOf({ choices: choicesNamed(values) })
}

/** Returns the choices as a message lists them. */
export function choicesNamed(values: readonly unknown[]): string {
  const [named, others] = [values.slice(0, MOST_NAMED).join(', '), values.length - MOST_NAMED]
  return others > 0 ? `${named} and ${others} more` : named
}

function leastSentence({ origin, minimum, inclusive }: RawIssue & { code: 'too_small' }): Sentence {
  const least = String(minimum)
  if (origin === 'string')
    return minimum === 1 ? fieldErrors.required() : fieldErrors.atLeastCharacters({ minimum: least })
  if (origin === 'array') {
    return fieldErrors.atLeastEntries({ entries: minimum === 1 ? 'one entry' : `${minimum} entries` })
  }
  return inclusive === false ? fieldErrors.moreThan({ minimum: least }) : fieldErrors.atLeast({ minimum: least })
}

function mostSentence({ origin, maximum, inclusive }: RawIssue & { code: 'too_big' }): Sentence {
  const most = String(maximum)
  if (origin === 'string') return fieldErrors.atMostCharacters({ limit: most })
  if (origin === 'array') return fieldErrors.atMostEntries({ limit: most })
  return inclusive === false ? fieldErrors.lessThan({ limit: most }) : fieldErrors.atMost({ limit: most })
}

/** Returns the problems without duplicates. `place` names the whole input, for problems without a field. */
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

/** Returns the issue itself; for a union, the issues of the branch that is nearest to the input. */
function flattened(issue: Issue): Found[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return [{ path: issue.path, message: issue.message, issue }]
  }
  const branches = issue.errors.map((branch) => branch.flatMap(flattened))
  const required = fieldErrors.required()
  const missing = (branch: Found[]) => branch.filter(({ message }) => message === required)
  if (branches.every((branch) => missing(branch).length === branch.length)) {
    const choices = branches.map((branch) => branch.map(({ path }) => path.join('.')).join(' and '))
    return [{ path: issue.path, message: fieldErrors.needs({ choices: choices.join(' or ') }), issue }]
  }
  const [nearest = []] = branches.sort((a, b) => missing(a).length - missing(b).length || b.length - a.length)
  return nearest.map((found) => ({ ...found, path: [...issue.path, ...found.path] }))
}

/** Returns whether an issue is the range of all integers. It is redundant beside the field's own bound. */
function isAnyInteger(issue: Issue): boolean {
  if (issue.code === 'too_big') return issue.maximum === Number.MAX_SAFE_INTEGER
  return issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER
}

function samePath(a: Found, b: Found): boolean {
  return a.path.join('.') === b.path.join('.')
}
