import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOW, type TestApp } from '../../../support/app.ts'
import { book } from '../../../support/booking.ts'
import { buildMember, buildPlane, type School } from '../../../support/builders.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import {
  asked,
  askFrom,
  buildListedSchool,
  confirm,
  confirmationToken,
  type Offered,
  offer,
  TEN,
} from '../../../support/offerings.ts'
import { countStatements } from '../../../support/statements.ts'
import { startTwoApps } from '../../../support/two-apps.ts'
import { startTestWorkers, type TestWorkers } from '../../../support/workers.ts'

let apis: [TestApp, TestApp]
let api: TestApp
let workers: TestWorkers
let closing: () => Promise<void>
let school: School
let offering: Offered
beforeAll(async () => {
  const two = await startTwoApps()
  apis = two.apis
  api = apis[0]
  closing = two.close
  workers = await startTestWorkers(api)
})
afterAll(async () => {
  await workers.stop()
  await closing()
})
beforeEach(async () => {
  for (const one of apis) one.clock.now = NOW
  school = await buildListedSchool(api)
  offering = await offer(api, school)
})

const onPlane = () => ({ resource: { id: school.plane.id } })
const slot = { start: TEN, end: '2026-11-23T11:00:00.000Z' }
const heldOf = async () =>
  (
    await api.core.database.db
      .selectFrom('booking_request')
      .select(['id', 'held_until'])
      .where('organization_id', '=', school.organizationId)
      .where('held_until', 'is not', null)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)
const endsHold = async (id: number) => expect(await heldOf()).not.toContain(id)

