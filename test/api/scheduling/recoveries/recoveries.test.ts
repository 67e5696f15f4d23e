import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { judgeSoFar } from '../../../support/at-risk.ts'
import { buildMember, buildPlane, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { buildSquawk } from '../../../support/maintenance.ts'
import { type OperationAnswer, work } from '../../../support/operations.ts'
import { applied, buildTwin, ground, type PlanAnswer, planned, recoveryWindow } from '../../../support/recoveries.ts'
import { cancel, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const hour = (h: number, day = 23) => `2026-11-${day}T${String(h).padStart(2, '0')}:00:00.000Z`
const at = (h: number, day = 23) => ({ start: hour(h, day), end: hour(h + 2, day) })

/** Books a lesson on an aircraft that is then grounded, while the other one of its model is taken. Returns its id. */
async function onlyLater(api: TestApp, school: School, twin: School['plane']): Promise<number> {
  const booked = await bookDual(api, school, at(8))
  const student = await buildMember(api, school.organizationId, ['student'])
  const instructor = await buildMember(api, school.organizationId, ['instructor'])
  await bookDual(api, { ...school, plane: twin, student, instructor }, at(8))
  await ground(api, school)
  return booked
}

interface Booking {
  start: string
  resource: { id: number }
  updatedAt: string
}

describe('a recovery (§Recovery)', () => {
  test('of a grounded aircraft: its lessons go to the other one of the model, which nobody has to agree to', async ({
    api,
    school,
    twin,
  }) => {
    const [first, second] = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    const elsewhere = await bookDual(api, school, { ...at(15), extra: { resource: { id: twin.id } } })
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan).toMatchObject({ status: 'ready', displaced: 2, kept: 2, left: 0, gapPercent: 0, asserted: false })
    const to = { resourceId: twin.id, instructorOrgUserId: school.instructor.orgUserId }
    expect(plan.rows).toMatchObject([
      { reservationId: first, outcome: 'aircraft', to: { ...at(8), ...to }, consent: [], points: 130 },
      { reservationId: second, outcome: 'aircraft', to: { ...at(12), ...to }, consent: [], points: 130 },
    ])
    const before = await expectOk<Booking>(api, school.dispatcher, 'GET', `/reservations/${elsewhere}`)
    const done = await applied(api, school.dispatcher, plan.id)
    expect(done.operation).toMatchObject({ status: 'done', succeeded: 2, failed: 0, result: { applied: true } })
    expect(done.operation.result).not.toHaveProperty('next')
    expect(done.plan).toMatchObject({ status: 'applied', rows: [{ applied: true }, { applied: true }] })
    for (const id of [first, second]) {
      const booking = await expectOk<Booking>(api, school.dispatcher, 'GET', `/reservations/${id}`)
      expect(booking.resource.id).toBe(twin.id)
    }
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${elsewhere}`)).toEqual(before)
    const again = await api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, {})
    expect([again.statusCode, again.json().code]).toEqual([409, 'NOT_PENDING'])
  })

  test('where only another time is free: the student has to agree, is offered the place, and accepts it', async ({
    api,
    school,
    twin,
  }) => {
    const booked = await onlyLater(api, school, twin)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    const { orgUserId } = school.student
    expect(plan.rows).toMatchObject([
      {
        reservationId: booked,
        outcome: 'time',
        to: at(6),
        consent: [{ orgUserId, because: 'other_time' }],
        points: 118,
      },
    ])
    const asked = await expectOk<OperationAnswer>(api, school.dispatcher, 'POST', `/recoveries/${plan.id}/apply`, {})
    expect(asked.id).toBe(plan.id)
    const [offer] = await expectOk<{ id: number }[]>(api, school.student, 'GET', '/offers')
    expect(offer).toMatchObject({ source: 'recovery', status: 'open', ...at(6) })
    expect(await expectOk(api, school.student, 'GET', `/reservations/${booked}`)).toMatchObject(at(8))
    const again = await api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, {})
    expect([again.statusCode, again.json().code]).toEqual([409, 'NOT_PENDING'])
    await expectOk(api, school.student, 'POST', `/offers/${offer!.id}/accept`, {})
    expect(await expectOk(api, school.student, 'GET', `/reservations/${booked}`)).toMatchObject(at(6))
    const after = await expectOk<PlanAnswer>(api, school.dispatcher, 'GET', `/recoveries/${plan.id}`)
    expect(after.rows).toMatchObject([{ outcome: 'time', applied: true, offer: { id: offer!.id, status: 'accepted' } }])
  })

  test('an offer that is declined leaves its booking where it is; ending the recovery withdraws the open ones', async ({
    api,
    school,
    twin,
  }) => {
    const booked = await onlyLater(api, school, twin)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await expectOk(api, school.dispatcher, 'POST', `/recoveries/${plan.id}/apply`, {})
    const [offer] = await expectOk<{ id: number }[]>(api, school.student, 'GET', '/offers')
    await expectOk(api, school.student, 'POST', `/offers/${offer!.id}/decline`, {})
    const left = await expectOk<PlanAnswer>(api, school.dispatcher, 'GET', `/recoveries/${plan.id}`)
    expect(left.rows).toMatchObject([{ outcome: 'left', applied: false, offer: { status: 'declined' } }])
    const second = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await expectOk(api, school.dispatcher, 'POST', `/recoveries/${second.id}/apply`, {})
    expect((await api.as(school.dispatcher).delete(`/recoveries/${second.id}`)).statusCode).toBe(204)
    const offers = await expectOk<{ status: string }[]>(api, school.student, 'GET', '/offers?sort=id')
    expect(offers.map(({ status }) => status)).toEqual(['declined', 'withdrawn'])
    expect(await expectOk(api, school.student, 'GET', `/reservations/${booked}`)).toMatchObject(at(8))
  })

  test.for([['by a run'], ['when it is accepted']] as const)(
    'an offer whose booking the desk moved is withdrawn %s, and the booking stays',
    async ([when], { api, school, twin }) => {
      const booked = await onlyLater(api, school, twin)
      const { id } = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
      await expectOk(api, school.dispatcher, 'POST', `/recoveries/${id}/apply`, {})
      const elsewhere = { ...at(9, 24), resource: { id: twin.id } }
      await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${booked}`, elsewhere)
      if (when === 'by a run') await offerSoFar(api, school)
      const [offer] = await offersOf(api, school.student)
      expect(offer!.status).toBe(when === 'by a run' ? 'withdrawn' : 'open')
      const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`, {})
      expect([accepted.statusCode, accepted.json().code]).toEqual([409, 'OFFER_ENDED'])
      expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn' }])
      expect(await expectOk(api, school.student, 'GET', `/reservations/${booked}`)).toMatchObject(at(9, 24))
    },
  )

  test('an offer whose booking is cancelled ends, and nothing is marked where none is open', async ({
    api,
    school,
    twin,
  }) => {
    const marks = async () => {
      const { rows } = await api.core.database.pool.query(
        "select from job_mark where organization_id = $1 and job = 'waitlist.offer-places'",
        [school.organizationId],
      )
      return rows.length
    }
    const booked = await onlyLater(api, school, twin)
    const { id } = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(await marks()).toBe(0)
    await expectOk(api, school.dispatcher, 'POST', `/recoveries/${id}/apply`, {})
    await cancel(api, school, booked)
    expect(await marks()).toBeGreaterThan(0)
    await offerSoFar(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'impossible' }])
  })

  test('what the desk heard on the phone is applied at once, and the audit log says so', async ({
    api,
    school,
    twin,
  }) => {
    const booked = await onlyLater(api, school, twin)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    const apply = (body: object) => api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, body)
    expect((await apply({ consent: 'given', how: 'phone' })).statusCode).toBe(400)
    expect((await apply({ consent: 'given', reservationIds: [booked] })).statusCode).toBe(400)
    expect((await apply({ reservationIds: [booked + 1_000] })).statusCode).toBe(400)
    await applied(api, school.dispatcher, plan.id, { consent: 'given', how: 'phone', reservationIds: [booked] })
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${booked}`)).toMatchObject(at(6))
    const { rows } = await api.core.database.pool.query(
      "select after from event where organization_id = $1 and kind = 'recovery.applied'",
      [school.organizationId],
    )
    expect(rows).toMatchObject([{ after: { given: { how: 'phone', reservationIds: [booked] } } }])
  })

  test('a lesson that starts within the hour is offered to nobody: the desk has to ask', async ({
    api,
    school,
    twin,
  }) => {
    await bookDual(api, school, at(13, 21))
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { startDate: '2026-11-21' })
    expect(plan.rows).toMatchObject([{ to: { resourceId: twin.id } }])
    const refused = await api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, {})
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'CONSENT_NEEDED'])
  })

  test('what has no place is left with its problems; the next plan is answered, and the desk can cancel', async ({
    api,
    school,
  }) => {
    const [lesson, solo] = [
      await bookDual(api, school, at(8)),
      await bookDual(api, school, { ...at(11), extra: { resource: { id: (await buildPlane(api, school)).id } } }),
    ]
    await ground(api, school)
    const reach = { pools: 'same' }
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { reach })
    expect(plan).toMatchObject({ displaced: 1, kept: 0, left: 1 })
    expect(plan.rows).toMatchObject([
      { reservationId: lesson, outcome: 'left', to: null, problems: [{ code: 'RESOURCE_GROUNDED' }], points: 0 },
    ])
    const nothing = await api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, {})
    expect([nothing.statusCode, nothing.json().code]).toEqual([409, 'NOT_PENDING'])
    const [category] = ['weather']
    const cancelLeft = { reason: 'The aircraft is down', category }
    const done = await applied(api, school.dispatcher, plan.id, { cancelLeft })
    expect(done.operation).toMatchObject({ status: 'done', succeeded: 1 })
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${lesson}`)).toMatchObject({
      status: 'cancelled',
    })
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${solo}`)).not.toMatchObject({
      status: 'cancelled',
    })
  })

  test('of an aircraft that no record holds: the cause is believed, said, and everybody has to agree', async ({
    api,
    school,
    twin,
  }) => {
    await bookDual(api, school, at(8))
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan).toMatchObject({ displaced: 1, asserted: true })
    expect(plan.rows[0]).toMatchObject({ to: { resourceId: twin.id }, consent: [{ because: 'other_aircraft' }] })
  })

  test.for<[string, string, boolean]>([
    ['forbids none of its bookings: all are displaced, and the cause is asserted', 'night', true],
    ['forbids them: those are displaced, and the cause is on record', 'for_hire_or_instruction', false],
  ])('of an aircraft with a deferral that %s', async ([, excluded, asserted], { api, school, twin }) => {
    const booked = await bookDual(api, school, at(10))
    const squawk = await buildSquawk(api, school, { reportedBy: school.technician, status: 'deferred' })
    const excludes = 'update squawk set excluded_operations = $2 where id = $1'
    await api.core.database.pool.query(excludes, [squawk, JSON.stringify([excluded])])
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan).toMatchObject({ displaced: 1, asserted })
    expect(plan.rows).toMatchObject([{ reservationId: booked, to: { resourceId: twin.id } }])
  })

  test('of an instructor who is away: another one teaches, or the own one on another day', async ({ api, school }) => {
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const booked = await bookDual(api, school, at(8))
    const cause = { instructorOrgUserIds: [school.instructor.orgUserId] }
    const window = { startDate: '2026-11-23', endDate: '2026-11-23' }
    const own = await planned(api, school.dispatcher, cause, window)
    expect(own.rows).toMatchObject([{ reservationId: booked, outcome: 'time', consent: [{ because: 'other_time' }] }])
    expect(own.rows[0]!.to!.start < hour(0) || own.rows[0]!.to!.start >= hour(0, 24)).toBe(true)
    const any = await planned(api, school.dispatcher, cause, { ...window, reach: { instructors: 'any' } })
    expect(any.rows).toMatchObject([
      {
        outcome: 'instructor',
        to: { ...at(8), instructorOrgUserId: other.orgUserId },
        consent: [{ because: 'other_instructor' }],
      },
    ])
    await applied(api, school.dispatcher, any.id, { consent: 'given', how: 'counter', reservationIds: [booked] })
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${booked}`)).toMatchObject({
      personnel: { instructors: [{ orgUserId: other.orgUserId }] },
    })
  })

  test('of a closure: what it holds goes to its other times, and the window does not matter', async ({
    api,
    school,
  }) => {
    const booked = await bookDual(api, school, at(8))
    await bookDual(api, school, at(14))
    const closure = { start: hour(6), end: hour(11), reason: 'Fog' }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/closures', closure)
    const plan = await planned(
      api,
      school.dispatcher,
      { closureId: id },
      { startDate: '2026-11-25', endDate: '2026-11-25' },
    )
    expect(plan.rows).toMatchObject([{ reservationId: booked, outcome: 'time', to: at(11) }])
  })

  test('a booking that its student moved meanwhile is refused, and stays where it is', async ({
    api,
    school,
    twin,
  }) => {
    const [moved, stays] = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${moved}`, {
      ...at(9, 24),
      resource: { id: twin.id },
    })
    const done = await applied(api, school.dispatcher, plan.id)
    expect(done.plan.rows).toMatchObject([
      { reservationId: moved, outcome: 'refused', applied: false, problems: [{ code: 'CHANGED_MEANWHILE' }] },
      { reservationId: stays, outcome: 'aircraft', applied: true },
    ])
    expect(done.operation.result).toMatchObject({
      next: { method: 'POST', path: '/recoveries', body: { cause: { reservationIds: [moved] } } },
    })
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${moved}`)).toMatchObject(at(9, 24))
    const { next } = done.operation.result as { next: { path: string; body: object } }
    await expectOk(api, school.dispatcher, 'POST', next.path, next.body)
  })

  test('an old plan is not applied, and one planning runs at a time', async ({ api, school, twin }) => {
    await bookDual(api, school, { ...at(8, 26) })
    await ground(api, school)
    const cause = { resourceIds: [school.plane.id] }
    const plan = await planned(api, school.dispatcher, cause)
    expect(plan.rows).toMatchObject([{ to: { resourceId: twin.id } }])
    const open = await expectOk<OperationAnswer>(api, school.dispatcher, 'POST', '/recoveries', {
      cause,
      ...recoveryWindow,
    })
    const second = await api.as(school.dispatcher).post('/recoveries', { cause, ...recoveryWindow })
    expect([second.statusCode, second.json().code]).toEqual([409, 'RECOVERY_RUNNING'])
    expect((await api.as(school.dispatcher).delete(`/recoveries/${open.id}`)).statusCode).toBe(204)
    await work(api, { organizationId: school.organizationId, operationId: open.id })
    const statuses = await expectOk<{ id: number; status: string }[]>(api, school.dispatcher, 'GET', '/recoveries')
    expect(statuses.map(({ id, status }) => [id, status])).toEqual([
      [open.id, 'ended'],
      [plan.id, 'ready'],
    ])
    const ended = await api.as(school.dispatcher).post(`/recoveries/${open.id}/apply`, {})
    expect([ended.statusCode, ended.json().code]).toEqual([409, 'NOT_PENDING'])
    api.clock.now = new Date(api.clock.now.getTime() + 25 * 3_600_000)
    const late = await api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, {})
    expect([late.statusCode, late.json().code]).toEqual([409, 'PLAN_OUTDATED'])
  })

  test('is planned one at a time over all schools of an owner', async ({ api, school }) => {
    const second = await buildSchool(api)
    const own =
      'update membership set owner = true, account_id = (select account_id from membership where id = $1) where id = $2'
    for (const to of [school.admin, second.admin]) {
      await api.core.database.pool.query(own, [school.admin.orgUserId, to.orgUserId])
    }
    const start = ({ dispatcher, plane }: School) =>
      api.as(dispatcher).post('/recoveries', { cause: { resourceIds: [plane.id] }, ...recoveryWindow })
    const started = await start(school)
    expect(started.statusCode).toBe(202)
    expect((await start(second)).json()).toMatchObject({ code: 'RECOVERY_RUNNING' })
    await work(api, { organizationId: school.organizationId, operationId: started.json().data.id })
    expect((await start(second)).statusCode).toBe(202)
  })

  test('takes at most 200 bookings', async ({ api, school }) => {
    const { organizationId, dispatcher } = school
    await api.core.database.pool.query(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by)
       select $1, 'Ground lesson', 'ground', timestamptz '2026-11-23T08:00Z', '2026-11-23T10:00Z', 'UTC', $2
       from generate_series(1, 201)`,
      [organizationId, dispatcher.orgUserId],
    )
    const closure = { ...at(7), reason: 'Fog' }
    const { id: closureId } = await expectOk<{ id: number }>(api, dispatcher, 'POST', '/closures', closure)
    const refused = await api.as(dispatcher).post('/recoveries', { cause: { closureId }, ...recoveryWindow })
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'cause: takes more than 200 bookings; please choose a shorter window',
    ])
  })

  test('is refused while twelve of all organizations wait', async ({ api, school }) => {
    const other = await buildSchool(api)
    await api.core.database.pool.query(
      `insert into operation (organization_id, kind, started_by, atomic, total, input, created_at)
       select $1, 'recovery', $2, false, 0, '{}', now() from generate_series(1, 12)`,
      [other.organizationId, other.dispatcher.orgUserId],
    )
    const cause = { resourceIds: [school.plane.id] }
    const refused = await api.as(school.dispatcher).post('/recoveries', { cause, ...recoveryWindow })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30'])
    await api.core.database.pool.query(
      "update operation set ended_at = now(), status = 'done' where organization_id = $1 and ended_at is null",
      [other.organizationId],
    )
    expect(await planned(api, school.dispatcher, cause)).toMatchObject({ status: 'ready', displaced: 0 })
  })

  test('groundings, closures, time off and bookings at risk answer the request that plans a recovery, to the desk alone', async ({
    api,
    school,
    twin,
  }) => {
    const booked = await bookDual(api, school, at(8))
    const grounding = { grounded: true, reason: 'Flat strut' }
    type Suggesting = { recovery?: { path: string; body: { cause: object } } }
    const post = (who: Member, url: string, body: object) => expectOk<Suggesting>(api, who, 'POST', url, body)
    const closed = await post(school.dispatcher, '/closures', { ...at(7), reason: 'Fog', resourceId: school.plane.id })
    const away = { ...at(7), orgUserId: school.instructor.orgUserId }
    const timeOff = await post(school.dispatcher, '/availability/timeOff', away)
    const squawk = { resource: { id: school.plane.id }, title: 'Flat strut', severity: 'grounding' }
    const reported = await post(school.dispatcher, '/maintenance/squawks', squawk)
    const grounded = await expectOk<Suggesting>(
      api,
      school.admin,
      'PATCH',
      `/resources/${school.plane.id}/grounding`,
      grounding,
    )
    const causes = [closed, timeOff, reported, grounded].map(({ recovery }) => recovery?.body.cause)
    const { id: closureId } = closed as unknown as { id: number }
    expect(causes).toEqual([
      { closureId },
      { instructorOrgUserIds: [school.instructor.orgUserId] },
      { resourceIds: [school.plane.id] },
      { resourceIds: [school.plane.id] },
    ])
    await judgeSoFar(api, school.organizationId)
    const risky = await expectOk<Suggesting[]>(api, school.dispatcher, 'GET', '/reservations/atRisk')
    expect(risky.map(({ recovery }) => recovery?.body.cause)).toEqual([{ reservationIds: [booked] }])
    const { path, body } = grounded.recovery!
    await expectOk(api, school.dispatcher, 'POST', path, body)
    expect(await post(school.student, '/maintenance/squawks', squawk)).not.toHaveProperty('recovery')
    const idle = { resource: { id: twin.id }, title: 'Radio', severity: 'grounding' }
    expect(await post(school.dispatcher, '/maintenance/squawks', idle)).not.toHaveProperty('recovery')
    const [theirs] = await expectOk<Suggesting[]>(api, school.instructor, 'GET', '/reservations/atRisk')
    expect(theirs).not.toHaveProperty('recovery')
  })

  test('ids of another school are answered as ids that nobody has', async ({ api, school }) => {
    const other = await buildSchool(api)
    const foreign = await bookDual(api, other)
    const post = (cause: object) => api.as(school.dispatcher).post('/recoveries', { cause, ...recoveryWindow })
    for (const [name, id, none] of [
      ['resourceIds', [other.plane.id], [2_000_000_000]],
      ['reservationIds', [foreign], [2_000_000_000]],
      ['instructorOrgUserIds', [other.instructor.orgUserId], [2_000_000_000]],
      ['closureId', 1, 2_000_000_000],
    ] as const) {
      const [theirs, nobodys] = [await post({ [name]: id }), await post({ [name]: none })]
      expect([theirs.statusCode, theirs.json().message], name).toEqual([400, nobodys.json().message])
    }
    expect((await post({})).statusCode).toBe(400)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan).toMatchObject({ status: 'ready', displaced: 0, rows: [] })
    for (const url of [`/recoveries/${plan.id}`, `/recoveries/${plan.id}/apply`]) {
      const method = url.endsWith('apply') ? 'POST' : 'GET'
      const answer = await api.call(method, url, {
        token: other.dispatcher.token,
        ...(method === 'POST' && { body: {} }),
      })
      expect(answer.statusCode).toBe(404)
    }
    expect((await api.as(other.dispatcher).delete(`/recoveries/${plan.id}`)).statusCode).toBe(404)
  })

  test('is read by the desk alone; after 30 days the rows keep the ids and outcomes alone', async ({
    api,
    school,
    twin,
  }) => {
    await bookDual(api, school, at(8))
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan.rows).toMatchObject([{ to: { resourceId: twin.id } }])
    for (const who of [school.student, school.instructor]) {
      expect((await api.as(who).get(`/recoveries/${plan.id}`)).statusCode).toBe(403)
    }
    // Technicians read their own alone.
    expect((await api.as(school.technician).get(`/recoveries/${plan.id}`)).statusCode).toBe(404)
    expect((await api.as(school.admin).get(`/recoveries/${plan.id}`)).statusCode).toBe(200)
    await api.core.database.pool.query('delete from recovery where organization_id = $1', [school.organizationId])
    const { rows } = await api.core.database.pool.query(
      'select outcome, detail from operation_row where organization_id = $1 and operation_id = $2',
      [school.organizationId, plan.id],
    )
    expect(rows).toEqual([{ outcome: 'aircraft', detail: null }])
  })
})
