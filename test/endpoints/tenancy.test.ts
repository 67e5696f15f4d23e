import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matrix } from '../contract/authorization-matrix.ts'
import { nameOf } from '../contract/matrix/rights.ts'
import { changedBetween, stateOf } from '../contract/support/database-state.ts'
import { leavesOf, withValue } from '../contract/support/leaves.ts'
import { buildRecords, type Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import { inOrder, methodOf, placesOf, send } from '../contract/support/walk.ts'
import type { TestApp } from '../support/app.ts'

let api: TestApp
let ours: Records
let theirs: Records
/** What each address answered while no other organization had a record. */
let alone: Map<string, unknown>
beforeAll(async () => {
  ;({ api, records: ours } = await startOnRecords())
  // What the service writes when it is read: who read a document, and a certificate that is issued.
  await readAll()
  alone = await readAll()
  theirs = await buildRecords(api)
})
afterAll(() => api.close())

const rows = inOrder(matrix.filter(({ who, spends }) => who !== 'anyone' && !spends))
/** What answers of one organization: an account's own endpoints answer of all of theirs, and all share an airport's weather. */
const reading = rows.filter(
  (row) => methodOf(row) === 'GET' && typeof row.who !== 'string' && row.endpoint !== 'GET /weather/{station}',
)

describe('the records of another organization', () => {
  test('change no answer: every list, report and record is as it was before they came', async () => {
    const together = await readAll()
    const changed = [...alone].filter(([name, answer]) => !isDeepStrictEqual(answer, together.get(name)))
    expect(changed.map(([name]) => name)).toEqual([])
  })

  test('are answered as a missing id is, in every place of every path, and nothing is written', async () => {
    const before = await stateOf(api.core.database.pool)
    const surprises: string[] = []
    for (const row of rows) {
      for (const place of placesOf(row)) {
        const name = row.at?.[place]
        const theirId = typeof name === 'string' ? theirs[name] : undefined
        const { token } = ours.everything
        const foreign = await send(api, row, ours, token, { at: only(place, theirId) })
        const missing = await send(api, row, ours, token, { at: only(place, ours.missing) })
        const expected = row.foreign ?? 404
        if (foreign.statusCode !== expected) {
          surprises.push(`${nameOf(row)}: ${foreign.statusCode}, not ${expected}: ${foreign.body.slice(0, 120)}`)
        } else if (missing.statusCode !== 404 || (expected === 404 && foreign.body !== missing.body)) {
          surprises.push(`${nameOf(row)}: told apart: ${foreign.body.slice(0, 120)} / ${missing.body.slice(0, 120)}`)
        }
      }
    }
    expect(surprises).toEqual([])
    expect(changedBetween(before, await stateOf(api.core.database.pool))).toEqual([])
  })

  test('are refused in every body, naming the field, and nothing is written', async () => {
    const before = await stateOf(api.core.database.pool)
    const surprises: string[] = []
    for (const row of rows) {
      const body = row.body?.(ours)
      const foreignBody = row.body?.(theirs)
      for (const { path, value } of leavesOf(foreignBody)) {
        const own = leavesOf(body).find((leaf) => leaf.path.join('.') === path.join('.'))
        if (typeof value !== 'number' || own?.value === value) continue
        const response = await send(api, row, ours, ours.everything.token, { body: withValue(body, path, value) })
        const expected = row.foreignInBody ?? 400
        if (response.statusCode === expected && tellsOf(response.json(), expected, String(path[0]))) continue
        surprises.push(`${nameOf(row)} ${path.join('.')}: ${response.statusCode} ${response.body.slice(0, 160)}`)
      }
    }
    expect(surprises).toEqual([])
    expect(changedBetween(before, await stateOf(api.core.database.pool))).toEqual([])
  })
})

/** Reads every address as a member with all roles. */
async function readAll(): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>()
  for (const row of reading) {
    const { statusCode, body } = await send(api, row, ours, ours.everything.token)
    answers.set(nameOf(row), body.startsWith('{') ? [statusCode, JSON.parse(body)] : statusCode)
  }
  return answers
}

/** Whether the refusal names the field; a check answers 200 with a refusal. */
function tellsOf(answer: { message?: string; data?: { ok: boolean } }, status: number, field: string): boolean {
  if (status === 200) return answer.data?.ok === false
  return status === 404 || answer.message?.startsWith(field) === true
}

/** Only the parameter at this place is another. */
function only(place: number, id: number | undefined): (number | undefined)[] {
  return Array.from({ length: place + 1 }, (_, index) => (index === place ? id : undefined))
}
