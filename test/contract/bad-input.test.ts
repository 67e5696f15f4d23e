import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Method, TestApp } from '../support/app.ts'
import { matrix } from './authorization-matrix.ts'
import { nameOf, type Rights } from './matrix/rights.ts'
import { startLoneApp } from './support/app.ts'
import { changedBetween, stateOf } from './support/database-state.ts'
import { type Operation, operationsOf, readDocument } from './support/document.ts'
import { faultsOf } from './support/envelope.ts'
import { brokenText, hostileBodies, hostileBranches, hostileJson, hostileText } from './support/hostile.ts'
import { branchesOf, leavesOf, withValue } from './support/leaves.ts'
import { buildRecords, type Records } from './support/records.ts'
import { inOrder, methodOf, urlOf } from './support/walk.ts'
import { watchWrites } from './support/writes.ts'

let api: TestApp
let records: Records
let operations: Operation[]
/** Whether the database was asked for more than reads since the last call. */
let written: () => boolean
beforeAll(async () => {
  api = await startLoneApp()
  written = watchWrites(api.core.database.pool)
  records = await buildRecords(api)
  expect(written(), 'what is written is seen').toBe(true)
  operations = operationsOf(await readDocument(api))
})
afterAll(() => api.close())

const rows = inOrder(matrix.filter(({ spends }) => !spends))
const json = { 'content-type': 'application/json' }

interface Try {
  what: string
  method: Method
  url: string
  body?: string
  /** The field of the body that is wrong; a missing one can make another wrong. */
  field?: string
}

describe('hostile input', { timeout: 120_000 }, () => {
  test('in any field of any body is refused in the envelope, and nothing is written', async () => {
    expect(await faultsOfAll(rows.filter(({ body }) => body).map(fieldTries))).toEqual([])
  })

  test('such as a control character or a mark of direction in any text of any body is 400', async () => {
    expect(await taken(rows.filter(({ body }) => body).flatMap(controlTries))).toEqual([])
  })

  test('in place of any body is refused in the envelope, and nothing is written', async () => {
    expect(await faultsOfAll(rows.filter(({ body }) => body).map(bodyTries))).toEqual([])
  })

  test('in any place of any address is refused in the envelope, and nothing is written', async () => {
    expect(await faultsOfAll(rows.map(pathTries))).toEqual([])
  })

  test('in any query is refused in the envelope, or ignored', async () => {
    expect(await faultsOfAll(rows.map(queryTries))).toEqual([])
  })
})

describe('a path id', () => {
  const withIds = rows.filter(({ who, at = [] }) => who !== 'anyone' && at.some((value) => typeof value === 'string'))

  test.each(['abc', '0', '-1', '1.5', '1e3', '-1e%2B21', '%201', '0x10'])('%s is 400', async (id) => {
    expect(await statusesAt(withIds, id)).toEqual([])
  })
})

/** The rows whose answer is not 400 with this in place of each id. */
async function statusesAt(some: Rights[], id: string): Promise<string[]> {
  const surprises: string[] = []
  for (const row of some) {
    for (const url of urlsWith(row, id)) {
      const response = await call({ what: '', method: methodOf(row), url, body: '{}' })
      if (response.statusCode !== 400) surprises.push(`${methodOf(row)} ${url}: ${response.statusCode}`)
    }
  }
  return surprises
}

function fieldTries(row: Rights): Try[] {
  const body = row.body?.(records)
  const url = urlOf(row, records)
  const hole = '"a hole in the body"'
  const places = [
    ...leavesOf(body).map(({ path }) => ({ path, values: hostileJson })),
    ...branchesOf(body).map(({ path }) => ({ path, values: hostileBranches })),
  ]
  return places.flatMap(({ path, values }) =>
    values.map((value) => ({
      what: `${nameOf(row)} ${path.join('.')} = ${value.slice(0, 40)}`,
      ...(value !== 'null' && { field: path.join('.') }),
      method: methodOf(row),
      url,
      body: JSON.stringify(withValue(body, path, JSON.parse(hole))).replace(hole, () => value),
    })),
  )
}

/** Each text of the row's body with what no text has; a password is no text that anybody reads, and taken as typed. */
function controlTries(row: Rights): Try[] {
  const body = row.body?.(records)
  const texts = leavesOf(body).filter(({ path, value }) => typeof value === 'string' && path.at(-1) !== 'password')
  return texts.flatMap(({ path, value }) =>
    ['\u0007', '\u0085', '\u202e'].map((character) => ({
      what: `${nameOf(row)} ${path.join('.')} with ${JSON.stringify(character)}`,
      method: methodOf(row),
      url: urlOf(row, records),
      body: JSON.stringify(withValue(body, path, `${value}${character}x`)),
    })),
  )
}

/** The tries that were not refused with 400. */
async function taken(tries: Try[]): Promise<string[]> {
  const answers = await callAll(tries)
  return tries.flatMap(({ what }, index) => {
    const { statusCode, body } = answers[index] as LightMyRequestResponse
    return statusCode === 400 ? [] : [`${what}: ${statusCode} ${body.slice(0, 100)}`]
  })
}

function bodyTries(row: Rights): Try[] {
  return hostileBodies.map((body) => ({
    what: `${nameOf(row)} ${body.slice(0, 40)}`,
    method: methodOf(row),
    url: urlOf(row, records),
    body,
  }))
}

function pathTries(row: Rights): Try[] {
  const body = row.body && JSON.stringify(row.body(records))
  return [...hostileText, ...brokenText].flatMap((text) =>
    urlsWith(row, text).map((url) => ({ what: `${methodOf(row)} ${url}`, method: methodOf(row), url, body })),
  )
}

function queryTries(row: Rights): Try[] {
  const operation = operations.find(({ name }) => name === row.endpoint)
  const names = operation?.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? []
  const [path = '', given = ''] = urlOf(row, records).split('?')
  const body = row.body && JSON.stringify(row.body(records))
  return names.flatMap((name) =>
    [...hostileText, ...brokenText, '', `a&${name}=b`, 'x'.repeat(9_000)].map((text) => ({
      what: `${nameOf(row)} ?${name}=${text.slice(0, 40)}`,
      method: methodOf(row),
      url: `${path}?${without(given, name)}&${name}=${text}`,
      body,
    })),
  )
}

function without(query: string, name: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete(name)
  return parameters.toString()
}

/** The row's address with the text in place of each parameter in turn. */
function urlsWith(row: Rights, text: string): string[] {
  const marker = 'xxplacexx'
  return (row.at ?? []).map((_, place) => {
    const at = Array.from({ length: place + 1 }, (_, index) => (index === place ? marker : undefined))
    return urlOf(row, records, at).replace(marker, () => text)
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
    for (const few of inFews(tries)) {
      written()
      const answers = await Promise.all(few.map(call))
      const wrote = written()
      for (const [index, one] of few.entries()) {
        const answer = answers[index] as LightMyRequestResponse
        faults.push(...[...faultsOf(answer), ...misnamed(answer, one.field)].map((fault) => `${one.what}: ${fault}`))
        if (wrote && one.method !== 'GET' && answer.statusCode >= 400) refused.push(one)
      }
    }
    if (refused.length > 0) doubtful.push(refused)
  }
  return [...faults, ...(await tracesOf(doubtful))]
}

/** A refusal of the body must name the field that is wrong, what stands in it, or what it stands in. */
function misnamed(answer: LightMyRequestResponse, field: string | undefined): string[] {
  if (field === undefined || answer.statusCode !== 400) return []
  const { message, code, details } = answer.json()
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
