import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matrix } from '../contract/authorization-matrix.ts'
import { changedBetween, stateOf } from '../contract/support/database-state.ts'
import { type Operation, operationsOf, readDocument } from '../contract/support/document.ts'
import { faultsOf, faultsOfBody } from '../contract/support/envelope.ts'
import {
  bodyTries,
  controlTries,
  fieldTries,
  idTries,
  pathTries,
  queryTries,
  type Try,
} from '../contract/support/hostile-tries.ts'
import type { Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import type { Refusal } from '../contract/support/refused-by-schema.ts'
import { inOrder } from '../contract/support/walk.ts'
import { watchWrites } from '../contract/support/writes.ts'
import type { TestApp } from '../support/app.ts'
import { buildSchool } from '../support/builders.ts'

let api: TestApp
let records: Records
let operations: Operation[]
/** Whether the database was asked for more than reads since the last call. */
let written: () => boolean
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
  written = watchWrites(api.core.database.pool)
  await buildSchool(api)
  expect(written(), 'what is written is seen').toBe(true)
  operations = operationsOf(await readDocument(api))
})
afterAll(() => api.close())

const rows = inOrder(matrix.filter(({ spends }) => !spends))
/** Endpoints whose accepted values move what later ones are compared with: a value that was refused fits afterwards. */
const movesOn = ['POST /resources/{id}/meterChange']
/** Endpoints that take any text as it is sent, and refuse it later: the cells of an import are judged by its operation. */
const judgesLater = ['POST /imports']
const json = { 'content-type': 'application/json' }

describe('hostile input', { timeout: 120_000 }, () => {
  test('in any field of any body is refused in the envelope, and nothing is written', async () => {
    expect(await faultsOfAll(rows.filter(({ body }) => body).map((row) => fieldTries(row, records)))).toEqual([])
  })

  test('such as a control character or a mark of direction in any text of any body is 400', async () => {
    const judged = rows.filter(({ body, endpoint }) => body && !judgesLater.includes(endpoint))
    expect(await taken(judged.flatMap((row) => controlTries(row, records)))).toEqual([])
  })

  test('in place of any body is refused in the envelope, and nothing is written', async () => {
    expect(await faultsOfAll(rows.filter(({ body }) => body).map((row) => bodyTries(row, records)))).toEqual([])
  })

  test('in any place of any address is refused in the envelope, and nothing is written', async () => {
    expect(await faultsOfAll(rows.map((row) => pathTries(row, records)))).toEqual([])
  })

  test('in any query is refused in the envelope, or ignored', async () => {
    expect(await faultsOfAll(rows.map((row) => queryTries(row, records, operations)))).toEqual([])
  })
})

describe('a path id', () => {
  const withIds = rows.filter(({ who, at = [] }) => who !== 'anyone' && at.some((value) => typeof value === 'string'))

  test.each(['abc', '0', '-1', '1.5', '1e3', '-1e%2B21', '%201', '0x10'])('%s is 400', async (id) => {
    const surprises: string[] = []
    for (const one of withIds.flatMap((row) => idTries(row, records, id))) {
      const { statusCode } = one.refusal ?? (await call(one))
      if (statusCode !== 400) surprises.push(`${one.what}: ${statusCode}`)
    }
    expect(surprises).toEqual([])
  })
})

/** The tries that were not refused with 400. */
async function taken(tries: Try[]): Promise<string[]> {
  const answers = await callAll(tries)
  return tries.flatMap(({ what }, index) => {
    const { statusCode, body } = answers[index] as LightMyRequestResponse
    return statusCode === 400 ? [] : [`${what}: ${statusCode} ${body.slice(0, 100)}`]
  })
}

/**
 * Sends every row's tries. Refused writes leave no trace: the database was asked for nothing but reads meanwhile, or they are
 * sent once more and its tables compared.
 */
async function faultsOfAll(groups: Try[][]): Promise<string[]> {
  const faults: string[] = []
  const doubtful: Try[][] = []
  for (const tries of groups) {
    const refused: Try[] = []
    for (const { what, refusal, field } of tries) {
      if (refusal)
        faults.push(...[...faultsOfBody(refusal), ...misnamed(refusal, field)].map((fault) => `${what}: ${fault}`))
    }
    for (const few of inFews(tries.filter(({ refusal }) => !refusal))) {
      written()
      const answers = await Promise.all(few.map(call))
      const wrote = written()
      for (const [index, one] of few.entries()) {
        const answer = answers[index] as LightMyRequestResponse
        faults.push(...[...faultsOf(answer), ...misnamed(answer, one.field)].map((fault) => `${one.what}: ${fault}`))
        const counts = one.method !== 'GET' && !movesOn.some((name) => one.what.startsWith(name))
        if (wrote && counts && answer.statusCode >= 400) refused.push(one)
      }
    }
    if (refused.length > 0) doubtful.push(refused)
  }
  return [...faults, ...(await tracesOf(doubtful))]
}

/** A refusal of the body must name the field that is wrong, a field in it, or the field that contains it. */
function misnamed({ statusCode, body }: Refusal, field: string | undefined): string[] {
  if (field === undefined || statusCode !== 400) return []
  const { message, code, details } = JSON.parse(body)
  const named: string | undefined = details?.problems?.[0]?.field
  // What a rule refuses may well be about another field.
  if (named === undefined || code !== undefined || field.startsWith(named) || named.startsWith(field)) return []
  return [`names ${named}: ${message}`]
}

/** The rows whose refused writes changed a table; looked at one by one only when there are any. */
async function tracesOf(groups: Try[][]): Promise<string[]> {
  const { pool } = api.core.database
  const before = await stateOf(pool)
  const answers = await callAll(groups.flat())
  const changed = changedBetween(before, await stateOf(pool))
  if (changed.length === 0) return []
  const allowed = answers.findIndex(({ statusCode }) => statusCode < 400)
  if (allowed >= 0) return [`refused at first, then not: ${groups.flat()[allowed]?.what}`]
  if (groups.length === 1) return [`${groups[0]?.[0]?.what}: written to ${changed}`]
  const traces: string[] = []
  for (const tries of groups) traces.push(...(await tracesOf([tries])))
  return traces
}

/** Sends them a few at a time. */
async function callAll(tries: Try[]): Promise<LightMyRequestResponse[]> {
  const answers: LightMyRequestResponse[] = []
  for (const few of inFews(tries)) answers.push(...(await Promise.all(few.map(call))))
  return answers
}

/** The tries that are sent at once. */
function inFews(tries: Try[]): Try[][] {
  return Array.from({ length: Math.ceil(tries.length / 8) }, (_, few) => tries.slice(few * 8, few * 8 + 8))
}

function call({ method, url, body }: Try): Promise<LightMyRequestResponse> {
  const headers = body === undefined ? {} : json
  return api.call(method, url, { token: records.everything.token, headers, body })
}
