import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../src/api/http/errors-page.ts'
import { byStatus, errorAnswer, type Reason } from '../../src/api/http/openapi-errors.ts'
import {
  type CatalogueEntry,
  conflict,
  defineErrors,
  invalid,
  problem,
  sentence,
  tooMany,
} from '../../src/shared/platform/kernel/error-catalogue.ts'
import { AppError, Invalid, TooManyRequests } from '../../src/shared/platform/kernel/errors.ts'

const source = join(import.meta.dirname, '../../src')
const entries = Object.entries(errorCatalogue).flatMap(([context, errors]) =>
  Object.entries(errors).map(([name, entry]) => ({ context, name, entry })),
)

describe('an entry of the catalogue of errors', () => {
  test('says what no other entry with its status and code says', () => {
    const said = entries.map(({ entry: { status, code, message } }) => `${status} ${code} ${message}`)
    expect(said.filter((one, index) => said.indexOf(one) !== index)).toEqual(composed)
  })

  test('has no markup: pages and mails show it as text, in any language', () => {
    expect(entries.filter(({ entry }) => /[<>]|&\w+;|\]\(/.test(entry.message)).map(({ name }) => name)).toEqual([])
  })

  test('is raised somewhere in the source, by its id', () => {
    const raised = idsIn(readTree())
    expect(entries.map(({ entry: { id } }) => id).filter((id) => !raised.has(id))).toEqual([])
  })

  test.each(entries)('of $context renders $name with its parameters', ({ entry }) => {
    const given = parametersOf(entry.message)
    const made = (entry as unknown as (values: object) => unknown)({ ...given, retryAfterSeconds: 30 })
    const words = wordsOf(made)
    for (const value of Object.values(given)) expect(words).toContain(String(value))
    expect(words).not.toMatch(/[{}]/)
    if (made instanceof AppError) expect(made).toMatchObject({ status: entry.status, code: entry.code })
    else expect(entry.status).toBeNull()
  })
})

