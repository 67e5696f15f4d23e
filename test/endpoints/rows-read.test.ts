import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scaleRequests } from '../../bench/scale/requests.ts'
import { readByRequest, readsOf } from '../../bench/scale/rows-read.ts'
import { findSeededSchool, type SeededSchool, seedSchool } from '../../bench/scale/seed-school.ts'
import { largeTables, loadWithoutIndexes, writeWhatTriggersDo } from '../../bench/scale/without-indexes.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { asSuperuser } from '../support/database.ts'

const SIZE = { bookings: 100_000, members: 10_000, aircraft: 50 }

let api: TestApp
let school: SeededSchool
beforeAll(async () => {
  api = await startTestApp({ realTime: true })
  const client = new pg.Client({ connectionString: asSuperuser(api) })
  await client.connect()
  await client.query("set maintenance_work_mem = '256MB'")
  await client.query('set synchronous_commit = off')
  const seed = async () => {
    for (const name of ['Neighbour', 'School']) await seedSchool(client, { ...SIZE, name })
    await writeWhatTriggersDo(client)
  }
  await loadWithoutIndexes(client, largeTables, seed, { constraints: false })
  await client.query('vacuum analyze')
  school = await findSeededSchool(client, 'School')
  await client.end()
}, 600_000)
afterAll(() => api.close())

describe('a school of 100,000 bookings beside another', () => {
  test('reads at most 20 rows for each that it answers or counts and 1,000 besides, for every list, filter, report and search', async () => {
    const { tokens, database } = api.core
    const tokenOf = async ({ accountId, membershipId }: SeededSchool['admin']) =>
      (await tokens.issue({ accountId, membershipId, organizationId: school.organizationId }, new Date())).token
    const tokenOfRole = { admin: await tokenOf(school.admin), student: await tokenOf(school.student) }
    const surprises: string[] = []
    for (const request of scaleRequests(school)) {
      const { name, path, as } = request
      const { result, reads } = await readsOf(database.pool, () => api.call('GET', path, { token: tokenOfRole[as] }))
      if (result.statusCode !== 200) surprises.push(`${name}: ${result.statusCode} ${result.body}`)
      const { rowsRead, rowsAnswered, allowed } = await readByRequest(database.pool, school, { request, reads })
      const most = reads.toSorted((a, b) => b.rowsRead - a.rowsRead)[0]
      if (rowsRead > allowed)
        surprises.push(`${name}: ${rowsRead} rows read for ${rowsAnswered}; ${most?.text}: ${most?.scans.join('; ')}`)
    }
    expect(surprises).toEqual([])
  }, 300_000)
})
