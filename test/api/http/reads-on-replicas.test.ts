import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createReadPlaces, type ReadPlaces } from '../../../src/api/http/read-places.ts'
import { readKeySet } from '../../../src/shared/composition/key-sets.ts'
import { openDatabase } from '../../../src/shared/composition/tables.ts'
import type { Database } from '../../../src/shared/platform/db/database.ts'
import type { Replica, Replicas } from '../../../src/shared/platform/db/replicas.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildMember, buildSchool, type Member, type School } from '../../support/builders.ts'
import { cloneDatabase } from '../../support/database.ts'
import { expectOk } from '../../support/flights.ts'
import { giveDesk } from '../../support/grants.ts'

const replica: Replica = { name: 'replica' }
/** Connections that refuse writes, as those of a replica do. */
let readOnly: Database
let replicas: Replicas
let places: ReadPlaces
let leftOut: number
/** What a read of the replica does after it ran. */
let after: () => void
let parent: TestApp
let api: TestApp
let school: School
let cashier: Member
let student: Member

beforeAll(async () => {
  const databaseUrl = await cloneDatabase()
  readOnly = await openDatabase({ url: databaseUrl, poolSize: 2, replica: true })
  readOnly.pool.on('connect', (client) => void client.query('set default_transaction_read_only = on'))
  replicas = {
    choose: async () => replica,
    async read(_, run) {
      const answer = await run(readOnly)
      after()
      return answer
    },
    leaveOut: () => void leftOut++,
    position: async () => '0/1',
    lags: () => [],
    close: async () => undefined,
  }
  // What the preparation writes pins no reads of the other API, which does not know of it.
  parent = await startTestApp({ databaseUrl })
  school = await buildSchool(parent)
  cashier = await buildMember(parent, school.organizationId, ['instructor'])
  student = await buildMember(parent, school.organizationId, ['student'])
  await giveDesk(parent, school, cashier, 'cashier')
  api = await startTestApp({
    databaseUrl,
    readPlaces({ config }) {
      places = createReadPlaces(replicas, { redis: undefined, keySet: readKeySet(config, 'AUTH_KEYS') })
      return places
    },
  })
})
beforeEach(() => {
  leftOut = 0
  after = () => undefined
})
afterAll(async () => {
  await api?.close()
  await parent?.close()
  await readOnly?.close()
})

describe('a read on a replica', () => {
  test('writes what is audited to the primary, and leaves the replica in', async () => {
    const before = { ...places.counts }
    await expectOk(api, cashier, 'GET', `/orgUsers/${student.orgUserId}/ledger`)
    await expectOk(api, cashier, 'GET', '/reports/balances')
    const { rows } = await api.core.database.pool.query(
      `select kind from event where organization_id = $1 and kind like '%.read' order by kind`,
      [school.organizationId],
    )
    expect(rows).toEqual([{ kind: 'balances.read' }, { kind: 'ledger.read' }])
    expect({ ...places.counts, leftOut }).toEqual({ ...before, replica: before.replica + 2, leftOut: 0 })
  })

  test('that runs again on the primary counts against its limits once', async () => {
    const remaining = async (path: string) => {
      const { headers } = await api.as(school.admin).get(path)
      return Number(headers['ratelimit-remaining'])
    }
    const shop = `/maintenance/slots?resourceId=${school.plane.id}&hours=4&startDate=2026-11-23&endDate=2026-11-23`
    for (const path of ['/reports/instructorPay', shop]) {
      const first = await remaining(path)
      const once = first - (await remaining(path))
      after = () => {
        throw new Error('the replica is left out')
      }
      const { repeated } = places.counts
      expect(first - (await remaining(path)), path).toBe(2 * once)
      expect(places.counts.repeated, path).toBe(repeated + 1)
      after = () => undefined
    }
  })

  test('is on the primary after a write that is repeated by its key', async () => {
    const other = await startTestApp({
      databaseUrl: parent.config.DATABASE_URL!,
      readPlaces: () => createReadPlaces(replicas, { redis: undefined, keySet: readKeySet(api.config, 'AUTH_KEYS') }),
    })
    const write = (app: TestApp) =>
      app.call('POST', '/reports/views', {
        token: school.admin.token,
        body: { name: 'Revenue', report: 'revenue', parameters: {} },
        headers: { 'idempotency-key': 'written-once' },
      })
    const [first, second] = [await write(parent), await write(other)]
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(first.headers).not.toHaveProperty('x-read-after')
    expect(second.headers['x-read-after']).toBeDefined()
    await other.close()
  })
})
