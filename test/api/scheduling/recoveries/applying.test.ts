import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildLocation, buildMember, buildPlane, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk, setRates } from '../../../support/flights.ts'
import type { OperationAnswer } from '../../../support/operations.ts'
import { applied, buildTwin, ground, type PlanAnswer, planned } from '../../../support/recoveries.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const hour = (h: number, day = 23) => `2026-11-${day}T${String(h).padStart(2, '0')}:00:00.000Z`
const at = (h: number, day = 23) => ({ start: hour(h, day), end: hour(h + 2, day) })
const HOUR_MS = 3_600_000

/** Plans a lesson that everybody has to agree to move, since no record holds its aircraft. Returns the booking and the plan. */
async function asserted(api: TestApp, school: School, who: Member = school.dispatcher) {
  const booked = await bookDual(api, school, at(8))
  return { booked, plan: await planned(api, who, { resourceIds: [school.plane.id] }) }
}

const apply = (api: TestApp, who: Member, { id }: PlanAnswer, body: object = {}) =>
  api.as(who).post(`/recoveries/${id}/apply`, body)

const given = (reservationId: number) => ({ consent: 'given', how: 'phone', reservationIds: [reservationId] })

const planOf = (api: TestApp, who: Member, { id }: PlanAnswer) =>
  expectOk<PlanAnswer>(api, who, 'GET', `/recoveries/${id}`)

const setPlane = (api: TestApp, { id }: School['plane'], values: object) =>
  api.core.database.db.updateTable('resource').set(values).where('id', '=', id).execute()

async function openOffers(api: TestApp, { organizationId }: School): Promise<number> {
  const open = "select from offer where organization_id = $1 and status = 'open'"
  return (await api.core.database.pool.query(open, [organizationId])).rowCount ?? 0
}