describe('a hold that its guest has not confirmed', () => {
  test('ends when desk staff book over it, and the guest is told by mail and on confirming', async () => {
    const email = 'held@example.com'
    const id = await asked(api, offering, { ...onPlane(), email })
    expect((await book(api, school.instructor, dualBody(school, slot))).statusCode).toBe(400)
    const check = await expectOk<{ ok: boolean }>(
      api,
      school.dispatcher,
      'POST',
      '/reservations/check',
      dualBody(school, slot),
    )
    expect(check.ok).toBe(true)
    expect(await heldOf()).toEqual([id])
    await bookDual(api, school, slot)
    await endsHold(id)
    await workers.settled()
    const mail = workers.mails(email).find(({ subject }) => subject.startsWith('The aircraft is booked'))
    expect(mail?.text).toContain(
      `Bay Flight Academy has booked ${school.plane.name}, which was kept for this request: Discovery flight, Mon, Nov 23, 2026, 10:00–11:00 UTC.`,
    )
    expect(mail?.text).not.toContain('Gia')
    expect(/confirm-request#token=([\w-]+)/.exec(mail?.text ?? '')?.[1]).toBe(await confirmationToken(api, id))
    const confirmed = await confirm(api, await confirmationToken(api, id))
    expect(confirmed.json()).toEqual({
      data: { id, status: 'pending' },
      warnings: [
        'The school has booked the aircraft that was held for you. Your request stays open: the school will look for ' +
          'another aircraft or another time.',
      ],
    })
  })

  test('ends by a move, a bulk, a series, a maintenance and an approval of the desk alike', async () => {
    const moved = await bookDual(api, school, { start: '2026-11-23T14:00:00Z', end: '2026-11-23T15:00:00Z' })
    const first = await asked(api, offering, { ...onPlane(), email: 'one@example.com' })
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${moved}`, slot)
    await endsHold(first)

    const second = await asked(api, offering, { ...onPlane(), start: '2026-11-23T12:00:00Z', email: 'two@example.com' })
    const bulk = { ids: [moved], action: { move: { minutes: 120 } } }
    await expectOk(api, school.dispatcher, 'POST', '/reservations/bulk', bulk)
    await workers.settled()
    await endsHold(second)

    const third = await asked(api, offering, {
      ...onPlane(),
      start: '2026-11-25T10:00:00Z',
      email: 'three@example.com',
    })
    const recurrence = { frequency: 'daily', count: 4 }
    await expectOk(api, school.dispatcher, 'POST', '/reservations', { ...dualBody(school, slot), recurrence })
    await endsHold(third)

    const fourth = await asked(api, offering, {
      ...onPlane(),
      start: '2026-11-27T10:00:00Z',
      email: 'four@example.com',
    })
    await expectOk(api, school.dispatcher, 'POST', '/reservations', {
      type: 'maintenance',
      title: 'Oil',
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      start: '2026-11-27T08:00:00Z',
      end: '2026-11-27T16:00:00Z',
      personnel: {},
    })
    await endsHold(fourth)
  })

  test('ends when the desk approves another request for the slot', async () => {
    const waiting = await asked(api, offering, { email: 'first@example.com' })
    expect((await confirm(api, await confirmationToken(api, waiting))).statusCode).toBe(200)
    const held = await asked(api, offering, { ...onPlane(), email: 'stranger@example.com' })
    expect(await heldOf()).toEqual([held])
    const at = `/booking-requests/${waiting}/approve`
    const approved = await api.as(school.dispatcher).post(at, onPlane())
    expect(approved.statusCode, approved.body).toBe(200)
    await endsHold(held)
    await workers.settled()
    expect(workers.mails('stranger@example.com').map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^The aircraft is booked/),
    )
  })

  test('of another time or aircraft stays', async () => {
    const plane = await buildPlane(api, school)
    const wide = await offer(api, school, { resourceIds: [school.plane.id, plane.id] })
    const ids = [
      await asked(api, wide, { ...onPlane(), start: '2026-11-23T11:00:00Z', email: 'one@example.com' }),
      await asked(api, wide, { resource: { id: plane.id }, email: 'two@example.com' }),
    ]
    await bookDual(api, school, slot)
    expect(await heldOf()).toEqual(ids)
  })

  test('once confirmed stands against the desk too', async () => {
    const id = await asked(api, offering, onPlane())
    expect((await confirm(api, await confirmationToken(api, id))).statusCode).toBe(200)
    expect((await book(api, school.dispatcher, dualBody(school, slot))).json().code).toBe('RESOURCE_CLASH')
    expect(await heldOf()).toEqual([id])
  })

  test('costs a booking no further statement where there is none', async () => {
    const plain = await countStatements(api, () => bookDual(api, school, slot))
    expect(plain.statements).toHaveLength(11)
    expect(plain.statements.join()).not.toContain('hold_ended_at')
  })
})

describe('a network', () => {
  test('holds two aircraft that are not confirmed, and its next request holds none', async () => {
    const planes = await Promise.all([1, 2, 3, 4].map(() => buildPlane(api, school)))
    const wide = await offer(api, school, { resourceIds: planes.map(({ id }) => id) })
    const ids: number[] = []
    for (const [at, { id }] of planes.entries()) {
      const answer = await askFrom(apis[at % 2]!, '198.51.100.1', wide, {
        email: `guest${at}@example.com`,
        resource: { id },
      })
      expect(answer.statusCode).toBe(202)
      ids.push(answer.json().data.id)
    }
    expect(await heldOf()).toEqual(ids.slice(0, 2))
    expect((await confirm(api, await confirmationToken(api, ids[0]!))).statusCode).toBe(200)
    const next = { email: 'next@example.com', resource: { id: planes[3]!.id } }
    const again = (await askFrom(api, '198.51.100.1', wide, next)).json().data.id
    expect(await heldOf()).toEqual([...ids.slice(0, 2), again])
  })

  test('holds two over all schools, also when it asks them at once', async () => {
    const schools = await Promise.all([1, 2, 3, 4].map(() => buildListedSchool(api)))
    const offers = await Promise.all(schools.map((one) => offer(api, one)))
    const answers = await Promise.all(
      schools.map(({ plane }, at) =>
        askFrom(apis[at % 2]!, '198.51.100.3', offers[at]!, {
          email: `guest${at}@example.com`,
          resource: { id: plane.id },
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202])
    const { rows } = await api.core.database.pool.query(
      'select held_until from booking_request where organization_id = any($1)',
      [schools.map(({ organizationId }) => organizationId)],
    )
    expect([rows.length, rows.filter(({ held_until }) => held_until !== null).length]).toEqual([4, 2])
  })

  test('holds no more by 20 requests at once on two API processes', async () => {
    const planes = await Promise.all(Array.from({ length: 20 }, () => buildPlane(api, school)))
    const wide = await offer(api, school, { resourceIds: planes.map(({ id }) => id) })
    await Promise.all(
      planes.map(({ id }, at) =>
        askFrom(apis[at % 2]!, '198.51.100.2', wide, { email: `guest${at}@example.com`, resource: { id } }),
      ),
    )
    expect(await heldOf()).toHaveLength(2)
  })
})

test('64 at once, desk staff who book and the guest who confirms: one booking at most, or the confirmed hold', async () => {
  const { token } = await buildMember(api, school.organizationId, ['dispatcher'])
  for (let round = 0; round < 3; round++) {
    const start = `2026-12-0${round + 1}T10:00:00.000Z`
    const body = dualBody(school, { start, end: start.replace('T10', 'T11') })
    const id = await asked(api, offering, { ...onPlane(), start, email: `round${round}@example.com` })
    const link = await confirmationToken(api, id)
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, at) => {
        const by = at % 4 < 2 ? school.dispatcher : { token }
        return at % 8 === 7 ? confirm(apis[at % 2]!, link) : book(apis[(at >> 1) % 2]!, by, body)
      }),
    )
    expect(outcomes.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
    const booked = outcomes.filter(({ statusCode }) => statusCode === 201).length
    const [confirmed, ...more] = outcomes.filter(({ statusCode }) => statusCode === 200)
    expect(more).toEqual([])
    expect(confirmed).toBeDefined()
    const isHeld = (await heldOf()).includes(id)
    // The guest was first and keeps the aircraft, or the desk was and the guest hears of it.
    expect([booked, isHeld, confirmed?.json().warnings !== undefined]).toEqual(
      booked === 0 ? [0, true, false] : [1, false, true],
    )
  }
})
