import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { matrix } from './authorization-matrix.ts'
import { startLoneApp } from './support/app.ts'
import { jsonOf, operationsOf, readDocument } from './support/document.ts'
import { buildRecords } from './support/records.ts'
import { inOrder, methodOf, send } from './support/walk.ts'

let api: TestApp
beforeAll(async () => {
  api = await startLoneApp()
})
afterAll(() => api.close())

test('every body that the reference gives as an example is understood', async () => {
  const records = await buildRecords(api)
  const operations = operationsOf(await readDocument(api))
  const misunderstood: string[] = []
  for (const { name, requestBody } of operations) {
    const row = inOrder(matrix).find(({ endpoint, spends }) => endpoint === name && !spends)
    const body = requestBody && jsonOf(requestBody)?.example
    if (!row || body === undefined) continue
    const response = await send(api, row, records, records.everything.token, { body })
    const { message, code, details } = response.body === '' ? {} : response.json()
    // A refusal by a rule has a code, or no list of fields: the record is in another state, or somebody else's.
    if (response.statusCode === 400 && details?.problems && !code) misunderstood.push(`${name}: ${message}`)
  }
  expect(misunderstood).toEqual([])
})

test('every example of a parameter is understood', async () => {
  const records = await buildRecords(api)
  const operations = operationsOf(await readDocument(api))
  const misunderstood: string[] = []
  for (const { name, parameters = [] } of operations) {
    const row = matrix.find(({ endpoint }) => endpoint === name)
    if (!row || methodOf(row) !== 'GET') continue
    const given = parameters.flatMap(({ name: key, in: place, example }) =>
      place === 'query' && example !== undefined ? [[key, String(example)]] : [],
    )
    const query = given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : ''
    const response = await send(api, { ...row, query }, records, records.everything.token)
    if (response.statusCode === 400) misunderstood.push(`${name}${query}: ${response.json().message}`)
  }
  expect(misunderstood).toEqual([])
})
