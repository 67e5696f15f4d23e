import { describe, expect } from 'vitest'
import { seats } from '../../../support/booking.ts'
import { buildMember } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { dualBody, expectOk } from '../../../support/flights.ts'

interface Entry {
  action: string
  reason: string | null
  after: Record<string, unknown> | null
}

const reason = 'Back before dark, agreed by phone'
const overrides = [{ rule: 'opening_hours', reason }]
const early = { start: '2026-11-24T05:00:00Z', end: '2026-11-24T07:00:00Z' }
const earlier = { start: '2026-11-24T04:00:00Z', end: '2026-11-24T06:00:00Z' }

/** A school that is open from 8 to 20. */
const test = schoolTest({}).extend('open', { auto: true }, async ({ api, school }) => {
  const settings = { flyingDayStartMinute: 480, flyingDayEndMinute: 1200 }
  await expectOk(api, school.admin, 'PATCH', '/organizations', { settings })
  return school
})

describe('an override of a rule of booking (interface §Booking rules)', () => {
  test('makes the booking, and is read with its reason in the booking and its history, not in the audit log', async ({
    api,
    school,
  }) => {
    const body = dualBody(school, { ...early, extra: { overrides } })
    const check = await expectOk(api, school.dispatcher, 'POST', '/reservations/check', body)
    expect(check).toMatchObject({ ok: true, problems: [] })
    const made = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
    const kept = { rule: 'opening_hours', orgUserId: null, reason }
    expect(made).toMatchObject({ overrides: [{ ...kept, by: { orgUserId: school.dispatcher.orgUserId } }] })
    expect(await expectOk(api, school.student, 'GET', `/reservations/${made.id}`)).toMatchObject({ overrides: null })
    const history = await expectOk<Entry[]>(api, school.instructor, 'GET', `/reservations/${made.id}/history`)
    expect(history).toMatchObject([{ action: 'rule_overridden', reason, after: { rule: 'opening_hours' } }])
    const audit = await expectOk<Entry[]>(api, school.admin, 'GET', '/audit?action=reservation.rule_overridden')
    expect(audit).toMatchObject([{ reason: null, after: { rule: 'opening_hours', characters: reason.length } }])
    expect(JSON.stringify(audit)).not.toContain(reason)
  })

  test('is needed once: a move within a day stands by it, one beyond asks again', async ({ api, school }) => {
    const body = dualBody(school, { ...early, extra: { overrides } })
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
    const url = `/reservations/${id}`
    await expectOk(api, school.dispatcher, 'PATCH', url, earlier)
    const nextWeek = { start: '2026-12-01T05:00:00Z', end: '2026-12-01T07:00:00Z' }
    const refused = await api.as(school.dispatcher).patch(url, nextWeek)
    expect(refused.json()).toMatchObject({
      code: 'OUTSIDE_HOURS',
      details: {
        problems: [
          { field: 'start', overridable: true },
          { field: 'end', overridable: true },
        ],
      },
    })
    const moved = await expectOk<{ overrides: object[] }>(api, school.dispatcher, 'PATCH', url, {
      ...nextWeek,
      overrides,
    })
    expect(moved.overrides).toHaveLength(1)
  })

  test('that nothing needs is ignored, whoever asks for it', async ({ api, school }) => {
    const body = dualBody(school, { extra: { overrides } })
    expect(await expectOk(api, school.instructor, 'POST', '/reservations', body)).toMatchObject({ overrides: [] })
  })

  test('by the wrong role is refused, naming the rule, and nothing is kept', async ({ api, school }) => {
    const body = dualBody(school, { ...early, extra: { overrides } })
    const refused = await api.as(school.instructor).post('/reservations', body)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ code: 'OVERRIDE_NOT_ALLOWED', details: { rule: 'opening_hours' } })
    const { body: checked } = await api.as(school.instructor).post('/reservations/check', body)
    expect(JSON.parse(checked).data).toMatchObject({ ok: false, problems: [{ code: 'OVERRIDE_NOT_ALLOWED' }] })
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { approvalRequired: { student: true } } })
    const own = await api.as(school.student).post('/reservations', body)
    expect(own.statusCode).toBe(403)
    expect(own.json()).not.toHaveProperty('code')
    expect(await expectOk(api, school.admin, 'GET', '/audit?action=reservation.rule_overridden')).toEqual([])
  })

  test('of one rule leaves what else stands in the way', async ({ api, school }) => {
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
      grounded: true,
      reason: 'Flat strut',
    })
    const body = dualBody(school, { ...early, extra: { overrides } })
    const refused = await api.as(school.dispatcher).post('/reservations', body)
    expect(refused.json()).toMatchObject({ code: 'RESOURCE_GROUNDED', details: { problems: [{ overridable: false }] } })
  })

  test.for([
    [
      'a fixed rule',
      { rule: 'person_clash', reason },
      'overrides.0.rule: must be a rule that can be overridden; GET /rules lists them',
    ],
    [
      'an unknown rule',
      { rule: 'phase_of_moon', reason },
      'overrides.0.rule: must be a rule that can be overridden; GET /rules lists them',
    ],
    ['an unknown currency', { rule: 'currency:999999', reason }, 'overrides.0.rule: there is no such rule'],
    [
      'a short reason',
      { rule: 'opening_hours', reason: ' why ' },
      'overrides.0.reason: must have at least 5 characters',
    ],
  ] as const)('of %s is refused, needed or not', async ([_what, override, message], { api, school }) => {
    const body = dualBody(school, { extra: { overrides: [override] } })
    const refused = await api.as(school.admin).post('/reservations', body)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toBe(message)
  })

  test('covers every booking of a series, and the approval of a request', async ({ api, school }) => {
    const extra = { overrides, recurrence: { frequency: 'daily', count: 3 } }
    const series = await expectOk<{ overrides: object[] }[]>(
      ...([api, school.dispatcher, 'POST', '/reservations', dualBody(school, { ...early, extra })] as const),
    )
    expect(series.map((booking) => booking.overrides.length)).toEqual([1, 1, 1])
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { approvalRequired: { student: true } } })
    const personnel = seats({ instructors: [school.instructor], students: [school.student] })
    const asked = { ...dualBody(school), start: '2026-11-28T05:00:00Z', end: '2026-11-28T06:00:00Z', personnel }
    const { id } = await expectOk<{ id: number }>(api, school.student, 'POST', '/booking-requests', asked)
    const url = `/booking-requests/${id}/approve`
    expect((await api.as(school.dispatcher).post(url, {})).json()).toMatchObject({ code: 'OUTSIDE_HOURS' })
    expect(await expectOk(api, school.dispatcher, 'POST', url, { overrides })).toMatchObject({ status: 'approved' })
  })

  test('is kept once when the request is repeated under its key', async ({ api, school }) => {
    const body = dualBody(school, { ...early, extra: { overrides } })
    const post = () =>
      api.call('POST', '/reservations', {
        token: school.dispatcher.token,
        body,
        headers: { 'idempotency-key': 'a-phone-that-lost-its-signal' },
      })
    const [first, again] = [await post(), await post()]
    expect(again.body).toBe(first.body)
    const { id } = first.json().data
    expect(await expectOk(api, school.instructor, 'GET', `/reservations/${id}/history`)).toHaveLength(1)
  })

  test('of one’s own currency is an admin’s, and marked', async ({ api, school }) => {
    const currency = { name: 'Medical', kind: 'expiring', enforcement: 'block', appliesTo: 'everyone' }
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', {
      ...currency,
      roles: ['admin'],
    })
    const admin = await buildMember(api, school.organizationId, ['admin', 'instructor'])
    const personnel = seats({ instructors: [admin], students: [school.student] })
    const own = { rule: `currency:${id}`, orgUserId: admin.orgUserId, reason }
    const body = dualBody(school, { extra: { personnel, overrides: [own] } })
    await expectOk(api, admin, 'POST', '/reservations', body)
    const audit = await expectOk<Entry[]>(api, school.admin, 'GET', '/audit?action=reservation.rule_overridden')
    expect(audit).toMatchObject([{ after: { rule: `currency:${id}`, orgUserId: admin.orgUserId, self: true } }])
  })
})
