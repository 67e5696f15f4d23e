import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { buildMember, buildSchool } from '../support/builders.ts'
import { asOwner } from '../support/database.ts'
import { apiTest } from '../support/fixtures.ts'

const lines: string[] = []

const test = apiTest({ env: { LOG_LEVEL: 'error' }, logTo: { write: (line: string) => void lines.push(line) } })
  .extend('token', { scope: 'file' }, async ({ api }) => {
    const { organizationId } = await buildSchool(api)
    const token = (await buildMember(api, organizationId, ['owner', 'admin'])).token

    return token
  })

  /** Calls some times, one after the other; returns the statuses and what the log says at level error. */
  .extend('called', ({ api, token }) => async (times: number): Promise<{ statuses: number[]; reasons: string[] }> => {
    lines.length = 0
    const statuses: number[] = []
    for (let count = 0; count < times; count++) {
      const answer = await api.call('GET', '/locations', { token })
      expect(Object.keys(answer.json())).toEqual(['message'])
      statuses.push(answer.statusCode)
    }
    return { statuses, reasons: lines.map((line) => JSON.parse(line).reason) }
  })

describe('a database that answers and cannot be used is 503 for each request and one line in the log', () => {
  test('when a table of this release is missing', async ({ api, called, token }) => {
    await asOwner(api, 'alter table location rename to elsewhere')
    expect(await called(3)).toEqual({
      statuses: [503, 503, 503],
      reasons: ['a table is missing: run the migrations (42P01: relation "location" does not exist)'],
    })
    await asOwner(api, 'alter table elsewhere rename to location')
    expect((await api.call('GET', '/locations', { token })).statusCode).toBe(200)
  })

  test('when there is no such database any more', async ({ api, called }) => {
    const name = new URL(api.config.DATABASE_URL ?? '').pathname.slice(1)
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
    // Connections that were open end first.
    const { reasons } = await called(4)
    expect(reasons.filter((reason) => reason !== undefined)).toEqual([
      `there is no such database (3D000: database "${name}" does not exist)`,
    ])
    expect(await called(2)).toEqual({ statuses: [503, 503], reasons: [] })
  })
})
