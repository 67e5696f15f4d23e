import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, type Member, writeSettings } from '../../../support/builders.ts'
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

  test('is nobody who reads mail alone and has had all mails of the day', async ({ api, school }) => {
    const { organizationId, student } = school
    const only = (email: boolean) =>
      api.core.database.pool.query(
        `insert into notification_preference (organization_id, membership_id, kind, in_app, push, email)
         values ($1, $2, 'slot_offered', false, true, $3)
         on conflict (organization_id, membership_id, kind) do update set email = excluded.email`,
        [organizationId, student.orgUserId, email],
      )
    await only(false)
    await enter(api, school.student, window)
    expect(await offerSoFar(api, school), 'no channel at all').toBe(0)
    await only(true)
    const all = `insert into mail_count (scope, key, day, mails) values ('all_mail', $1, $2, 100000000)`
    await api.core.database.pool.query(all, [organizationId, api.clock.now.toISOString().slice(0, 10)])
    await expectOk(api, school.student, 'PATCH', `/waitlist/${(await entriesOf(api, student))[0]!.id}`, {
      noticeMinutes: 60,
    })
    expect(await offerSoFar(api, school), 'no mail left').toBe(0)
    const other = await buildMember(api, organizationId, ['student'])
    await enter(api, other, window)
    expect(await offerSoFar(api, school)).toBe(1)
    const [entry] = await entriesOf(api, student)
    expect(await expectOk(api, student, 'GET', `/waitlist/${entry!.id}`)).toMatchObject({
      passedOver: [{ start: TEN.start, cause: 'limit' }],
    })
    expect(await offersOf(api, school.dispatcher)).toMatchObject([{ orgUserId: other.orgUserId }])
    await api.core.database.pool.query(`delete from mail_count where scope = 'all_mail' and key = $1`, [organizationId])
    const later = { windows: [{ start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }] }
    await expectOk(api, student, 'PATCH', `/waitlist/${entry!.id}`, later)
    expect(await offerSoFar(api, school), 'a mail is left').toBe(1)
  })

  test('is whoever has three open offers, for a fourth entry, once one of them ends', async ({ api, school }) => {
    const hours = [8, 10, 12, 14].map((h) => String(h).padStart(2, '0'))
    for (const hour of hours) {
      const windows = [{ start: `2026-11-23T${hour}:00:00Z`, end: `2026-11-23T${hour}:30:00Z` }]
      await enter(api, school.student, { windows, durationMinutes: 30 })
    }
    expect(await offerSoFar(api, school)).toBe(3)
    const [offer] = await offersOf(api, school.student, '?status=open')
    await expectOk(api, school.student, 'POST', `/offers/${offer!.id}/decline`, {})
    expect(await offerSoFar(api, school)).toBe(1)
    const waiting = (await entriesOf(api, school.student)) as { id: number; status?: string }[]
    expect(waiting.filter(({ status }) => status === 'offered')).toHaveLength(3)
    const [second] = await offersOf(api, school.student, '?status=open')
    await expectOk(api, school.student, 'POST', `/offers/${second!.id}/decline`, {})
    expect(await offerSoFar(api, school), 'only what was declined is left').toBe(0)
  })
})

const entriesOf = (api: TestApp, who: Member) => expectOk<{ id: number }[]>(api, who, 'GET', '/waitlist')
