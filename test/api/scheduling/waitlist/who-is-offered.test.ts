import { describe, expect } from 'vitest'
import { buildMember, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { enter, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest()

const TEN = { start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T12:00:00.000Z' }
const window = { windows: [TEN] }

describe('who is offered a place (§Waiting list)', () => {
  test('is not a student beyond their limits, whose wish the desk entered and they widened', async ({
    api,
    school,
  }) => {
    await writeSettings(api, school.organizationId, { bookingLimits: { student: { maxMinutes: 60 } } })
    const wide = { windows: [TEN], durationMinutes: 120 }
    const id = await enter(api, school.dispatcher, {
      ...window,
      durationMinutes: 30,
      orgUserId: school.student.orgUserId,
    })
    await expectOk(api, school.student, 'PATCH', `/waitlist/${id}`, wide)
    expect(await offerSoFar(api, school)).toBe(0)
    await expectOk(api, school.dispatcher, 'PATCH', `/waitlist/${id}`, { durationMinutes: 30 })
    expect(await offerSoFar(api, school)).toBe(1)
  })

  test('is nobody without an account, whom no message reaches', async ({ api, school }) => {
    const managed = await buildMember(api, school.organizationId, ['student'])
    await enter(api, school.dispatcher, { ...window, orgUserId: managed.orgUserId })
    await enter(api, school.student, window)
    await api.core.database.pool.query('update membership set account_id = null where id = $1', [managed.orgUserId])
    expect(await offerSoFar(api, school)).toBe(1)
    expect(await offersOf(api, school.dispatcher)).toMatchObject([{ orgUserId: school.student.orgUserId }])
  })
})
