import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { asOwner } from '../../../support/database.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { type OperationAnswer, work } from '../../../support/operations.ts'
import { applied, buildTwin, type PlanAnswer } from '../../../support/recoveries.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const hour = (h: number, day = 23) => `2026-11-${day}T${String(h).padStart(2, '0')}:00:00.000Z`
const at = (h: number, day = 23) => ({ start: hour(h, day), end: hour(h + 2, day) })
const workBody = (school: School, more: object = {}) => ({
  title: '100-hour inspection',
  type: 'maintenance',
  start: hour(8),
  end: hour(16),
  timeZoneName: 'UTC',
  resource: { id: school.plane.id },
  displace: true,
  ...more,
})

interface Cause {
  cause: { maintenance: { title: string; start: string; reservationId: number | null } }
}

/** Asks for maintenance that displaces bookings, and plans it. Returns the id of the recovery. */
async function displaced(api: TestApp, who: Member, school: School, more: object = {}): Promise<number> {
  const { id } = await expectOk<OperationAnswer>(api, who, 'POST', '/reservations', workBody(school, more))
  await work(api, { organizationId: school.organizationId, operationId: id })
  return id
}

const planOf = (api: TestApp, who: Member, id: number) =>
  expectOk<PlanAnswer & Cause>(api, who, 'GET', `/recoveries/${id}`)
const applying = (api: TestApp, school: School, id: number, body: object = {}) =>
  api.as(school.dispatcher).post(`/recoveries/${id}/apply`, body)

/** Returns the live bookings of the aircraft, and how many of them overlap. */
async function onAircraft(api: TestApp, { organizationId, plane }: School) {
  const { rows } = await api.core.database.pool.query(
    `select r.id, r.type, (select count(*)::int from reservation o where o.organization_id = r.organization_id
        and o.resource_id = r.resource_id and o.id <> r.id and o.live
        and tstzrange(o.starts_at, o.ends_at) && tstzrange(r.starts_at, r.ends_at)) as overlaps
     from reservation r where r.organization_id = $1 and r.resource_id = $2 and r.live order by r.starts_at`,
    [organizationId, plane.id],
  )
  return rows as { id: number; type: string; overlaps: number }[]
}

/** Takes the other aircraft at 8, so that a lesson then has to move to another time. */
async function takeTwin(api: TestApp, school: School, twin: School['plane']): Promise<void> {
  const student = await buildMember(api, school.organizationId, ['student'])
  const instructor = await buildMember(api, school.organizationId, ['instructor'])
  await bookDual(api, { ...school, plane: twin, student, instructor }, at(8))
}

