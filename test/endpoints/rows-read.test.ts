import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AskedList, type AskedRequest, requestsOf } from '../../bench/scale/asked-list.ts'
import { everyList, withoutRows } from '../../bench/scale/every-list.ts'
import { scaleRequests } from '../../bench/scale/requests.ts'
import { type PlanKind, readByRequest, readsOf } from '../../bench/scale/rows-read.ts'
import { findNamedRecords, seedDesk } from '../../bench/scale/seed-desk.ts'
import { seedMoney, seedTraining } from '../../bench/scale/seed-money.ts'
import { findSeededSchool, type SeededSchool, seedSchool } from '../../bench/scale/seed-school.ts'
import { everySort, sortedLists } from '../../bench/scale/sort-paths.ts'
import { largeTables, loadWithoutIndexes, writeWhatTriggersDo } from '../../bench/scale/without-indexes.ts'
import { jsonOf, type Operation, operationsOf, readDocument } from '../contract/support/document.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { asSuperuser } from '../support/database.ts'

const SIZE = { bookings: 100_000, members: 10_000, aircraft: 50 }

/** Parameters that say how an answer is read, not what is found. */
const ofPages = ['limit', 'cursor', 'offset', 'page', 'sort', 'order', 'format', 'theme']

let api: TestApp
let school: SeededSchool
let lists: AskedList[]
let gets: Operation[]
beforeAll(async () => {
  api = await startTestApp({ realTime: true })
  const client = new pg.Client({ connectionString: asSuperuser(api) })
  await client.connect()
  await client.query("set maintenance_work_mem = '256MB'")
  await client.query('set synchronous_commit = off')
  const seed = async () => {
    for (const name of ['Neighbour', 'School']) {
      const size = { ...SIZE, name }
      await seedSchool(client, size)
      const { organizationId } = await findSeededSchool(client, name)
      await seedDesk(client, organizationId, size)
      await seedMoney(client, organizationId, size)
      await seedTraining(client, organizationId)
    }
    await writeWhatTriggersDo(client)
  }
  await loadWithoutIndexes(client, largeTables, seed, { constraints: false })
  await client.query('vacuum analyze')
  school = await findSeededSchool(client, 'School')
  lists = everyList(school, await findNamedRecords(client, school.organizationId))
  gets = operationsOf(await readDocument(api)).filter(({ method }) => method === 'GET')
  await client.end()
}, 600_000)
afterAll(() => api.close())

const queryOf = ({ parameters = [] }: Operation) =>
  parameters.filter((one) => one.in === 'query').map(({ name }) => name)

/** Returns the number of elements in the arrays with a key, at any depth. */
function elementsOf(body: string, key: string): number {
  let elements = 0
  JSON.parse(body, (name, value) => {
    if (name === key && Array.isArray(value)) elements += value.length
    return value
  })
  return elements
}

describe('a school of 100,000 bookings beside another', () => {
  test('is asked for every list of the document, with every filter', () => {
    const isList = ({ responses }: Operation) =>
      jsonOf(responses[200] ?? {})?.schema?.properties?.data?.type === 'array'
    const asked = new Map(Map.groupBy(lists, ({ endpoint }) => endpoint))
    const unasked = gets.flatMap((get) => {
      const of = asked.get(get.path)
      if (!of) return isList(get) && !withoutRows[get.path] ? [get.path] : []
      const queries = of.flatMap(({ path, filters }) => [path.split('?')[1] ?? '', ...filters]).join('&')
      const names = new Set(new URLSearchParams(queries).keys())
      return queryOf(get).flatMap((name) => (names.has(name) || ofPages.includes(name) ? [] : [`${get.path} ${name}`]))
    })
    expect(unasked).toEqual([])
    const paths = gets.map(({ path }) => path)
    expect([...asked.keys(), ...Object.keys(withoutRows)].filter((endpoint) => !paths.includes(endpoint))).toEqual([])
  })

  test('is sorted by every key by which the service lets the database sort', () => {
    const root = join(import.meta.dirname, '../..')
    const files = globSync('src/shared/**/*.queries.ts', { cwd: root })
    const exported = /^export (?:const|function) (\w+SortKeys)\b/gm
    const keys = files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(exported)])
    expect(keys.map(([, name]) => name).sort()).toEqual(Object.keys(sortedLists))
    const sorted = Object.values(sortedLists).flatMap(({ endpoints }) => endpoints)
    const sortable = new Set(gets.filter((get) => queryOf(get).includes('sort')).map(({ path }) => path))
    expect(sorted.filter((endpoint) => !sortable.has(endpoint))).toEqual([])
  })

  /** Asks each, and returns those that read more than they may. */
  async function surprisesOf(requests: readonly AskedRequest[], plans: PlanKind = 'custom'): Promise<string[]> {
    const { tokens, database } = api.core
    const tokenOf = async ({ accountId, membershipId }: SeededSchool['admin']) =>
      (await tokens.issue({ accountId, membershipId, organizationId: school.organizationId }, new Date())).token
    const tokenOfRole = { admin: await tokenOf(school.admin), student: await tokenOf(school.student) }
    const surprises: string[] = []
    for (const request of requests) {
      const { name, path, as, nested, examines = 0 } = request
      const { result, reads } = await readsOf(
        database.pool,
        () => api.call('GET', path, { token: tokenOfRole[as] }),
        plans,
      )
      if (result.statusCode !== 200) surprises.push(`${name}: ${result.statusCode} ${result.body}`)
      const { rowsRead, rowsAnswered, allowed } = await readByRequest(database.pool, school, { request, reads })
      const within = nested ? elementsOf(result.body, nested) : 0
      const most = reads.toSorted((a, b) => b.rowsRead - a.rowsRead)[0]
      if (rowsRead > allowed + 20 * within + examines)
        surprises.push(`${name}: ${rowsRead} rows read for ${rowsAnswered}; ${most?.text}: ${most?.scans.join('; ')}`)
    }
    return surprises
  }

  const everyRequest = (): AskedRequest[] => [
    ...scaleRequests(school).filter(({ path }) => !path.startsWith('/reports/')),
    ...requestsOf(lists, takes('limit')),
  ]

  const takes = (parameter: string) => {
    const taking = new Set(gets.filter((get) => queryOf(get).includes(parameter)).map(({ path }) => path))
    return (endpoint: string) => taking.has(endpoint)
  }

  test('reads at most 20 rows for each that it answers or counts and 1,000 besides, for every list, filter, report and search', async () => {
    expect(await surprisesOf(everyRequest())).toEqual([])
  }, 300_000)

  test('reads as few when a connection has one plan of a statement for all values (decision 10)', async () => {
    expect(await surprisesOf(everyRequest(), 'generic')).toEqual([])
  }, 300_000)

  test('reads as few for every list that is sorted, by every path', async () => {
    const sorted = requestsOf(everySort(school, lists, takes('sort')), takes('limit'))
    expect(await surprisesOf(sorted.filter(({ path }) => path.includes('sort=')))).toEqual([])
  }, 600_000)
})
