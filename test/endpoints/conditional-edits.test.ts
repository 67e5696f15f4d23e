import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matrix } from '../contract/authorization-matrix.ts'
import { nameOf, type Rights } from '../contract/matrix/rights.ts'
import { changedBetween, stateOf } from '../contract/support/database-state.ts'
import { type Operation, operationsOf, readDocument } from '../contract/support/document.ts'
import type { Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import { inOrder, methodOf, tokenFor, urlOf } from '../contract/support/walk.ts'
import type { TestApp } from '../support/app.ts'

let api: TestApp
let records: Records
let operations: Operation[]
let rows: Rights[]
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
  operations = operationsOf(await readDocument(api))
  const conditional = operations.filter((operation) => takes(operation, 'If-Match')).map(({ name }) => name)
  rows = inOrder(matrix.filter(({ endpoint }) => conditional.includes(endpoint)))
})
afterAll(() => api.close())

const takes = ({ parameters = [] }: Operation, header: string) => parameters.some(({ name }) => name === header)

/** What is read on the same path and is no record that several people edit: what is one person's own, and lists of settings. */
const edited = [
  'PATCH /users',
  'PATCH /users/{userId}/roles',
  'PATCH /orgUsers/{id}/availability',
  'PATCH /orgUsers/{id}/profile',
  'PATCH /users/availability',
  'PATCH /organizations',
  'PATCH /rules/{key}',
  'PATCH /training/enrollments/{enrollmentId}',
  'PATCH /notifications',
  'PATCH /notifications/preferences',
]

describe('an edit of a record that is read on the same path', () => {
  test('takes If-Match', () => {
    const without = operations.filter((operation) => {
      const read = operations.find(({ method, path }) => method === 'GET' && path === operation.path)
      return operation.method === 'PATCH' && read && takes(read, 'If-None-Match') && !takes(operation, 'If-Match')
    })
    expect(without.map(({ name }) => name)).toEqual(edited)
  })

  test('is 412 when the record is another, and nothing is written', async () => {
    const before = await stateOf(api.core.database.pool)
    const wrong: string[] = []
    for (const row of rows) {
      const answer = await call(row, '"x"')
      if (answer.statusCode !== 412) wrong.push(`${nameOf(row)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
    expect(changedBetween(before, await stateOf(api.core.database.pool))).toEqual([])
  })

  test('is done when the record is as it was read', async () => {
    const wrong: string[] = []
    for (const row of rows) {
      const path = urlOf(row, records).replace(/(\/\d+)\/\w+$/, '$1')
      const read = await api.call('GET', path.split('?')[0] ?? '', { token: tokenFor(row, records) })
      const answer = await call(row, String(read.headers.etag))
      // A rule may refuse it.
      if (answer.statusCode === 412 || answer.statusCode >= 500)
        wrong.push(`${nameOf(row)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
  })
})

function call(row: Rights, tag: string) {
  const body = row.body?.(records)
  const headers = { 'if-match': tag }
  return api.call(methodOf(row), urlOf(row, records), { token: tokenFor(row, records), headers, body })
}