describe('maintenance that displaces bookings (§Shop slots)', () => {
  test('is written together with the moves when the plan is applied, and the plan changes nothing before', async ({
    api,
    school,
    twin,
  }) => {
    const ids = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    const plain = await api.as(school.technician).post('/reservations', workBody(school, { displace: false }))
    expect([plain.statusCode, plain.json().code]).toEqual([400, 'RESOURCE_CLASH'])
    const answer = await api.as(school.dispatcher).post('/reservations', workBody(school))
    expect([answer.statusCode, answer.json().data.kind]).toEqual([202, 'recovery'])
    const { id } = answer.json().data
    await work(api, { organizationId: school.organizationId, operationId: id })
    const plan = await planOf(api, school.dispatcher, id)
    expect(plan).toMatchObject({ status: 'ready', displaced: 2, kept: 2, asserted: false })
    expect(plan.cause.maintenance).toMatchObject({ title: '100-hour inspection', start: hour(8), reservationId: null })
    expect(plan.rows).toMatchObject(ids.map((reservationId) => ({ reservationId, outcome: 'aircraft', consent: [] })))
    expect((await onAircraft(api, school)).map((one) => one.id)).toEqual(ids)
    const done = await applied(api, school.dispatcher, id)
    expect(done.operation).toMatchObject({ status: 'done', succeeded: 2, failed: 0, result: { applied: true } })
    expect(done.plan).toMatchObject({ status: 'applied', rows: [{ applied: true }, { applied: true }] })
    const { reservationId } = (await planOf(api, school.dispatcher, id)).cause.maintenance
    expect(await onAircraft(api, school)).toEqual([{ id: reservationId, type: 'maintenance', overlaps: 0 }])
    for (const one of ids) {
      const booking = await expectOk<{ resource: { id: number } }>(
        api,
        school.dispatcher,
        'GET',
        `/reservations/${one}`,
      )
      expect(booking.resource.id).toBe(twin.id)
    }
    const again = await applying(api, school, id)
    expect([again.statusCode, again.json().code]).toEqual([409, 'NOT_PENDING'])
  })

  test('is written without a plan for others when nothing is in its way', async ({ api, school }) => {
    const id = await displaced(api, school.dispatcher, school)
    expect(await planOf(api, school.dispatcher, id)).toMatchObject({ status: 'ready', displaced: 0 })
    expect((await applying(api, school, id)).statusCode).toBe(202)
    expect(await onAircraft(api, school)).toMatchObject([{ type: 'maintenance' }])
  })

  test('who has to agree did, or is cancelled, or nothing is written', async ({ api, school, twin }) => {
    const booked = await bookDual(api, school, at(8))
    await takeTwin(api, school, twin)
    const id = await displaced(api, school.dispatcher, school)
    expect((await planOf(api, school.dispatcher, id)).rows).toMatchObject([
      { reservationId: booked, outcome: 'time', consent: [{ because: 'other_time' }] },
    ])
    const refused = await applying(api, school, id)
    expect([refused.statusCode, refused.json().code, refused.json().details]).toEqual([
      409,
      'CONSENT_NEEDED',
      { reservationIds: [booked] },
    ])
    expect(await onAircraft(api, school)).toEqual([{ id: booked, type: 'dual', overlaps: 0 }])
    expect(await expectOk(api, school.student, 'GET', '/offers')).toEqual([])
    await applied(api, school.dispatcher, id, { consent: 'given', how: 'phone', reservationIds: [booked] })
    expect((await onAircraft(api, school)).filter(({ overlaps }) => overlaps > 0)).toEqual([])
    const { rows } = await api.core.database.pool.query(
      "select after from event where organization_id = $1 and kind = 'recovery.applied'",
      [school.organizationId],
    )
    expect(rows).toMatchObject([{ after: { given: { how: 'phone', reservationIds: [booked] } } }])
  })

  test('cancelLeft cancels who did not agree, with the maintenance in one transaction', async ({
    api,
    school,
    twin,
  }) => {
    const booked = await bookDual(api, school, at(8))
    await takeTwin(api, school, twin)
    const id = await displaced(api, school.dispatcher, school)
    const cancelLeft = { reason: 'The aircraft is in the shop', category: 'maintenance' }
    await applied(api, school.dispatcher, id, { cancelLeft })
    expect(await onAircraft(api, school)).toMatchObject([{ type: 'maintenance', overlaps: 0 }])
    const booking = await expectOk<{ cancelledAt: string | null }>(
      api,
      school.student,
      'GET',
      `/reservations/${booked}`,
    )
    expect(booking.cancelledAt).not.toBeNull()
    const { rows } = await api.core.database.pool.query(
      `select count(distinct transaction_id)::int as transactions from event
       where organization_id = $1 and kind in ('reservation.created', 'reservation.cancelled', 'recovery.applied')
         and sequence >= (select sequence from event where organization_id = $1 and kind = 'reservation.cancelled' and subject_id = $2)`,
      [school.organizationId, booked],
    )
    expect(rows).toEqual([{ transactions: 1 }])
  })

  test('of a technician: they plan and read it without names, the desk finds it in its to-do list and applies it', async ({
    api,
    school,
    twin,
  }) => {
    const booked = await bookDual(api, school, at(8))
    await takeTwin(api, school, twin)
    const id = await displaced(api, school.technician, school)
    const answer = await api.as(school.technician).get(`/recoveries/${id}`)
    expect(answer.json().data).toMatchObject({
      displaced: 1,
      rows: [
        {
          reservationId: booked,
          from: { ...at(8), instructorOrgUserId: null },
          to: { instructorOrgUserId: null },
          consent: [{ orgUserId: null, because: 'other_time' }],
          problems: [],
          points: null,
        },
      ],
    })
    for (const { name } of [school.student, school.instructor]) expect(answer.body).not.toContain(name)
    expect((await api.as(school.technician).post(`/recoveries/${id}/apply`, {})).statusCode).toBe(403)
    const other = await buildMember(api, school.organizationId, ['technician'])
    for (const url of [`/recoveries/${id}`, `/operations/${id}`, `/operations/${id}/rows`]) {
      expect([url, (await api.as(other).get(url)).statusCode]).toEqual([url, 404])
      expect([url, (await api.as(school.dispatcher).get(url)).statusCode]).toEqual([url, 200])
    }
    expect((await api.as(other).delete(`/operations/${id}`)).statusCode).toBe(404)
    expect(await expectOk(api, other, 'GET', '/operations')).toEqual([])
    expect(await expectOk(api, school.technician, 'GET', '/operations')).toMatchObject([{ id }])
    expect(await expectOk(api, school.dispatcher, 'GET', '/operations')).toMatchObject([{ id }])
    const kinds = (todo: { kind: string; action: { path: string } }[]) =>
      todo.filter(({ kind }) => kind === 'apply_recovery').map(({ action }) => action.path)
    expect(kinds(await expectOk(api, school.dispatcher, 'GET', '/todo/me'))).toEqual([`/recoveries/${id}/apply`])
    expect(kinds(await expectOk(api, school.technician, 'GET', '/todo/me'))).toEqual([])
    await applied(api, school.dispatcher, id, { consent: 'given', how: 'counter', reservationIds: [booked] })
    expect(kinds(await expectOk(api, school.dispatcher, 'GET', '/todo/me'))).toEqual([])
    expect((await onAircraft(api, school)).some(({ type }) => type === 'maintenance')).toBe(true)
  })

  test('is refused where it is no single maintenance booking, or the rules refuse it anyway', async ({
    api,
    school,
  }) => {
    await expectOk(api, school.technician, 'POST', '/reservations', workBody(school, { ...at(10), displace: false }))
    const ask = async (who: Member, body: object) => {
      const answer = await api.as(who).post('/reservations', body)
      return [answer.statusCode, answer.json().code ?? answer.json().message]
    }
    const needs = 'displace: needs one maintenance booking of one aircraft or simulator'
    const day = { start: hour(8, 24), end: hour(16, 24) }
    const over = await api.as(school.dispatcher).post('/reservations', workBody(school, at(8, 20)))
    expect([over.statusCode, over.json().message]).toEqual([400, 'end: is over'])
    expect(await ask(school.dispatcher, { ...dualBody(school), displace: true })).toEqual([400, needs])
    expect(await ask(school.dispatcher, workBody(school, { ...day, resource: null }))).toEqual([400, needs])
    const recurrence = { frequency: 'weekly', count: 2 }
    expect(await ask(school.dispatcher, workBody(school, { ...day, recurrence }))).toEqual([400, needs])
    expect(await ask(school.dispatcher, workBody(school))).toEqual([400, 'RESOURCE_CLASH'])
    expect((await ask(school.student, workBody(school, day)))[0]).toBeGreaterThanOrEqual(400)
    const elsewhere = await buildSchool(api)
    expect((await ask(school.dispatcher, workBody(school, { ...day, location: elsewhere.location })))[0]).toBe(400)
    expect((await ask(school.dispatcher, workBody(school, { ...day, resource: { id: elsewhere.plane.id } })))[0]).toBe(
      400,
    )
    const { rows } = await api.core.database.pool.query('select id from recovery where organization_id = $1', [
      school.organizationId,
    ])
    expect(rows).toEqual([])
  })

  test('displaces at most 50 bookings', async ({ api, school }) => {
    const { pool } = api.core.database
    await pool.query(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id, created_by, reminded_for)
       select $1, 'Lesson', 'ground', t, t + interval '5 minutes', 'UTC', $2, $3, $4, t
       from generate_series('2026-11-23T08:00Z'::timestamptz, '2026-11-23T12:10Z', interval '5 minutes') t`,
      [school.organizationId, school.plane.id, school.location.id, school.dispatcher.orgUserId],
    )
    const refused = await api.as(school.dispatcher).post('/reservations', workBody(school))
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'cause: takes more than 50 bookings; please choose a shorter window',
    ])
    const later = { start: '2026-11-23T08:05:00.000Z' }
    expect((await api.as(school.dispatcher).post('/reservations', workBody(school, later))).statusCode).toBe(202)
  })

  test('what is booked since the plan makes it refuse all of it', async ({ api, school, twin }) => {
    const first = await bookDual(api, school, at(8))
    const id = await displaced(api, school.dispatcher, school)
    const second = await bookDual(api, school, at(12))
    const others = await applying(api, school, id)
    expect([others.statusCode, others.json().code, others.json().details]).toEqual([
      409,
      'CHANGED_MEANWHILE',
      { reservationIds: [second] },
    ])
    const again = await displaced(api, school.dispatcher, school)
    const student = await buildMember(api, school.organizationId, ['student'])
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(api, { ...school, plane: twin, student, instructor }, at(12))
    const taken = await applying(api, school, again)
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'CHANGED_MEANWHILE'])
    expect(taken.json().details.rows).toMatchObject([{ reservationId: second, problems: [{ code: 'RESOURCE_CLASH' }] }])
    expect((await onAircraft(api, school)).map((one) => one.id)).toEqual([first, second])
  })

  test('killed anywhere: bookings and maintenance never overlap, and nothing is done twice', async ({
    api,
    school,
    twin,
  }) => {
    const ids = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    const { organizationId, dispatcher } = school
    const { pool } = api.core.database
    let id = 0
    for (const killedAfter of [1, 2, 3]) {
      const { id: operationId } = await expectOk<OperationAnswer>(
        api,
        dispatcher,
        'POST',
        '/reservations',
        workBody(school),
      )
      await work(api, { organizationId, operationId }, killedAfter).catch(() => {})
      await work(api, { organizationId, operationId })
      expect(await planOf(api, dispatcher, operationId)).toMatchObject({ status: 'ready', displaced: 2, kept: 2 })
      id = operationId
    }
    // The process ends at each statement that writes a booking, an event or the recovery: the transaction leaves nothing.
    await asOwner(
      api,
      `create function end_here() returns trigger language plpgsql as $$
      begin raise exception 'the process is killed'; end $$`,
    )
    for (const [table, when] of [
      ['reservation', "before insert on reservation for each row when (new.type = 'maintenance')"],
      ['reservation', 'before update on reservation for each row'],
      ['operation_row', 'before update on operation_row for each row'],
      ['recovery', 'before update on recovery for each row'],
      ['event', 'before insert on event for each row'],
    ]) {
      await asOwner(api, `create trigger ends_here ${when} execute function end_here()`)
      expect((await applying(api, school, id)).statusCode).toBe(500)
      await asOwner(api, `drop trigger ends_here on ${table}`)
      expect(await onAircraft(api, school)).toEqual(ids.map((one) => ({ id: one, type: 'dual', overlaps: 0 })))
    }
    await asOwner(api, 'drop function end_here()')
    const started = await expectOk<OperationAnswer>(api, dispatcher, 'POST', `/recoveries/${id}/apply`, {})
    for (const killedAfter of [0, 2]) {
      await work(api, { organizationId, operationId: started.id }, killedAfter).catch(() => {})
      expect(await onAircraft(api, school)).toMatchObject([{ type: 'maintenance', overlaps: 0 }])
    }
    await work(api, { organizationId, operationId: started.id })
    expect(await expectOk(api, dispatcher, 'GET', `/operations/${started.id}`)).toMatchObject({ status: 'done' })
    const { rows } = await pool.query(
      `select r.id, r.resource_id, (select count(*)::int from event e where e.organization_id = r.organization_id
        and e.kind = 'reservation.changed' and e.subject_id = r.id) as changes
       from reservation r where r.id = any($1) order by r.starts_at`,
      [ids],
    )
    expect(rows).toEqual(ids.map((one) => ({ id: one, resource_id: twin.id, changes: 1 })))
  })

  test('32 who book beside 8 who apply: one applies at most, nothing overlaps, all of it or nothing', async ({
    api,
    school,
    twin,
  }) => {
    await bookDual(api, school, at(8))
    await bookDual(api, school, at(12))
    const id = await displaced(api, school.dispatcher, school)
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => ({
        instructor: await buildMember(api, school.organizationId, ['instructor']),
        student: await buildMember(api, school.organizationId, ['student']),
      })),
    )
    const book = (n: number) => {
      const plane = n % 2 === 0 ? twin : school.plane
      const one = { ...school, ...people[n % 4]!, plane }
      return api.as(school.dispatcher).post('/reservations', dualBody(one, at(8 + (n % 3) * 2)))
    }
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => applying(api, school, id)),
      ...Array.from({ length: 32 }, (_, n) => book(n)),
    ])
    const statuses = answers.slice(0, 8).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(1)
    // A busy machine may have no connection in time (503); the answer of a commit can be lost so.
    for (const status of statuses) expect([202, 409, 503]).toContain(status)
    const aircraft = [...(await onAircraft(api, school)), ...(await onAircraft(api, { ...school, plane: twin }))]
    expect(aircraft.filter(({ overlaps }) => overlaps > 0)).toEqual([])
    const written = aircraft.some(({ type }) => type === 'maintenance')
    if (statuses.includes(202)) expect(written).toBe(true)
    const plan = await planOf(api, school.dispatcher, id)
    expect(plan.rows.map((row) => row.applied)).toEqual([written, written])
  })
})
