import { describe, expect } from 'vitest'
import { DEVICES_PER_ACCOUNT } from '../../../../src/shared/identity/accounts/register-push-device.ts'
import type { Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'

const test = sharedSchoolTest()
  .extend(
    'register',
    ({ api }) =>
      (member: Member, token: unknown) =>
        api.as(member).patch('/notifications', { token }),
  )
  .extend('tokensOf', ({ api }) => async (member: Member): Promise<string[]> => {
    const rows = await api.core.database.db
      .selectFrom('push_device')
      .select('token')
      .where('account_id', '=', member.accountId)
      .orderBy('id')
      .execute()
    return rows.map((row) => row.token)
  })

describe('a push device (§Notifications, PATCH /notifications)', () => {
  test('is registered once, however often it registers', async ({ school, register, tokensOf }) => {
    const first = await register(school.student, 'phone-1')
    const again = await register(school.student, ' phone-1 ')
    expect(first.statusCode).toBe(200)
    expect(again.json()).toEqual(first.json())
    expect(await tokensOf(school.student)).toEqual(['phone-1'])
  })

  test('belongs to the last account that registers it', async ({ school, register, tokensOf }) => {
    await register(school.renter, 'shared-tablet')
    await register(school.instructor, 'shared-tablet')
    expect(await tokensOf(school.renter)).toEqual([])
    expect(await tokensOf(school.instructor)).toEqual(['shared-tablet'])
  })

  test('is removed at sign-out, by its own account only', async ({ api, school, register, tokensOf }) => {
    await register(school.admin, 'office-phone')
    const byAnother = { token: school.owner.token, body: { token: 'office-phone' } }
    expect((await api.call('DELETE', '/auth', byAnother)).statusCode).toBe(204)
    expect(await tokensOf(school.admin)).toEqual(['office-phone'])
    const byItself = { token: school.admin.token, body: { token: 'office-phone' } }
    expect((await api.call('DELETE', '/auth', byItself)).statusCode).toBe(204)
    expect(await tokensOf(school.admin)).toEqual([])
  })

  test('is replaced by a new one when an account has too many', async ({ school, register, tokensOf }) => {
    const { technician } = school
    for (let device = 0; device <= DEVICES_PER_ACCOUNT; device += 1) await register(technician, `device-${device}`)
    const kept = await tokensOf(technician)
    expect(kept).toHaveLength(DEVICES_PER_ACCOUNT)
    expect(kept).not.toContain('device-0')
  })

  test.for([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['empty text', ''],
    ['blanks', '   '],
    ['a null character', 'a\u0000b'],
    ['emoji', '🛩'],
    ['a lone surrogate', '\ud83d'],
    ['10,000 characters', 'x'.repeat(10_000)],
  ] as const)('is refused with 400 when its token is %s', async ([_, token], { school, register }) => {
    const answer = await register(school.dispatcher, token)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toMatch(/^token: /)
  })

  test('is refused with 400 without a body', async ({ api, school }) => {
    const answer = await api.as(school.dispatcher).patch('/notifications')
    expect(answer.statusCode).toBe(400)
  })
})