describe('applying a plan (§Recovery)', () => {
  test('somebody else of the desk applies a plan that only asks, and reads its operation', async ({ api, school }) => {
    await buildTwin(api, school)
    const { plan } = await asserted(api, school)
    const colleague = await buildMember(api, school.organizationId, ['dispatcher'])
    const asked = await expectOk<OperationAnswer>(api, colleague, 'POST', `/recoveries/${plan.id}/apply`, {})
    expect(asked).toMatchObject({ id: plan.id, kind: 'recovery', status: 'done' })
    expect(await expectOk(api, colleague, 'GET', `/operations/${plan.id}`)).toEqual(asked)
    expect((await api.as(school.student).get(`/operations/${plan.id}`)).statusCode).toBe(404)
  })

  test('a booking without a place that somebody moved meanwhile is not cancelled', async ({ api, school }) => {
    await buildTwin(api, school)
    const [rescued, stays] = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    await ground(api, school)
    const reach = { days: 0, pools: 'same' }
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { reach })
    expect(plan).toMatchObject({ displaced: 2, left: 2 })
    const other = await buildPlane(api, school)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${rescued}`, { resource: { id: other.id } })
    const cancelLeft = { reason: 'The aircraft is down', category: 'maintenance' }
    const done = await applied(api, school.dispatcher, plan.id, { cancelLeft })
    expect(done.plan.rows).toMatchObject([
      { reservationId: rescued, outcome: 'refused', applied: false, problems: [{ code: 'CHANGED_MEANWHILE' }] },
      { reservationId: stays, applied: true },
    ])
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${rescued}`)).toMatchObject({
      status: 'booked',
      resource: { id: other.id },
    })
  })

  test('a booking without a place is not cancelled once its aircraft is back', async ({ api, school }) => {
    const booked = await bookDual(api, school, at(8))
    await ground(api, school)
    const reach = { days: 0, pools: 'same' }
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { reach })
    expect(plan).toMatchObject({ displaced: 1, left: 1 })
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, { grounded: false })
    const cancelLeft = { reason: 'The aircraft is down', category: 'maintenance' }
    const done = await applied(api, school.dispatcher, plan.id, { cancelLeft })
    expect(done.plan.rows).toMatchObject([
      { reservationId: booked, outcome: 'refused', problems: [{ code: 'CHANGED_MEANWHILE' }] },
    ])
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${booked}`)).toMatchObject({ status: 'booked' })
  })

  test('two plans that are applied at once offer another place for a booking once', async ({ api, school, twin }) => {
    const { booked, plan } = await asserted(api, school)
    const cause = { resourceIds: [school.plane.id, twin.id] }
    const second = await planned(api, school.dispatcher, cause)
    expect(second.rows).toMatchObject([{ reservationId: booked, outcome: 'time' }])
    const answers = await Promise.all([plan, second].map((one) => apply(api, school.dispatcher, one)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409])
    expect(await openOffers(api, school)).toBe(1)
    const again = `insert into offer (organization_id, source, membership_id, type, starts_at, ends_at, moves_id, made_at,
        expires_at, holds_until)
      select organization_id, source, $2, type, starts_at + interval '1 year', ends_at + interval '1 year', moves_id,
        made_at, expires_at, holds_until from offer where organization_id = $1 and status = 'open'`
    const twice = api.core.database.pool.query(again, [school.organizationId, school.admin.orgUserId])
    await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'offer_moving' })
  })

  test('what cannot be offered is left, and says why', async ({ api, school, twin }) => {
    const [today, later] = [await bookDual(api, school, at(14, 21)), await bookDual(api, school, at(8))]
    await ground(api, school, twin.id)
    const cause = { resourceIds: [school.plane.id] }
    const plan = await planned(api, school.dispatcher, cause, { startDate: '2026-11-21', endDate: '2026-11-23' })
    expect(plan).toMatchObject({ displaced: 2, kept: 2, left: 0, rows: [{ outcome: 'time' }, { outcome: 'time' }] })
    api.clock.now = new Date('2026-11-21T12:55:00Z')
    expect((await apply(api, school.dispatcher, plan)).statusCode).toBe(202)
    const after = await planOf(api, school.dispatcher, plan)
    expect(after).toMatchObject({
      kept: 1,
      left: 1,
      rows: [
        { reservationId: today, outcome: 'left', offer: null, unoffered: 'too_late' },
        { reservationId: later, outcome: 'time', offer: { status: 'open' }, unoffered: null },
      ],
    })
  })

  test('what alone cannot be offered says why, though nothing is applied', async ({ api, school, twin }) => {
    await bookDual(api, school, at(14, 21))
    await ground(api, school, twin.id)
    const cause = { resourceIds: [school.plane.id] }
    const plan = await planned(api, school.dispatcher, cause, { startDate: '2026-11-21', endDate: '2026-11-23' })
    api.clock.now = new Date('2026-11-21T12:55:00Z')
    const refused = await apply(api, school.dispatcher, plan)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'CONSENT_NEEDED'])
    expect(await planOf(api, school.dispatcher, plan)).toMatchObject({
      status: 'ready',
      rows: [{ outcome: 'left', unoffered: 'too_late' }],
    })
  })

  test('what no message reaches is not offered', async ({ api, school }) => {
    await buildTwin(api, school)
    const preferences = [{ kind: 'slot_offered', inApp: false, push: false, email: false }]
    await expectOk(api, school.student, 'PATCH', '/notifications/preferences', { preferences })
    const { plan } = await asserted(api, school)
    expect((await apply(api, school.dispatcher, plan)).statusCode).toBe(409)
    expect(await openOffers(api, school)).toBe(0)
    const after = await planOf(api, school.dispatcher, plan)
    expect(after.rows).toMatchObject([{ outcome: 'left', unoffered: 'not_reached' }])
  })

  test('what was declined is left: the desk cannot say that the person agreed, but can cancel it', async ({
    api,
    school,
  }) => {
    await buildTwin(api, school)
    const { booked, plan } = await asserted(api, school)
    expect((await apply(api, school.dispatcher, plan)).statusCode).toBe(202)
    const [offer] = await expectOk<{ id: number }[]>(api, school.student, 'GET', '/offers')
    await expectOk(api, school.student, 'POST', `/offers/${offer!.id}/decline`, {})
    expect(plan.next).toBeNull()
    const declined = await planOf(api, school.dispatcher, plan)
    expect(declined).toMatchObject({ displaced: 1, kept: 0, left: 1 })
    expect(declined.next).toMatchObject({ method: 'POST', path: '/recoveries' })
    expect(declined.next!.body).toMatchObject({ cause: { reservationIds: [booked] }, reach: { days: 3 } })
    expect((await api.as(school.dispatcher).post('/recoveries', declined.next!.body)).statusCode).toBe(202)
    const said = await apply(api, school.dispatcher, plan, given(booked))
    expect([said.statusCode, said.json().code]).toEqual([409, 'NOT_PENDING'])
    const cancelLeft = { reason: 'No place suits', category: 'maintenance' }
    const done = await applied(api, school.dispatcher, plan.id, { cancelLeft })
    expect(done.plan.rows).toMatchObject([{ outcome: 'left', applied: true }])
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${booked}`)).toMatchObject({
      status: 'cancelled',
      cancellation: { reason: 'No place suits', category: 'maintenance' },
    })
  })

  test('what is left is cancelled in a category that never costs alone, whatever is left', async ({ api, school }) => {
    await buildTwin(api, school)
    const { plan } = await asserted(api, school)
    for (const category of ['student', 'no_show', 'zzz']) {
      const refused = await apply(api, school.dispatcher, plan, { cancelLeft: { reason: 'Down', category } })
      expect([refused.statusCode, refused.json().message], category).toEqual([
        400,
        'cancelLeft.category: must be one of weather, maintenance, instructor, administrative',
      ])
    }
    expect(await openOffers(api, school)).toBe(0)
  })

  test('an offer says what it costs, and what the rules warn of', async ({ api, school, twin }) => {
    await setRates(api, school, 6_000)
    const rates = 'update resource set wet_rate_cents = 18000 where organization_id = $1 and id = $2'
    await api.core.database.pool.query(rates, [school.organizationId, twin.id])
    const { plan } = await asserted(api, school)
    expect((await apply(api, school.dispatcher, plan)).statusCode).toBe(202)
    const [offer] = await expectOk<object[]>(api, school.student, 'GET', '/offers')
    expect(offer).toMatchObject({ estimatedCents: 2 * (18_000 + 6_000) })
  })
})

