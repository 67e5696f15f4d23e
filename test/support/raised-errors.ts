import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import { expect, inject } from 'vitest'
import { errorCatalogue } from '../../src/api/http/errors-page.ts'
import { entryOf, generalErrors } from '../../src/api/http/openapi-errors.ts'
import type { Documented } from '../../src/api/http/openapi-operation.ts'

/*
 * Records which entries of the error catalogue a run makes, and which of them an endpoint answers without declaring
 * them. Each test process wraps each entry in a function that appends the entry's id, once, to the file of the run.
 * `judge-errors.ts` reads that file after the run.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** The file to which test processes append the ids of the errors that they make. */
    raisedErrors: string
  }
}

// Vitest runs this file before each test file, and several test files run in one process.
const noted = Symbol.for('flightline.raised-errors')
const shared = globalThis as { [noted]?: true }

/** The id of the entry by the error that it made, or by its message. */
const madeErrors = new WeakMap<object, string>()
const madeWords = new Map<string, string>()
const MOST_WORDS = 10_000
/** The test that renders every entry; its errors do not count. */
const RENDERS_ALL = 'error-catalogue.test.ts'

/** The entries that every endpoint can answer, and the one whose message consists of others' messages. */
const general = new Set([
  ...Object.values(generalErrors)
    .flat()
    .map((reason) => entryOf(reason).id),
  'platform.problems',
])

if (!shared[noted]) {
  shared[noted] = true
  const lines = new Set<string>()
  const note = (line: string) => {
    if (!lines.has(line)) appendFileSync(inject('raisedErrors'), `${line}\n`)
    lines.add(line)
  }
  for (const entries of Object.values(errorCatalogue)) Object.assign(entries, noting(entries, note))
  subscribe('tracing:fastify.request.handler:error', (message) => {
    const { error, request } = message as { error: object; request: FastifyRequest }
    const endpoint = request.routeOptions.config.endpoint as Documented | undefined
    const id = madeErrors.get(error) ?? madeWords.get((error as Error).message)
    if (!endpoint || !id || id.startsWith('http.') || general.has(id)) return
    if (!endpoint.errors?.some((reason) => entryOf(reason).id === id)) note(`undeclared ${endpoint.id} ${id}`)
  })
}

function remember(words: string, id: string): void {
  const [oldest] = madeWords.keys()
  if (oldest !== undefined && madeWords.size >= MOST_WORDS) madeWords.delete(oldest)
  madeWords.set(words, id)
}

function noting(entries: (typeof errorCatalogue)[string], note: (line: string) => void): object {
  const made = Object.entries(entries).map(([name, entry]) => {
    const apply = (make: (...given: unknown[]) => unknown, self: unknown, given: unknown[]) => {
      if (!expect.getState().testPath?.endsWith(RENDERS_ALL)) note(entry.id)
      const result = Reflect.apply(make, self, given)
      if (result instanceof Error) madeErrors.set(result, entry.id)
      else remember(wordsOf(result), entry.id)
      return result
    }
    return [name, new Proxy(entry as never, { apply })]
  })
  return Object.fromEntries(made)
}

function wordsOf(made: unknown): string {
  return typeof made === 'string' ? made : (made as { message: string }).message
}
