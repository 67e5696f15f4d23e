import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildMember, buildPlane, buildSchool, type School } from '../../../support/builders.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { startTwoApps } from '../../../support/two-apps.ts'

let apis: [TestApp, TestApp]
let school: School
beforeAll(async () => {
  const two = await startTwoApps()
  apis = two.apis
  return two.close
})
beforeEach(async () => {
  school = await buildSchool(apis[0])
})

const AT_ONCE = 20
const numbers = Array.from({ length: AT_ONCE }, (_, at) => at)
const apiOf = (at: number) => apis[at % 2]!

interface Outcome {
  statusCode: number
  body: string
  json(): { data: { id: number }; code: string; details: { problems: { code: string; reservationId?: number }[] } }
}

/** One succeeds; the rule names to every other the booking in the way. */
function expectOneWinner(outcomes: Outcome[], code: string, success = 201): void {
  const won = outcomes.filter(({ statusCode }) => statusCode === success)
  const lost = outcomes.filter(({ statusCode }) => statusCode !== success)
  expect(won).toHaveLength(1)
  const { id } = won[0]!.json().data
  for (const outcome of lost) {
    expect(outcome.statusCode, outcome.body).toBe(400)
    expect(outcome.json().code).toBe(code)
    expect(outcome.json().details.problems).toContainEqual(expect.objectContaining({ code, reservationId: id }))
  }
}

const book = (at: number, body: unknown) =>
  apiOf(at).call('POST', '/reservations', { token: school.dispatcher.token, body }) as Promise<Outcome>

describe('20 requests at once on two API processes (§Reservations rule 2)', () => {
  test('that want one aircraft: one gets it', async () => {
    const renters = await Promise.all(numbers.map(() => buildMember(apis[0], school.organizationId, ['renter'])))
    const outcomes = await Promise.all(
      renters.map((renter, at) => book(at, bookingBody(school, 'rental', { personnel: seats({ renters: [renter] }) }))),
    )
    expectOneWinner(outcomes, 'RESOURCE_CLASH')
  })

  test('that want one instructor, each on an aircraft and with a student of their own: one gets them', async () => {
    const [planes, students] = await Promise.all([
      Promise.all(numbers.map(() => buildPlane(apis[0], school))),
      Promise.all(numbers.map(() => buildMember(apis[0], school.organizationId, ['student']))),
    ])
    const outcomes = await Promise.all(
      numbers.map((at) =>
        book(
          at,
          bookingBody(school, 'dual', {
            resource: { id: planes[at]!.id },
            personnel: seats({ instructors: [school.instructor], students: [students[at]!] }),
          }),
        ),
      ),
    )
    expectOneWinner(outcomes, 'PERSON_CLASH')
  })

  test('that overlap a little each: no two of them are both made', async () => {
    const renters = await Promise.all(numbers.map(() => buildMember(apis[0], school.organizationId, ['renter'])))
    const minute = (m: number) => new Date(Date.UTC(2026, 10, 23, 10, m)).toISOString()
    const outcomes = await Promise.all(
      renters.map((renter, at) =>
        book(
          at,
          bookingBody(school, 'rental', {
            start: minute(at * 20),
            end: minute(at * 20 + 30),
            personnel: seats({ renters: [renter] }),
          }),
        ),
      ),
    )
    expect(new Set(outcomes.map(({ statusCode }) => statusCode))).toEqual(new Set([201, 400]))
    const { rows } = await apis[0].core.database.pool.query<{ clashes: number }>(
      `select count(*)::int as clashes from reservation a join reservation b
         on a.resource_id = b.resource_id and a.id < b.id and a.starts_at < b.ends_at and b.starts_at < a.ends_at
       where a.organization_id = $1`,
      [school.organizationId],
    )
    expect(rows[0]?.clashes).toBe(0)
  })

  test('that move into one slot: one gets there and the others stay where they were', async () => {
    const renters = await Promise.all(numbers.map(() => buildMember(apis[0], school.organizationId, ['renter'])))
    const ids = []
    for (const [at, renter] of renters.entries()) {
      const day = String(at + 1).padStart(2, '0')
      const body = bookingBody(school, 'rental', {
        start: `2026-12-${day}T10:00:00Z`,
        end: `2026-12-${day}T12:00:00Z`,
        personnel: seats({ renters: [renter] }),
      })
      ids.push((await expectOk<{ id: number }>(apis[0], school.dispatcher, 'POST', '/reservations', body)).id)
    }
    const slot = { start: '2026-12-30T10:00:00Z', end: '2026-12-30T12:00:00Z' }
    const outcomes = await Promise.all(
      ids.map(
        (id, at) =>
          apiOf(at).call('PATCH', `/reservations/${id}`, {
            token: school.dispatcher.token,
            body: slot,
          }) as Promise<Outcome>,
      ),
    )
    expectOneWinner(outcomes, 'RESOURCE_CLASH', 200)
  })

  test('with one new guest on each: the guest is one, on one flight', async () => {
    const instructors = await Promise.all(
      numbers.map(() => buildMember(apis[0], school.organizationId, ['instructor'])),
    )
    const outcomes = await Promise.all(
      instructors.map((instructor, at) =>
        book(
          at,
          bookingBody(school, 'guest', {
            resource: null,
            personnel: { ...seats({ instructors: [instructor] }), guests: [{ name: 'Gia', email: 'gia@example.com' }] },
          }),
        ),
      ),
    )
    expectOneWinner(outcomes, 'PERSON_CLASH')
    const guests = await apis[0].core.database.db
      .selectFrom('guest')
      .select('id')
      .where('organization_id', '=', school.organizationId)
      .execute()
    expect(guests).toHaveLength(1)
  })

  test('that cancel one booking: one does', async () => {
    const id = await bookDual(apis[0], school)
    const body = { reason: 'Fog', category: 'weather' }
    const outcomes = await Promise.all(
      numbers.map((at) => apiOf(at).call('DELETE', `/reservations/${id}`, { token: school.dispatcher.token, body })),
    )
    expect(outcomes.map(({ statusCode }) => statusCode).sort()).toEqual([204, ...numbers.slice(1).map(() => 400)])
  })

  test('that book series across each other, naming people in any order: all end and none overlaps', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => buildMember(apis[0], school.organizationId, ['student'])))
    const outcomes = await Promise.all(
      numbers.map((at) =>
        book(
          at,
          bookingBody(school, 'dual', {
            start: `2026-12-0${(at % 3) + 1}T10:00:00Z`,
            end: `2026-12-0${(at % 3) + 1}T12:00:00Z`,
            recurrence: { frequency: 'daily', count: 10 },
            personnel: seats({ instructors: [school.instructor], students: at % 2 ? [a!, b!] : [b!, a!] }),
          }),
        ),
      ),
    )
    expect(outcomes.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(outcomes.filter(({ statusCode }) => statusCode === 400)).toHaveLength(AT_ONCE - 1)
  })
})