/** What changes after a plan that nobody had to agree to, and what its row then says. */
const changesSince: [string, (world: { api: TestApp; school: School; twin: School['plane'] }) => Promise<unknown>][] = [
  ['costs more', ({ api, twin }) => setPlane(api, twin, { wet_rate_cents: 99_900 })],
  ['is of another model', ({ api, twin }) => setPlane(api, twin, { model: '182T' })],
  [
    'is elsewhere',
    async ({ api, school, twin }) => {
      const { id } = await buildLocation(api, school.organizationId, { name: 'Oakland' })
      return setPlane(api, twin, { location_id: id })
    },
  ],
  [
    'has a warning about its student',
    ({ api, school, twin }) =>
      expectOk(api, school.admin, 'POST', '/currencies', {
        name: 'Glass cockpit',
        kind: 'expiring',
        enforcement: 'warn',
        roles: ['student'],
        resourceIds: [twin.id],
      }),
  ],
  [
    'is not needed, since its own aircraft is back',
    ({ api, school }) =>
      expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, { grounded: false }),
  ],
]

describe('a place that nobody had to agree to when it was planned (§Recovery)', () => {
  test.for(changesSince)('is refused when it %s by now', async ([, change], { api, school, twin }) => {
    const booked = await bookDual(api, school, at(8))
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan.rows).toMatchObject([{ outcome: 'aircraft', consent: [] }])
    await change({ api, school, twin })
    const done = await applied(api, school.dispatcher, plan.id)
    expect(done.plan.rows).toMatchObject([
      { reservationId: booked, outcome: 'refused', applied: false, problems: [{ code: 'CONSENT_NEEDED' }] },
    ])
  })

  test('is refused too when its people agreed to another time alone', async ({ api, school, twin }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(api, { ...school, plane: twin, student, instructor }, at(8))
    const booked = await bookDual(api, school, at(8))
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan.rows).toMatchObject([{ consent: [{ because: 'other_time' }] }])
    await setPlane(api, twin, { model: '182T' })
    const done = await applied(api, school.dispatcher, plan.id, given(booked))
    expect(done.plan.rows).toMatchObject([{ outcome: 'refused', problems: [{ code: 'CONSENT_NEEDED' }] }])
  })
})

