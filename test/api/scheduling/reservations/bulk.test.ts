import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly } from '../../../support/flights.ts'
import { bulk, giveUpAfter, type OperationAnswer, readBulk, work } from '../../../support/operations.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'

interface Booking {
  id: number
  start: string
  status: string
  resource: { id: number } | null
  personnel: { instructors: { orgUserId: number }[] }
}

const test = schoolTest()
  .extend('plane', ({ api, school }) => buildPlane(api, school))
  .extend('other', async ({ api, school }) => ({
    instructor: await buildMember(api, school.organizationId, ['instructor']),
    student: await buildMember(api, school.organizationId, ['student']),
  }))
  .extend(
    'booking',
    ({ api, school }) =>
      (id: number) =>
        expectOk<Booking>(api, school.dispatcher, 'GET', `/reservations/${id}`),
  )

const hour = (h: number) => `2026-11-23T${String(h).padStart(2, '0')}:00:00Z`
const at = (h: number) => ({ start: hour(h), end: hour(h + 2) })
const morning = { startDate: hour(0), endDate: hour(12) }
const outcomes = ({ rows }: { rows: { reservationId: number; outcome: string | null }[] }) =>
  Object.fromEntries(rows.map(({ reservationId, outcome }) => [reservationId, outcome]))

describe('a bulk change of people (safety S17)', () => {
  const pilots = (...members: Member[]) => ({ pilots: members.map(({ orgUserId }) => ({ orgUserId })) })

  test('charges nobody who did not agree: who changes it neither joins a prepaid booking nor moves a share', async ({
    api,
    school,
  }) => {
    const [clerk, payer] = [
      await buildMember(api, school.organizationId, ['dispatcher', 'renter']),
      await buildMember(api, school.organizationId, ['renter']),
    ]
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${payer.orgUserId}`, { billingMode: 'ledger' })
    const deposit = { kind: 'deposit', amountCents: 50_000 }
    await expectOk(api, school.admin, 'POST', `/orgUsers/${payer.orgUserId}/ledger`, deposit)
    const book = async (body: object) => {
      const whole = { ...dualBody(school, at(8)), type: 'shared', ...body }
      return (await expectOk<{ id: number }>(api, clerk, 'POST', '/reservations', whole)).id
    }
    const prepaid = await book({
      personnel: pilots(payer, school.renter),
      collectionStyle: 'prepaid_fixed',
      prepaidAmountCents: 30_000,
    })
    const later = await book({ ...at(12), personnel: pilots(clerk, payer) })
    const changed = async (id: number) => {
      const personnel = pilots(payer, clerk)
      expect((await api.as(clerk).patch(`/reservations/${id}`, { personnel })).statusCode).toBe(403)
      return outcomes(await bulk(api, clerk, { action: { changes: [{ id, personnel }] } }))
    }
    expect(await changed(prepaid)).toEqual({ [prepaid]: 'refused' })
    expect(await changed(later)).toEqual({ [later]: 'refused' })
  })
})

describe('many bookings at once (§Reservations, POST /reservations/bulk)', () => {
  test('are shown by a dry run, which writes nothing, and moved when there are as many as it selected', async ({
    api,
    school,
    booking,
  }) => {
    const ids = [await bookDual(api, school, at(8)), await bookDual(api, school, at(10))]
    const body = { filter: morning, action: { move: { minutes: 120 } } }
    const shown = await bulk(api, school.dispatcher, { ...body, dryRun: true })
    expect(shown.operation).toMatchObject({ status: 'done', progress: { done: 2, total: 2 }, succeeded: 2, failed: 0 })
    expect(shown.operation.result).toEqual({ applied: false, dryRun: true, expectedCount: 2 })
    expect(await booking(ids[0]!)).toMatchObject({ start: '2026-11-23T08:00:00.000Z' })
    const other = await api.as(school.dispatcher).post('/reservations/bulk', { ...body, expectedCount: 3 })
    expect(other.json()).toMatchObject({ code: 'CHANGED_MEANWHILE', message: 'There are 2 bookings now.' })
    const moved = await bulk(api, school.dispatcher, { ...body, expectedCount: 2 })
    // The first takes the place of the second, which is out of the way.
    expect(outcomes(moved)).toEqual({ [ids[0]!]: 'done', [ids[1]!]: 'done' })
    expect(await booking(ids[0]!)).toMatchObject({ start: '2026-11-23T10:00:00.000Z', status: 'booked' })
    expect(await booking(ids[1]!)).toMatchObject({ start: '2026-11-23T12:00:00.000Z' })
  })

  test('exchange their aircraft and their instructors', async ({ api, school, plane, other, booking }) => {
    const first = await bookDual(api, school)
    const second = await bookDual(api, { ...school, ...other, plane })
    const changes = [
      {
        id: first,
        resource: { id: plane.id },
        personnel: { instructors: [{ orgUserId: other.instructor.orgUserId }] },
      },
      {
        id: second,
        resource: { id: school.plane.id },
        personnel: { instructors: [{ orgUserId: school.instructor.orgUserId }] },
      },
    ]
    expect(outcomes(await bulk(api, school.dispatcher, { action: { changes } }))).toEqual({
      [first]: 'done',
      [second]: 'done',
    })
    expect(await booking(first)).toMatchObject({
      resource: { id: plane.id },
      personnel: { instructors: [{ orgUserId: other.instructor.orgUserId }] },
    })
    expect(await booking(second)).toMatchObject({ resource: { id: school.plane.id } })
  })

  test('are refused one by one: who runs into a refused one is refused too, and the rest goes on', async ({
    api,
    school,
    plane,
    other,
    booking,
  }) => {
    // At 14:00 the instructor is on another aircraft, so the second cannot move there, and the first not to its place.
    await bookDual(api, { ...school, plane, student: other.student }, at(14))
    const [first, second] = [await bookDual(api, school, at(10)), await bookDual(api, school, at(12))]
    const free = await bookDual(api, { ...school, ...other, plane }, at(8))
    const moved = await bulk(api, school.dispatcher, {
      ids: [second, first, free, first],
      action: { move: { minutes: 120 } },
    })
    expect(moved.rows).toMatchObject([
      { row: 1, reservationId: free, outcome: 'done', problems: [] },
      { row: 2, reservationId: first, outcome: 'refused', problems: [{ code: 'RESOURCE_CLASH' }, {}, {}] },
      { row: 3, reservationId: second, outcome: 'refused', problems: [{ code: 'PERSON_CLASH' }] },
    ])
    expect(moved.operation).toMatchObject({ status: 'done', succeeded: 1, failed: 2, result: { applied: true } })
    expect(await booking(free)).toMatchObject({ start: '2026-11-23T10:00:00.000Z' })
    const all = { ids: [second, free], action: { move: { minutes: 120 } }, atomic: true }
    const none = await bulk(api, school.dispatcher, all)
    expect(outcomes(none)).toEqual({ [second]: 'refused', [free]: 'unchanged' })
    expect(none.operation).toMatchObject({ status: 'done', failed: 1, result: { applied: false } })
    expect(await booking(free)).toMatchObject({ start: '2026-11-23T10:00:00.000Z' })
  })

  test('get the first aircraft of a list that is free, and another instructor where their type has one', async ({
    api,
    school,
    plane,
    other,
    booking,
  }) => {
    const third = await buildPlane(api, school)
    await bookDual(api, { ...school, ...other, plane })
    const lesson = await bookDual(api, school)
    const solo = await expectOk<Booking>(api, school.dispatcher, 'POST', '/reservations', {
      title: 'Solo',
      type: 'solo',
      ...at(16),
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      personnel: { students: [{ orgUserId: school.student.orgUserId }] },
    })
    const resources = [{ id: plane.id }, { id: third.id }]
    const moved = await bulk(api, school.dispatcher, { ids: [lesson, solo.id], action: { reassign: { resources } } })
    expect(outcomes(moved)).toEqual({ [lesson]: 'done', [solo.id]: 'done' })
    expect((await booking(lesson)).resource?.id).toBe(third.id)
    expect((await booking(solo.id)).resource?.id).toBe(plane.id)
    const instructorOrgUserId = (await buildMember(api, school.organizationId, ['instructor'])).orgUserId
    const reassigned = await bulk(api, school.dispatcher, {
      ids: [lesson, solo.id],
      action: { reassign: { instructorOrgUserId } },
    })
    expect(outcomes(reassigned)).toEqual({ [lesson]: 'done', [solo.id]: 'refused' })
    expect(
      await bulk(api, school.dispatcher, { ids: [lesson], action: { reassign: { instructorOrgUserId } } }),
    ).toMatchObject({
      rows: [{ outcome: 'unchanged' }],
    })
  })

  test('are cancelled, but for those that are or have left the ramp, and each person is told once', async ({
    api,
    school,
    other,
    booking,
  }) => {
    const [flown, gone] = [await bookDual(api, school, at(6)), await bookDual(api, school, at(8))]
    await fly(api, school, flown)
    const reason = { reason: 'Fog', category: 'weather' }
    await api.as(school.dispatcher).delete(`/reservations/${gone}`, reason)
    const [first, second] = [
      await bookDual(api, school, at(10)),
      await bookDual(api, { ...school, student: other.student }, at(12)),
    ]
    await clearOutbox(api)
    const cancelled = await bulk(api, school.dispatcher, {
      ids: [flown, gone, first, second],
      action: { cancel: reason },
    })
    expect(cancelled.rows.map(({ outcome }) => outcome)).toEqual(['refused', 'unchanged', 'done', 'done'])
    expect(cancelled.rows[0]!.problems).toMatchObject([{ code: 'RESERVATION_RAMPED_OUT' }])
    expect(await booking(first)).toMatchObject({ status: 'cancelled' })
    const owed = await owedNotifications(api)
    const digest = {
      kind: 'reservations_changed',
      subjectId: cancelled.operation.id,
      causedBy: school.dispatcher.orgUserId,
    }
    expect(owed).toEqual([digest, digest, digest])
    const again = await bulk(api, school.dispatcher, { ids: [first], action: { cancel: reason }, notify: false })
    expect(again.rows[0]!.outcome).toBe('unchanged')
  })

  test.for([
    ['11 changes without notification', 11, { move: { minutes: 30 } }, false, 1],
    ['10 changes without notification', 10, { move: { minutes: 30 } }, false, 0],
    ['51 cancellations', 51, { cancel: { reason: 'Runway closed', category: 'weather' } }, true, 1],
    ['50 cancellations', 50, { cancel: { reason: 'Runway closed', category: 'weather' } }, true, 0],
  ] as const)(
    'admins are told of more than 50 cancellations, or more than 10 silent changes: %s',
    async ([_, count, action, notify, told], { api, school }) => {
      await clearOutbox(api)
      const ids: number[] = []
      for (let day = 1; day <= count; day++) {
        const on = new Date(Date.UTC(2026, 11, day, 8))
        const end = new Date(on.getTime() + 3_600_000).toISOString()
        ids.push(await bookDual(api, school, { start: on.toISOString(), end }))
      }
      const { operation } = await bulk(api, school.dispatcher, { ids, action, notify })
      expect(operation).toMatchObject({ succeeded: count, failed: 0 })
      const owed = (await owedNotifications(api)).filter(({ kind }) => kind === 'bulk_done')
      expect(owed.map(({ subjectId }) => subjectId)).toEqual(Array(told).fill(operation.id))
    },
  )

  test.for([
    ['no action', { ids: [1], action: {} }],
    ['two actions', { ids: [1], action: { move: { minutes: 5 }, cancel: { reason: 'Fog', category: 'weather' } } }],
    ['ids beside a filter', { ids: [1], filter: morning, action: { move: { minutes: 5 } } }],
    ['neither', { action: { move: { minutes: 5 } } }],
    ['a move by nothing', { ids: [1], action: { move: { minutes: 0 } } }],
    ['a move by more than two weeks', { ids: [1], action: { move: { minutes: 20_161 } } }],
    ['a reassignment to nothing', { ids: [1], action: { reassign: {} } }],
    ['an unknown booking', { ids: [2_000_000], action: { move: { minutes: 5 } } }],
    ['an unknown category', { ids: [], filter: morning, action: { cancel: { reason: 'Fog', category: 'fog' } } }],
  ] as const)('are refused with %s', async ([_what, body], { api, school }) => {
    expect((await api.as(school.dispatcher).post('/reservations/bulk', body)).statusCode).toBe(400)
  })

  test('are refused one by one for a person or an aircraft that the school has not', async ({ api, school }) => {
    const id = await bookDual(api, school)
    for (const change of [{ resource: { id: 2_000_000 } }, { personnel: { students: [{ orgUserId: 2_000_000 }] } }]) {
      const { operation, rows } = await bulk(api, school.dispatcher, { action: { changes: [{ id, ...change }] } })
      expect(operation).toMatchObject({ status: 'done', failed: 1 })
      expect(rows[0]).toMatchObject({ outcome: 'refused', problems: [{ code: 'INVALID' }] })
    }
  })

  test('end at once when nothing is selected', async ({ api, school }) => {
    const body = { filter: morning, action: { move: { minutes: 5 } } }
    expect((await bulk(api, school.dispatcher, body)).operation).toMatchObject({
      status: 'done',
      progress: { total: 0 },
    })
  })
})

const start = async (api: Parameters<typeof expectOk>[0], who: Member, ids: number[]) =>
  (await api.as(who).post('/reservations/bulk', { ids, action: { move: { minutes: 30 } } })).json()
    .data as OperationAnswer

describe('an operation (§Operations)', () => {
  const filled = { filter: morning, action: { move: { minutes: 30 } } }
  const insert = ({ core }: TestApp, text: string, { organizationId, dispatcher }: School) =>
    core.database.pool.query(text, [organizationId, dispatcher.orgUserId])

  test('is of at most a thousand bookings', async ({ api, school }) => {
    const columns = 'organization_id, created_by, title, type, starts_at, ends_at, time_zone_name'
    const values =
      "$1::int, $2::int, 'Ground lesson', 'ground', timestamptz '2026-11-23T10:00Z', timestamptz '2026-11-23T11:00Z', 'UTC'"
    await insert(api, `insert into reservation (${columns}) select ${values} from generate_series(1, 1001)`, school)
    const refused = await api.as(school.dispatcher).post('/reservations/bulk', filled)
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'At most 1000 bookings can be changed at once.'])
  })

  test('waits for its turn among at most fifty', async ({ api, school }) => {
    const values = "$1::int, 'reservation_bulk', $2::int, false, 0, '{}', now()"
    const columns = 'organization_id, kind, started_by, atomic, total, input, created_at'
    await insert(api, `insert into operation (${columns}) select ${values} from generate_series(1, 50)`, school)
    const refused = await api.as(school.dispatcher).post('/reservations/bulk', filled)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  })

  const bookings = async (api: Parameters<typeof expectOk>[0], school: School) => {
    const ids = []
    for (const _ of [1, 2, 3, 4]) {
      const [instructor, student] = [
        await buildMember(api, school.organizationId, ['instructor']),
        await buildMember(api, school.organizationId, ['student']),
      ]
      ids.push(await bookDual(api, { ...school, instructor, student, plane: await buildPlane(api, school) }))
    }
    // What nobody is on and uses no aircraft is in nobody's way: 60 in all, of which a transaction does 50.
    const { rows } = await api.core.database.pool.query<{ id: number }>(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by)
       select $1, 'Inventory', 'maintenance', at, at + interval '1 hour', 'UTC', $2
       from generate_series(timestamptz '2026-12-01', '2026-12-01 13:45', '15 minutes') at returning id`,
      [school.organizationId, school.dispatcher.orgUserId],
    )
    return [...ids, ...rows.map(({ id }) => id)]
  }

  test('goes on after its worker was killed, each row once, and tells people once', async ({
    api,
    school,
    booking,
  }) => {
    const ids = await bookings(api, school)
    const { id: operationId } = await start(api, school.dispatcher, ids)
    await clearOutbox(api)
    const of = { organizationId: school.organizationId, operationId }
    // It begins, groups them and does 50 of the 60.
    await expect(work(api, of, 3)).rejects.toThrow('killed')
    const half = await readBulk(api, school.dispatcher, operationId)
    expect(half.operation).toMatchObject({ status: 'running', progress: { done: 50, total: 60 }, result: null })
    expect(half.rows.filter(({ outcome }) => outcome === null)).toHaveLength(10)
    await Promise.all([work(api, of), work(api, of)])
    await work(api, of)
    expect((await readBulk(api, school.dispatcher, operationId)).operation).toMatchObject({
      status: 'done',
      succeeded: 60,
      progress: { done: 60, total: 60 },
    })
    for (const id of ids.slice(0, 4)) expect(await booking(id)).toMatchObject({ start: '2026-11-23T10:30:00.000Z' })
    expect(await owedNotifications(api)).toHaveLength(8)
  })

  test('is cancelled at once while it waits, and between two rows while it runs', async ({ api, school }) => {
    const ids = await bookings(api, school)
    const [first, second] = [await start(api, school.dispatcher, ids), await start(api, school.dispatcher, ids)]
    const of = { organizationId: school.organizationId, operationId: first.id }
    await work(api, { ...of, operationId: second.id })
    expect((await readBulk(api, school.dispatcher, second.id)).operation.status).toBe('queued')
    expect((await api.as(school.dispatcher).delete(`/operations/${second.id}`)).statusCode).toBe(204)
    expect((await readBulk(api, school.dispatcher, second.id)).operation.status).toBe('cancelled')
    await expect(work(api, of, 3)).rejects.toThrow('killed')
    expect((await api.as(school.dispatcher).delete(`/operations/${first.id}`)).statusCode).toBe(204)
    await work(api, of)
    const { operation, rows } = await readBulk(api, school.dispatcher, first.id)
    expect(operation).toMatchObject({ status: 'cancelled', succeeded: 50, result: null })
    expect(rows.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(10)
    const late = await api.as(school.dispatcher).delete(`/operations/${first.id}`)
    expect(late.json()).toMatchObject({ code: 'NOT_CANCELLABLE' })
  })

  test('stops when its member may no longer do it', async ({ api, school }) => {
    const { id: operationId } = await start(api, school.dispatcher, await bookings(api, school))
    await api.core.database.db
      .updateTable('membership')
      .set({ dispatcher: false })
      .where('id', '=', school.dispatcher.orgUserId)
      .execute()
    await work(api, { organizationId: school.organizationId, operationId })
    expect((await readBulk(api, school.admin, operationId)).operation).toMatchObject({
      status: 'failed',
      succeeded: 0,
      result: { error: { code: 'ACTOR_NOT_ALLOWED' } },
    })
    expect((await api.as(school.dispatcher).get(`/operations/${operationId}`)).statusCode).toBe(404)
  })

  test('ends with the role that it needs, and what another role allows goes on', async ({ api, school }) => {
    const ids = await bookings(api, school)
    const member = await buildMember(api, school.organizationId, ['dispatcher'])
    const read = async ({ id }: OperationAnswer) => (await readBulk(api, school.admin, id)).operation
    const change = (roles: object) => api.as(school.owner).patch(`/users/${member.accountId}/roles`, roles)
    const waiting = await start(api, member, ids)
    expect((await change({ dispatcher: true, instructor: true })).statusCode).toBeLessThan(300)
    expect((await read(waiting)).status).toBe('queued')
    expect((await change({ instructor: true })).statusCode).toBeLessThan(300)
    expect(await read(waiting)).toMatchObject({
      status: 'failed',
      succeeded: 0,
      result: { error: { code: 'ACTOR_NOT_ALLOWED' } },
    })
  })

  test('ends with the membership of who started it: what waits at once, what has begun after its group, and the next begins', async ({
    api,
    school,
  }) => {
    const ids = await bookings(api, school)
    const leaving = await buildMember(api, school.organizationId, ['dispatcher'])
    const [begun, waiting, next] = [
      await start(api, leaving, ids),
      await start(api, leaving, ids),
      await start(api, school.dispatcher, ids),
    ]
    const of = (operation: OperationAnswer) => ({ organizationId: school.organizationId, operationId: operation.id })
    await expect(work(api, of(begun), 3)).rejects.toThrow('killed')
    await clearOutbox(api)
    expect((await api.as(school.admin).delete(`/orgUsers/${leaving.orgUserId}`)).statusCode).toBe(204)
    const read = (operation: OperationAnswer) => readBulk(api, school.admin, operation.id)
    const error = { code: 'ACTOR_NOT_ALLOWED' }
    expect((await read(waiting)).operation).toMatchObject({ status: 'failed', succeeded: 0, result: { error } })
    await work(api, of(begun))
    const { operation, rows } = await read(begun)
    expect(operation).toMatchObject({ status: 'failed', succeeded: 50, result: { error }, endedAt: expect.any(String) })
    expect(rows.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(10)
    await work(api, of(next))
    expect((await read(next)).operation.status).toBe('done')
  })

  test('whose job is given up has failed, and the next of its kind has its turn', async ({ api, school }) => {
    const { rows } = await api.core.database.pool.query<{ id: number }>(
      `insert into operation (organization_id, kind, started_by, atomic, total, input) values ($1, 'reservation_bulk', $2, false, 1, '{}') returning id`,
      [school.organizationId, school.dispatcher.orgUserId],
    )
    const operationId = rows[0]!.id
    await api.core.database.pool.query(
      'insert into operation_row (organization_id, operation_id, number, subject_id) values ($1, $2, 1, 1)',
      [school.organizationId, operationId],
    )
    const next = await start(api, school.dispatcher, await bookings(api, school))
    const of = { organizationId: school.organizationId, operationId }
    const attempt = (lastAttempt: boolean) => giveUpAfter(api, of, lastAttempt)
    await expect(attempt(false)).rejects.toThrow(TypeError)
    expect((await readBulk(api, school.admin, operationId)).operation.status).toBe('running')
    await expect(attempt(true)).rejects.toThrow(TypeError)
    expect((await readBulk(api, school.admin, operationId)).operation).toMatchObject({
      status: 'failed',
      result: { error: { code: 'GIVEN_UP' } },
    })
    await work(api, { ...of, operationId: next.id })
    expect((await readBulk(api, school.admin, next.id)).operation.status).toBe('done')
  })

  test('has five streams a person and fifty an organization, which end with the token and the membership', async ({
    api,
    school,
  }) => {
    const { id } = await start(api, school.dispatcher, await bookings(api, school))
    const admins = []
    for (let person = 0; person < 10; person += 1) admins.push(await buildMember(api, school.organizationId, ['admin']))
    const [leaving, reset, ...others] = admins as [Member, Member, ...Member[]]
    const open: { who: Member; answer: Promise<LightMyRequestResponse> }[] = []
    const stream = (who: Member, many: number) => {
      const get = () => ({ who, answer: Promise.resolve(api.as(who).get(`/operations/${id}/events`)) })
      open.push(...Array.from({ length: many }, get))
    }
    /** Waits for the one that is refused while the others go on. */
    const oneRefused = async () => {
      const settled = await Promise.race(
        open.map(async (one, index) => ({ index, statusCode: (await one.answer).statusCode })),
      )
      expect(settled.statusCode).toBe(429)
      open.splice(settled.index, 1)
    }
    stream(leaving, 6)
    await oneRefused()
    for (const who of [reset, ...others]) stream(who, 5)
    stream(school.dispatcher, 1)
    await oneRefused()
    // Who leaves reads no more of it, nor does a token that a new password has ended.
    expect((await api.as(school.owner).delete(`/orgUsers/${leaving.orgUserId}`)).statusCode).toBe(204)
    const later = new Date(api.clock.now.getTime() + 1_000)
    await api.core.database.pool.query('update account set tokens_valid_from = $2 where id = $1', [
      reset.accountId,
      later,
    ])
    const isOver = ({ who }: { who: Member }) => who === leaving || who === reset
    for (const { answer } of open.filter(isOver)) expect((await answer).body).not.toContain('event: end')
    expect((await api.as(school.admin).delete(`/operations/${id}`)).statusCode).toBe(204)
    for (const { answer } of open.filter((one) => !isOver(one))) expect((await answer).body).toContain('event: end')
  })

  test('is read by who started it and by admins, and streams its progress to its end', async ({ api, school }) => {
    const another = await buildMember(api, school.organizationId, ['dispatcher'])
    const { id } = await start(api, school.dispatcher, await bookings(api, school))
    for (const path of ['', '/rows', '/events']) {
      expect((await api.as(another).get(`/operations/${id}${path}`)).statusCode).toBe(404)
    }
    expect((await api.as(another).delete(`/operations/${id}`)).statusCode).toBe(404)
    expect((await expectOk<object[]>(api, another, 'GET', '/operations')).length).toBe(0)
    expect(await expectOk<object[]>(api, school.admin, 'GET', '/operations?status=queued')).toMatchObject([{ id }])
    const streaming = api.as(school.dispatcher).get(`/operations/${id}/events`)
    await work(api, { organizationId: school.organizationId, operationId: id })
    const stream = await streaming
    expect(stream.headers['content-type']).toContain('text/event-stream')
    expect(stream.body).toMatch(/^event: progress\ndata: \{.*\}\n\n/)
    expect(stream.body.match(/event: end\n/g)).toHaveLength(1)
    expect(stream.body).toContain('"status":"done"')
  })
})
