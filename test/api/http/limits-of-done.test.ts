import { describe, expect } from 'vitest'
import { hashPassword } from '../../../src/shared/identity/accounts/hash-password.ts'
import { NOW } from '../../support/app.ts'
import { buildMember, type School } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { limited } from '../../support/limited.ts'

/** One is left of each limit of a day or an hour, of uploads two; a minute has three requests. */
const test = schoolTest({ env: { RATE_LIMIT_FACTOR: '0.01' } })

/** Requests that are refused, of each limit that counts what was done. */
const refused: Record<string, [status: number, url: string, body: (school: School) => object]> = {
  merges: [404, '/orgUsers/999999/merge', ({ student }) => ({ intoOrgUserId: student.orgUserId })],
  erasures: [404, '/orgUsers/999999/erase', () => ({ reason: 'By letter' })],
  closures: [
    400,
    '/closures',
    () => ({ start: '2026-12-01T08:00:00Z', end: '2026-12-01T09:00:00Z', reason: 'Snow', resourceId: 999_999 }),
  ],
  webhookTests: [404, '/webhooks/999999/test', () => ({})],
  webhookReplays: [404, '/webhooks/999999/replay', () => ({ startDate: '2026-11-20T00:00:00Z' })],
  uploads: [404, '/resources/999999/files', () => ({ category: 'poh', fileNames: ['poh.pdf'] })],
}

describe('a limit that counts what was done (§Limits)', () => {
  test.for(Object.entries(refused))(
    'gives back what a refused request takes: %s',
    async ([_, row], { api, school }) => {
      const [status, url, body] = row
      const sent = () => api.as(school.owner).post(url, body(school))
      expect([(await sent()).statusCode, (await sent()).statusCode, (await sent()).statusCode]).toEqual([
        status,
        status,
        status,
      ])
    },
  )

  test('is not counted for an export without a fresh proof: the one with it is done, and is the last of the day', async ({
    api,
    school,
  }) => {
    const { owner } = school
    const change = { password_hash: await hashPassword('correct horse battery') }
    const { db } = api.core.database
    await db.updateTable('account').set(change).where('id', '=', owner.accountId).execute()
    api.clock.now = new Date(NOW.getTime() + 3_600_000)
    const stale = await api.as(owner).post('/exports', {})
    expect([stale.json().code, stale.headers['ratelimit-remaining']]).toEqual([
      'REAUTHENTICATE',
      expect.not.stringMatching('0'),
    ])
    expect((await api.as(owner).post('/exports', { password: 'correct horse battery' })).statusCode).toBe(202)
    const { token } = await buildMember(api, school.organizationId, ['owner', 'admin'])
    limited(await api.call('POST', '/exports', { token, body: {} }))
  })

  test('counts a request once that is sent again with its key', async ({ api, school }) => {
    const headers = { 'idempotency-key': 'closing-the-field' }
    const { token } = school.owner
    const body = { start: '2026-12-01T08:00:00Z', end: '2026-12-01T09:00:00Z', reason: 'Snow' }
    const send = () => api.call('POST', '/closures', { token, body, headers })
    const [first, again] = [await send(), await send()]
    expect([first.statusCode, again.statusCode]).toEqual([201, 201])
    expect(again.json()).toEqual(first.json())
  })
})
