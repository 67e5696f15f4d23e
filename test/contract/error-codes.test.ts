import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DocumentedErrors, documentedCodes, errorCatalogue, errorsPage } from '../../src/api/http/errors-page.ts'
import { conflict, forbidden, invalid } from '../../src/shared/platform/kernel/error-catalogue.ts'
import { errorCodes, errorCodesBySubject } from '../../src/shared/platform/kernel/error-codes.ts'
import { problemOnlyCodes } from '../../src/shared/platform/kernel/problem-codes.ts'

const root = join(import.meta.dirname, '../..')
const document: DocumentedErrors = JSON.parse(readFileSync(join(root, 'interface/openapi.json'), 'utf8'))

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

  test('holds each code with the statuses of the errors and problems that carry it', () => {
    const carried = Object.values(errorCatalogue)
      .flatMap((entries) => Object.values(entries))
      .filter(({ code }) => code !== undefined && code in errorCodes)
      .map(({ code, status }) => `${code} ${status ?? 400}`)
    expect([...new Set(carried)].sort()).toEqual(catalogue)
  })

  test('agrees with the OpenAPI document about the status of each code, and every code is documented', () => {
    const documented = documentedCodes(document).map(({ code, status }) => `${code} ${status}`)
    expect([...new Set(documented)].sort()).toEqual(catalogue)
  })

  test('is named by the errors of an endpoint through an entry with a message, never in words', () => {
    const routes = readTree('src/api', /[.]ts$/)
    const worded = [...routes.matchAll(/[`'(]`[A-Z]+(?:_[A-Z]+)+`: |\b[45]\d\d: ['[][^\n]*`[A-Z]+(?:_[A-Z]+)+`/g)]
    expect(worded.map(([text]) => text)).toEqual([])
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

test('an entry takes no code but one of its status: anything else does not compile', () => {
  // @ts-expect-error: the catalogue has no such code.
  expect(conflict('No.', 'NO_SUCH_CODE')).toMatchObject({ status: 409 })
  // @ts-expect-error: a clash is a 400.
  expect(conflict('No.', 'RESOURCE_CLASH')).toMatchObject({ status: 409 })
  // @ts-expect-error: the last owner is a 400 or a 409.
  expect(forbidden('No.', 'LAST_OWNER')).toMatchObject({ status: 403 })
  expect(invalid('No.', 'LAST_OWNER')).toMatchObject({ status: 400, code: 'LAST_OWNER' })
})

/** The text of every file below a folder whose path matches. */
function readTree(folder: string, wanted: RegExp, except = ''): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => wanted.test(path) && !(except && path.endsWith(except)))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n')
}
