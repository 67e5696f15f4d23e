import { describe, expect } from 'vitest'
import { endpoints } from '../../../src/api/app.ts'
import { organizationLimits } from '../../../src/api/http/special-limits.ts'
import type { TestApp } from '../../support/app.ts'
import { buildMember, buildSchool, type School } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'

/** Three invitations an hour and ten a day. */
const test = apiTest({ env: { RATE_LIMIT_FACTOR: '0.05' } })

/** Builds several schools that one person owns. */
async function schoolsOfOne(api: TestApp, count: number): Promise<School[]> {
  const schools: School[] = []
  for (let at = 0; at < count; at++) schools.push(await buildSchool(api))
  for (const { owner } of schools.slice(1)) {
    await api.core.database.db
      .updateTable('membership')
      .set({ account_id: schools[0]!.owner.accountId })
      .where('id', '=', owner.orgUserId)
      .execute()
  }
  return schools
}

describe('a person who founds several schools has one limit in all of them (docs/security.md)', () => {
  test('of invitations, whoever invites', async ({ api }) => {
    const [one, two, three] = await schoolsOfOne(api, 3)
    const other = await buildSchool(api)
    let invited = 0
    // Each is invited by an admin of their own, so that the limit of the account that invites does not bind.
    const invite = async ({ organizationId }: School) => {
      const { token } = await buildMember(api, organizationId, ['admin'])
      const body = { email: `invited${organizationId}-${++invited}@example.com`, student: true }
      return (await api.call('POST', '/organizations/invite', { token, body })).statusCode
    }
    const statuses = [
      await invite(one!),
      await invite(two!),
      await invite(one!),
      await invite(two!),
      await invite(three!),
    ]
    expect(statuses).toEqual([204, 204, 204, 429, 429])
    expect(await invite(other)).toBe(204)
  })

  test('of operations that are not over', async ({ api }) => {
    const [one, two] = await schoolsOfOne(api, 2)
    const other = await buildSchool(api)
    await api.core.database.pool.query(
      `insert into operation (organization_id, kind, started_by, atomic, total, input)
       select $1, 'reservation_bulk', $2, false, 1, '{}' from generate_series(1, 50)`,
      [two!.organizationId, two!.admin.orgUserId],
    )
    const start = async ({ owner }: School) => (await api.as(owner).post('/exports', {})).statusCode
    expect([await start(one!), await start(other)]).toEqual([429, 202])
  })

  test('of whatever an endpoint counts for an organization', async ({ api }) => {
    const { organizationId, owner, admin } = await buildSchool(api)
    const counted = endpoints.flatMap(({ declaration: { rateLimit } }) => rateLimit?.organization ?? [])
    expect(new Set(counted).size).toBeGreaterThan(8)
    const actor = { ...admin, organizationId } as never
    for (const limit of counted) {
      const keys = await organizationLimits({ actor, db: api.core.database.db }, limit)
      expect(keys).toEqual([
        [limit, String(organizationId)],
        [limit, `owner ${owner.accountId}`],
      ])
    }
  })
})
