import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DocumentedErrors, documentedCodes, errorsPage } from '../../src/api/http/errors-page.ts'
import { errorCodes, errorCodesBySubject, problemOnlyCodes } from '../../src/shared/platform/kernel/error-codes.ts'
import { Conflict, Forbidden, Invalid } from '../../src/shared/platform/kernel/errors.ts'

const root = join(import.meta.dirname, '../..')
const document: DocumentedErrors = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))

/** `ALREADY_EXISTS 409`, for every code and each of its statuses. */
const catalogue = Object.entries(errorCodes)
  .flatMap(([code, { status }]) => status.map((one) => `${code} ${one}`))
  .sort()

describe('the catalogue of error codes', () => {
  test('holds each code once', () => {
    const codes = Object.values(errorCodesBySubject).flatMap((subject) => Object.keys(subject))
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
    expect(codes.filter((code) => code in problemOnlyCodes)).toEqual([])
  })

  test('holds no code that no rule raises', () => {
    const raised = raisedIn(readTree('src', /^(?!.*(error-codes|openapi-|[.]schemas)).*[.]ts$/))
    expect([...Object.keys(errorCodes), ...Object.keys(problemOnlyCodes)].filter((code) => !raised.has(code))).toEqual(
      [],
    )
  })

  test('agrees with the OpenAPI document about the status of each code, and every code is documented', () => {
    const documented = documentedCodes(document).map(({ code, status }) => `${code} ${status}`)
    expect([...new Set(documented)].sort()).toEqual(catalogue)
  })

  test('has a test that expects each code', () => {
    const tests = readTree('test', /[.]test[.]ts$/, 'error-codes.test.ts')
    expect(Object.keys(errorCodes).filter((code) => !tests.includes(`'${code}'`))).toEqual([])
  })

  test('is what docs/errors.md says', () => {
    const kept = readFileSync(join(root, 'docs/errors.md'), 'utf8')
    expect(kept === errorsPage(document), 'docs/errors.md is not what the code says: run `npm run openapi`').toBe(true)
  })
})

test('an error takes no code but one of its status: anything else does not compile', () => {
  // @ts-expect-error: the catalogue has no such code.
  expect(new Conflict('No.', 'NO_SUCH_CODE')).toMatchObject({ status: 409 })
  // @ts-expect-error: a clash is a 400.
  expect(new Conflict('No.', 'RESOURCE_CLASH')).toMatchObject({ status: 409 })
  // @ts-expect-error: the last owner is a 400 or a 409.
  expect(new Forbidden('No.', 'LAST_OWNER')).toMatchObject({ status: 403 })
  expect(new Invalid('No.', 'LAST_OWNER')).toMatchObject({ status: 400, code: 'LAST_OWNER' })
})

/** The text of every file below a folder whose path matches. */
function readTree(folder: string, wanted: RegExp, except = ''): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => wanted.test(path) && !(except && path.endsWith(except)))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n')
}

/** The codes that stand where something is raised: in a constructed error, or as the `code` of a refusal. */
function raisedIn(source: string): Set<string> {
  const calls = [...source.matchAll(/\b(?:new (?:Conflict|Forbidden|Invalid|AppError)|conflict)\(/g)].map(
    ({ index, 0: { length } }) => argumentsAt(source, index + length),
  )
  const refusals = [...source.matchAll(/\bcode: ([^,}\n]*)/g)].map((match) => match[1] ?? '')
  const codes = [...calls, ...refusals].flatMap((text) => [...text.matchAll(/(?<![!=]== )'([A-Z][A-Z_]+)'/g)])
  return new Set(codes.map((match) => match[1] ?? ''))
}

/** The text up to the parenthesis that closes the call. */
function argumentsAt(source: string, start: number): string {
  let depth = 1
  let end = start
  while (depth > 0 && end < source.length) {
    if (source[end] === '(') depth++
    if (source[end] === ')') depth--
    end++
  }
  return source.slice(start, end)
}
