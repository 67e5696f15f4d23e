import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { describe, expect } from 'vitest'
import { STATEMENT_TIMEOUT_MS } from '../../src/shared/platform/db/database.ts'
import { buildSchool } from '../support/builders.ts'
import { apiTest } from '../support/fixtures.ts'
import { asRole } from '../support/global-setup.ts'

const window = 'startDate=2026-01-01T00:00:00Z&endDate=2026-12-31T00:00:00Z'
const waiting = "select pid from pg_locks where relation = 'reservation'::regclass and not granted"

const test = apiTest({ env: { DATABASE_POOL_SIZE: '4' } })
  .extend('school', { scope: 'file', auto: true }, async ({ api }) => {
    const school = await buildSchool(api)
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    return school
  })
  .extend(
    'address',
    { scope: 'file' },
    ({ api }) => `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`,
  )

  /**
   * Runs while the table of bookings is locked: every reader waits. `statements` counts those that wait. One of them is a
   * statement with the service's time limit that began before all others: while it waits, no other has reached the limit.
   */
  .extend(
    'whileBookingsAreLocked',
    ({ api }) =>
      async (work: (statements: () => Promise<number>) => Promise<void>): Promise<void> => {
        const { DATABASE_URL = '' } = api.config
        const owner = new pg.Client({ connectionString: asRole(DATABASE_URL, 'owner') })
        const first = new pg.Client({ connectionString: DATABASE_URL, statement_timeout: STATEMENT_TIMEOUT_MS })
        await Promise.all([owner.connect(), first.connect()])
        try {
          await owner.query('begin')
          await owner.query('lock table reservation in access exclusive mode')
          const read = first.query('select from reservation').then(
            () => 'read',
            () => 'reached the limit',
          )
          await work(async () => (await owner.query(waiting)).rows.length)
          await owner.query('commit')
          expect(await read).toBe('read')
        } finally {
          await Promise.all([owner.end(), first.end()])
        }
      },
  )

describe('a read whose client goes', () => {
  test.for([
    ['a list', `/reservations?${window}`],
    ['a list that the database sorts', `/reservations?${window}&sort=personnel.students.0.name`],
    ['a list sorted in slices', `/reservations?${window}&sort=review.needs`],
    ['a list with a search', `/reservations?${window}&q=checkride`],
    ['a search', '/search?q=checkride'],
  ] as const)(
    'of %s ends at the database, with every connection that it holds',
    async ([_what, path], { whileBookingsAreLocked, school, address, api }) => {
      await whileBookingsAreLocked(async (statements) => {
        const clients = [new AbortController(), new AbortController(), new AbortController()]
        const headers = { authorization: `Bearer ${school.admin.token}` }
        const asked = clients.map(({ signal }) => fetch(address + path, { headers, signal }))
        await expect.poll(statements).toBeGreaterThan(2)
        for (const client of clients) client.abort()
        for (const one of asked) await expect(one).rejects.toThrow(/aborted/)
        await expect.poll(statements).toBe(1)
      })
      expect((await api.as(school.admin).get(path)).statusCode).toBe(200)
    },
  )

  test('does not end the read of another', async ({ school, whileBookingsAreLocked, address }) => {
    const headers = { authorization: `Bearer ${school.admin.token}` }
    const week = '/reservations?startDate=2026-11-16T00:00:00Z&endDate=2026-11-23T00:00:00Z'
    let stays: Promise<Response> | undefined
    await whileBookingsAreLocked(async (statements) => {
      const client = new AbortController()
      const goes = fetch(`${address}${week}&limit=1`, { headers, signal: client.signal })
      stays = fetch(address + week, { headers })
      await expect.poll(statements).toBe(3)
      client.abort()
      await expect(goes).rejects.toThrow(/aborted/)
      await expect.poll(statements).toBe(2)
    })
    expect((await stays)?.status).toBe(200)
  })
})
