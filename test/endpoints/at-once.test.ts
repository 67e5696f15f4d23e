import { afterAll, beforeAll, expect, test } from 'vitest'
import { matrix } from '../contract/authorization-matrix.ts'
import { nameOf } from '../contract/matrix/rights.ts'
import type { Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import { inOrder, methodOf, placesOf, send, tokenFor } from '../contract/support/walk.ts'
import type { Method, TestApp } from '../support/app.ts'

let api: TestApp
let records: Records
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
})
afterAll(() => api.close())

const AT_ONCE = 8

/** Writes that name records only, by callers who get in; of the export no job has made the archive. */
const rows = inOrder(matrix).filter(
  (row) =>
    !nameOf(row).startsWith('POST /exports/{id}/download') &&
    methodOf(row) !== 'GET' &&
    !row.spends &&
    !row.stranger &&
    placesOf(row).length === (row.at?.length ?? 0),
)

test('one write sent eight times at once is done, or refused by a rule: no record seems to be gone, nothing fails', async () => {
  const surprises: string[] = []
  for (const row of rows) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => send(api, row, records, tokenFor(row, records))),
    )
    const strange = answers.find(({ statusCode }) => !expected[methodOf(row)](statusCode))
    if (strange) surprises.push(`${nameOf(row)}: ${strange.statusCode} ${strange.body}`)
  }
  expect(surprises).toEqual([])
}, 120_000)

const expected: Record<Method, (status: number) => boolean> = {
  GET: (status) => status === 200,
  PATCH: (status) => status === 200,
  PUT: (status) => status === 200,
  POST: (status) => status < 500 && status !== 404,
  // The others may well come too late.
  DELETE: (status) => status < 500,
}