describe('consent in a name (§Recovery)', () => {
  test('nobody records it for a lesson that they give themselves', async ({ api, school }) => {
    const dispatching = await buildMember(api, school.organizationId, ['instructor', 'dispatcher'])
    const booked = await bookDual(api, school, at(8))
    const cause = { reservationIds: [booked], instructorOrgUserIds: [school.instructor.orgUserId] }
    const reach = { instructors: 'any', days: 0 }
    const plan = await planned(api, dispatching, cause, { reach })
    expect(plan.rows).toMatchObject([{ to: { instructorOrgUserId: dispatching.orgUserId } }])
    expect((await apply(api, dispatching, plan, given(booked))).statusCode).toBe(403)
    await applied(api, school.dispatcher, plan.id, given(booked))
    const history = await expectOk<{ action: string }[]>(
      api,
      school.dispatcher,
      'GET',
      `/reservations/${booked}/history`,
    )
    expect(history).toContainEqual(
      expect.objectContaining({
        action: 'consent_given',
        by: { orgUserId: school.dispatcher.orgUserId, name: school.dispatcher.name },
        after: expect.objectContaining({ how: 'phone', onBehalfOf: school.student.orgUserId }),
      }),
    )
  })

  test('whoever was agreed for cancels for 24 hours, until 2 hours before the start, whatever the notice', async ({
    api,
    school,
  }) => {
    await buildTwin(api, school)
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { cancellationNoticeHours: 168 } })
    const cancel = (id: number, who = school.student) =>
      api.call('DELETE', `/reservations/${id}`, { token: who.token, body: { category: 'student', reason: 'Not me' } })
    const { booked, plan } = await asserted(api, school)
    await applied(api, school.dispatcher, plan.id, given(booked))
    const agreed = api.clock.now.getTime()
    expect((await cancel(booked, school.instructor)).statusCode).toBe(400)
    api.clock.now = new Date(agreed + 24 * HOUR_MS + 1)
    expect((await cancel(booked)).statusCode).toBe(400)
    api.clock.now = new Date(agreed + 24 * HOUR_MS)
    expect((await cancel(booked)).statusCode).toBe(204)
  })
})

describe('who was agreed for cancels no more within the notice (§Recovery, safety S91)', () => {
  const since: [string, (api: TestApp, school: School, id: number) => Promise<unknown>][] = [
    [
      'the desk restored what they cancelled',
      async (api, school, id) => {
        await api.call('DELETE', `/reservations/${id}`, {
          token: school.student.token,
          body: { category: 'student', reason: 'Not me' },
        })
        return expectOk(api, school.dispatcher, 'POST', `/reservations/${id}/restore`)
      },
    ],
    ['they moved it', (api, { student }, id) => expectOk(api, student, 'PATCH', `/reservations/${id}`, at(14))],
  ]
  test.for(since)('since %s', async ([, change], { api, school }) => {
    await buildTwin(api, school)
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { cancellationNoticeHours: 168 } })
    const { booked, plan } = await asserted(api, school)
    await applied(api, school.dispatcher, plan.id, given(booked))
    await change(api, school, booked)
    const body = { category: 'student', reason: 'Not me' }
    const again = await api.call('DELETE', `/reservations/${booked}`, { token: school.student.token, body })
    expect(again.statusCode).toBe(400)
  })
})

describe('the cause of a recovery (§Recovery)', () => {
  test('is not over', async ({ api, school }) => {
    await buildTwin(api, school)
    const booked = await bookDual(api, school, at(8))
    const closure = { start: hour(6), end: hour(11), reason: 'Fog' }
    const { id: closureId } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/closures', closure)
    api.clock.now = new Date('2026-11-24T12:00:00Z')
    for (const cause of [{ closureId }, { reservationIds: [booked] }]) {
      const body = { cause, startDate: '2026-11-24', endDate: '2026-11-25' }
      const refused = await api.as(school.dispatcher).post('/recoveries', body)
      expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringMatching(/^cause\..*: is over/)])
    }
    const past = { cause: { resourceIds: [school.plane.id] }, startDate: '2026-11-22', endDate: '2026-11-23' }
    const refused = await api.as(school.dispatcher).post('/recoveries', past)
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'endDate: is over'])
  })
})