test('a schema says what is wrong with a field in words of the catalogue', () => {
  const ownWords = /(?:addIssue\(|[{,] path: [^\n]* message: |(?:refine|regex|max|min)\([^\n]*, )['`][a-z]/
  const worded = sourceFiles().filter(([path, text]) => path.startsWith('api') && ownWords.test(text))
  expect(worded.map(([path]) => path)).toEqual([])
})

test('a function that throws an error of the catalogue says so in its comment, with @throws, when a caller catches it', () => {
  const caught = caughtIn(sourceFiles().map(([, text]) => text))
  expect(caught.size).toBeGreaterThan(100)
  const unnamed = sourceFiles().flatMap(([path, text]) =>
    undocumentedThrowers(text)
      .filter((name) => caught.has(name))
      .map((name) => `${path} ${name}`),
  )
  expect(unnamed).toEqual([])
})

describe('a throw site', () => {
  const errors = defineErrors('sample', {
    late: invalid('{name} is {days} {days|day|days} late'),
    clash: problem('{name} is booked', 'PERSON_CLASH'),
    reason: sentence('nothing on record'),
    limit: tooMany('At most {limit} a day.'),
  })

  test('names an error and gives its parameters and details', () => {
    const error = errors.late({ name: 'Ana', days: 1 }, { reservationId: 7 })
    expect(error).toBeInstanceOf(Invalid)
    expect(error).toMatchObject({ message: 'Ana is 1 day late', status: 400, details: { reservationId: 7 } })
    expect(errors.late({ name: 'Ana', days: 2 }).message).toBe('Ana is 2 days late')
    expect(errors.late.id).toBe('sample.late')
  })

  test('gets a problem with its code, the words of a sentence, and a limit with its pause', () => {
    expect(errors.clash({ name: 'Ana' })).toEqual({ code: 'PERSON_CLASH', message: 'Ana is booked' })
    expect(errors.reason()).toBe('nothing on record')
    expect(errors.limit({ limit: 3, retryAfterSeconds: 60 })).toEqual(
      expect.objectContaining({ message: 'At most 3 a day.', retryAfterSeconds: 60 }),
    )
    expect(errors.limit({ limit: 3, retryAfterSeconds: 60 })).toBeInstanceOf(TooManyRequests)
  })

  test('keeps braces in a parameter as they are', () => {
    expect(errors.clash({ name: '{name} $&' }).message).toBe('{name} $& is booked')
  })

  test('compiles with the parameters of the message alone, and an error with words of the catalogue alone', () => {
    // @ts-expect-error: the message has a parameter.
    expect(errors.clash().code).toBe('PERSON_CLASH')
    // @ts-expect-error: the message has no such parameter.
    expect(errors.clash({ name: 'Ana', age: 3 }).message).toBe('Ana is booked')
    // @ts-expect-error: these words are in no catalogue.
    expect(new Invalid('No.')).toBeInstanceOf(AppError)
  })
})

describe('the errors of an endpoint in the OpenAPI document', () => {
  const { gone, late, clash } = defineErrors('sample', {
    clash: problem('{name} is booked', 'PERSON_CLASH'),
    gone: conflict('{resource} was given to somebody else.', 'NOT_PENDING'),
    late: conflict('The booking is {hours} {hours|hour|hours} late.'),
  })

  test('are a list of code, message and remark of their entries', () => {
    expect(errorAnswer([[gone, 'read it again'], late])).toEqual({
      description:
        '- `NOT_PENDING`: *resource* was given to somebody else (read it again)\n- The booking is *hours* hours late',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/ApiError' } },
      },
    })
  })

  test('are codes alone when another operation has their messages', () => {
    const elsewhere = [clash, late].map((entry) => ({ entry, listedAt: 'POST /reservations' }))
    expect(errorAnswer([gone, ...elsewhere]).description).toBe(
      '- `NOT_PENDING`: *resource* was given to somebody else\n- The problems of a booking, as of `POST /reservations`: `PERSON_CLASH`',
    )
  })

  test('stand under the status of their entry, and a problem of a list under 400', () => {
    expect([...byStatus([gone, clash])]).toEqual([
      [409, [gone]],
      [400, [clash]],
    ])
  })

  test('are entries of the catalogue: words do not compile', () => {
    // @ts-expect-error: words are in no catalogue.
    const words: Reason = 'The booking is gone'
    const entry: Reason = gone
    expect(entry).not.toBe(words)
  })

  test('name every entry that an endpoint can answer', () => {
    const kept: { paths: unknown; components: { responses: unknown } } = JSON.parse(
      readFileSync(join(source, '../interface/openapi.json'), 'utf8'),
    )
    const documented = JSON.stringify([kept.paths, kept.components.responses])
    const untold = entries
      .map(({ entry }) => entry as CatalogueEntry)
      .filter(({ status, code }) => status !== null || code !== undefined)
      .filter((entry) => !documented.includes(JSON.stringify(errorAnswer([entry as Reason]).description).slice(1, -1)))
      .map(({ id }) => id)
    // `http` has what is answered before an endpoint is found or its body is read, too: docs/errors.md lists it.
    expect(untold.filter((id) => !id.startsWith('http.'))).toEqual([])
  })
})

/** What consists of other messages. */
const composed: string[] = []

/** A value for each parameter of a message. */
function parametersOf(message: string): Record<string, string | number> {
  const counted = [...message.matchAll(/\{(\w+)\|/g)].map((match) => match[1] ?? '')
  const names = [...message.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  return Object.fromEntries(names.map((name) => [name, counted.includes(name) ? 3 : `<${name}>`]))
}

function wordsOf(made: unknown): string {
  return typeof made === 'string' ? made : (made as { message: string }).message
}

/** The source without the catalogues themselves: path and text of each file. */
function sourceFiles(): [path: string, text: string][] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.errors.ts'))
    .map((path) => [path, readFileSync(join(source, path), 'utf8')])
}

function readTree(): string {
  return sourceFiles()
    .map(([, text]) => text)
    .join('\n')
    .replace(declarations, '')
}

/** The names of the functions that are called in a block whose errors are caught. */
function caughtIn(texts: string[]): Set<string> {
  const blocks = texts.flatMap((text) =>
    [...text.matchAll(/^( *)(?:.* )?try \{\n((?:(?!^\1\}).*\n)*)\1\} catch\b/gm)].map(([block]) => block),
  )
  return new Set(
    blocks.flatMap((block) => [...block.matchAll(/\b(\w+)(?:<[^>()]*>)?\(/g)].map(([, name = '']) => name)),
  )
}

/**
 * The exported functions that throw an entry, themselves or through a function of their file, and do not say so. What
 * mounts routes throws nothing itself: its handlers do.
 */
function undocumentedThrowers(text: string): string[] {
  const functions = [...text.matchAll(topLevelFunction)].map(([body, comment = '', exported, name = '']) => {
    return { comment, exported: Boolean(exported) && !/^(?:install|mount)/.test(name), name, body }
  })
  const throwing = new Set<string>()
  const throws = ({ body }: { body: string }) =>
    /throw (?:\w+Errors\.|invalidFields)/.test(body) || [...throwing].some((name) => body.includes(` ${name}(`))
  for (let known = -1; known < throwing.size; ) {
    known = throwing.size
    for (const one of functions) if (throws(one)) throwing.add(one.name)
  }
  return functions
    .filter(({ exported, name, comment }) => exported && throwing.has(name) && !comment.includes('@throws'))
    .map(({ name }) => name)
}

const topLevelFunction =
  /(?:^(\/\*\*(?:(?!\*\/).)*\*\/)\n)?^(export )?(?:async )?function\*? (\w+)(?:(?!^\}$).)*^\}$/gms

/** The lists that endpoints declare: they document and raise nothing. */
const declarations = /^( *)errors: \[(?:.*\],?$|\n(?:(?!^\1\]).*\n)*\1\],?$)/gm

/** The ids that a text names: `billingErrors.invoicePaid`, or taken out of the catalogue by name. */
function idsIn(text: string): Set<string> {
  const named = [...text.matchAll(/\b(\w+)Errors\s*\.(\w+)/g)].map(([, context, name]) => `${context}.${name}`)
  const taken = [...text.matchAll(/const \{([^}]*)\} = (\w+)Errors/g)].flatMap(([, names = '', context]) =>
    names.split(',').map((name) => `${context}.${name.split(':')[0]?.trim()}`),
  )
  return new Set([...named, ...taken, 'platform.problems'])
}