describe('members who are removed while they are being booked', () => {
  test('are on none of the bookings afterwards: each was made and freed again, or refused', async () => {
    const leaving = await Promise.all(
      numbers.map(() => buildMember(apis[0], school.organizationId, ['instructor', 'student'])),
    )
    const alone = (at: number) => ({
      ...bookingBody(school, 'solo', { personnel: seats({ students: [leaving[at]!] }), resource: undefined }),
    })
    const outcomes = await Promise.all(
      numbers.map(async (at) => {
        const booked = book(at, alone(at))
        const removed = apiOf(at + 1).call('DELETE', `/orgUsers/${leaving[at]!.orgUserId}?cancelBookings=true`, {
          token: school.admin.token,
        })
        return { booked: await booked, removed: await removed }
      }),
    )
    for (const { booked, removed } of outcomes) {
      expect([201, 400], booked.body).toContain(booked.statusCode)
      expect(removed.statusCode, removed.body).toBe(204)
    }
    const left = await apis[0].core.database.db
      .selectFrom('seat')
      .select('id')
      .where(
        'membership_id',
        'in',
        leaving.map(({ orgUserId }) => orgUserId),
      )
      .where('live', '=', true)
      .execute()
    expect(left).toEqual([])
  })
})

describe('a place that is restored and booked at once on two API processes (§Reservations, restore)', () => {
  const restore = (at: number, id: number) =>
    apiOf(at).call('POST', `/reservations/${id}/restore`, { token: school.dispatcher.token }) as Promise<Outcome>
  const cancelled = async () => {
    const id = await bookDual(apis[0], school)
    const body = { reason: 'Fog', category: 'weather' }
    await apis[0].as(school.dispatcher).delete(`/reservations/${id}`, body)
    return id
  }

  test('belongs to one booking, whoever comes first', async () => {
    const ids = [await cancelled(), await cancelled()]
    const fresh = dualBody(school)
    const outcomes = await Promise.all(
      numbers.map((at) => (at % 2 === 0 ? book(at, fresh) : restore(at, ids[((at - 1) / 2) % 2]!))),
    )
    const won = outcomes.filter(({ statusCode }) => statusCode < 300)
    expect(won).toHaveLength(1)
    const { id } = won[0]!.json().data
    for (const lost of outcomes.filter((one) => one !== won[0])) {
      expect([400, 409]).toContain(lost.statusCode)
      if (lost.statusCode === 400)
        expect(lost.json().details.problems).toContainEqual(expect.objectContaining({ reservationId: id }))
      else expect(lost.json().code).toBe('NOT_PENDING')
    }
  })

  test('is restored once by many who restore one booking', async () => {
    const id = await cancelled()
    const outcomes = await Promise.all(numbers.map((at) => restore(at, id)))
    expect(outcomes.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(outcomes.filter(({ statusCode }) => statusCode === 409)).toHaveLength(AT_ONCE - 1)
    const { rows } = await apis[0].core.database.pool.query(
      `select count(*)::int as times from event where subject_id = $1 and kind = 'reservation.restored'`,
      [id],
    )
    expect(rows).toEqual([{ times: 1 }])
  })
})
