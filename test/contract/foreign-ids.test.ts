import { describe, expect } from 'vitest'
import {
  endingToken,
  readEndingToken,
  readUnsubscribeToken,
  unsubscribeToken,
} from '../../src/shared/communication/notifications/unsubscribe-token.ts'
import { schoolTest } from '../support/fixtures.ts'

const test = schoolTest()

describe('an id that no record can have', () => {
  const tooLarge = 2_147_483_648

  test.for([
    ['account', { accountId: tooLarge, organizationId: null, membershipId: null }],
    ['organization', { accountId: 1, organizationId: tooLarge, membershipId: 1 }],
    ['membership', { accountId: 1, organizationId: 1, membershipId: tooLarge }],
  ] as const)('of an %s in a token that is ours is 401', async ([_, claims], { api }) => {
    const { token } = await api.core.tokens.issue(claims, api.clock.now)
    expect((await api.call('GET', '/auth/session', { token })).statusCode).toBe(401)
  })

  test('in a link of a mail is no link', ({ api }) => {
    const { mailTokens } = api.core
    const member = { organizationId: 1, orgUserId: tooLarge, kind: 'announcement' } as const
    const token = unsubscribeToken(mailTokens, member)
    expect(readUnsubscribeToken(mailTokens, String(token))).toBeNull()
    expect(readEndingToken(mailTokens, endingToken(mailTokens, tooLarge, 'hash'))).toBeNull()
  })
})

describe('openings', () => {
  test('are 429 for an account that asks for a third while two are under way', async ({ api, school }) => {
    const turn = api.app.admission
    let end = () => {}
    const waiting = new Promise<void>((resolve) => {
      end = resolve
    })
    const run = () => turn.takeTurn('openings 1', 2, () => waiting)
    const two = [run(), run()]
    await expect(run()).rejects.toMatchObject({ status: 429 })
    await expect(turn.takeTurn('openings 2', 2, async () => 'theirs')).resolves.toBe('theirs')
    end()
    await Promise.all(two)
    await expect(turn.takeTurn('openings 1', 2, async () => 'again')).resolves.toBe('again')
    const asked = '/reservations/openings?startDate=2026-11-23T10:00:00Z&endDate=2026-11-23T12:00:00Z'
    expect((await api.as(school.student).get(`${asked}&durationMinutes=60&type=solo`)).statusCode).toBe(200)
  })
})
