import { describe, expect } from 'vitest'
import { book, bookingBody, seats } from '../../../support/booking.ts'
import { buildMember, buildPlane, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

interface Check {
  ok: boolean
  problems: { code: string; message: string; details: Record<string, unknown> }[]
}

const test = apiTest()
  .extend(
    'ask',
    ({ api }) =>
      (who: Pick<Member, 'token'>, query: Record<string, unknown>) =>
        api.as(who).get(`/reservations/openings?${new URLSearchParams(query as Record<string, string>)}`),
  )
  .extend(
    'openings',
    ({ ask }) =>
      async (who: Pick<Member, 'token'>, query: Record<string, unknown>): Promise<Slot[]> => {
        const response = await ask(who, { ...monday, durationMinutes: 120, type: 'dual', ...query })
        expect(response.statusCode, response.body).toBe(200)
        return response.json().data
      },
  )
  .extend(
    'check',
    ({ api }) =>
      (who: Pick<Member, 'token'>, body: unknown) =>
        expectOk<Check>(api, who, 'POST', '/reservations/check', body),
  )

let school: School
test.beforeEach(async ({ api }) => {
  school = await buildSchool(api, { settings: { flyingDayStartMinute: 480, flyingDayEndMinute: 1080 } })
})

interface Slot {
  start: string
  end: string
  resource: { id: number; name: string } | null
  personnel: Record<'instructors' | 'students' | 'renters' | 'pilots', { orgUserId: number; name: string }[]>
}

const monday = { startDate: '2026-11-23T00:00:00Z', endDate: '2026-11-24T00:00:00Z' }
const starts = (slots: Slot[]) => slots.map(({ start }) => start.slice(11, 16))
const asBody = ({ start, end, resource, personnel }: Slot, type = 'dual') =>
  bookingBody(school, type, { start, end, resource: resource && { id: resource.id }, personnel })

describe('openings for a member (§Booking rules)', () => {
  test('are where a student could book: outside of what is taken, with an instructor who is free', async ({
    api,
    openings,
  }) => {
    await bookDual(api, school, { start: '2026-11-23T10:00:00Z', end: '2026-11-23T15:00:00Z' })
    const slots = await openings(school.student, {})
    // The day runs from 08:00 to 18:00 and is taken from 10:00 to 15:00.
    expect(starts(slots)).toEqual(['08:00', '15:00', '15:15', '15:30', '15:45', '16:00'])
    expect(slots[0]).toEqual({
      start: '2026-11-23T08:00:00.000Z',
      end: '2026-11-23T10:00:00.000Z',
      resource: school.plane,
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId, name: school.instructor.name }],
        students: [{ orgUserId: school.student.orgUserId, name: school.student.name }],
        renters: [],
        pilots: [],
        guests: [],
      },
    })
    for (const slot of [slots[0]!, slots.at(-1)!]) {
      expect((await book(api, school.student, asBody(slot))).statusCode).toBe(201)
    }
  })

  test('leave the sides that nobody is named for to the caller', async ({ openings }) => {
    const [slot] = await openings(school.dispatcher, {})
    expect(slot?.personnel).toMatchObject({ students: [], instructors: [{ orgUserId: school.instructor.orgUserId }] })
  })

  test('need everyone who is named to be free', async ({ api, openings }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    const absence = { start: '2026-11-23T00:00:00Z', end: '2026-11-23T15:00:00Z' }
    await expectOk(api, other, 'POST', '/availability/timeOff', absence)
    const named = `${school.student.orgUserId},${other.orgUserId},${school.instructor.orgUserId}`
    expect(starts(await openings(school.dispatcher, { orgUserId: named }))).toEqual([
      '15:00',
      '15:15',
      '15:30',
      '15:45',
      '16:00',
    ])
  })

  test('come from the resources that are named, or from all that the type takes', async ({ api, openings }) => {
    const second = await buildPlane(api, school, { name: 'A-plane' })
    const third = await buildPlane(api, school)
    const long = { durationMinutes: 600 }
    expect((await openings(school.student, long)).map(({ resource }) => resource?.id).sort()).toEqual(
      [school.plane.id, second.id, third.id].sort(),
    )
    const named = await openings(school.student, { ...long, resourceId: `${second.id},${third.id}` })
    expect(named.map(({ resource }) => resource?.id)).toEqual([second.id, third.id])
  })

  test('do not exist on a grounded aircraft or in the past', async ({ api, openings }) => {
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
      grounded: true,
      reason: 'Tyre',
    })
    expect(await openings(school.student, {})).toEqual([])
    expect(await openings(school.technician, { type: 'maintenance', durationMinutes: 1440 })).toHaveLength(1)
    const past = { startDate: '2026-11-20T00:00:00Z', endDate: '2026-11-21T12:30:00Z' }
    expect(await openings(school.instructor, { ...past, type: 'ground', durationMinutes: 15 })).toHaveLength(2)
  })

  test('exist without a room for a ground lesson', async ({ api, openings }) => {
    const [slot] = await openings(school.student, { type: 'ground' })
    expect(slot?.resource).toBeNull()
    expect((await book(api, school.student, asBody(slot!, 'ground'))).statusCode).toBe(201)
  })

  test('are at most 200', async ({ openings }) => {
    const week = { startDate: '2026-11-23T00:00:00Z', endDate: '2026-12-20T00:00:00Z' }
    expect(await openings(school.student, { ...week, durationMinutes: 15 })).toHaveLength(200)
  })

  test('are the slots to request where bookings need approval', async ({ api, openings }) => {
    school = await buildSchool(api, { settings: { approvalRequired: { student: true, renter: true } } })
    expect(await openings(school.student, {})).not.toEqual([])
  })
})

describe('a request for openings is refused (§Booking rules)', () => {
  test.for([
    ['without a type', { type: undefined }, /^type: /],
    [
      'for a type that the roles do not allow',
      { type: 'maintenance' },
      /^Your roles do not let you make a maintenance booking$/,
    ],
    ['without a length', { durationMinutes: 0 }, /^durationMinutes: /],
    ['for longer than a booking lasts', { durationMinutes: 61 * 1440 }, /^end: a dual booking lasts at most 60 days$/],
    ['in a window of more than 31 days', { endDate: '2026-12-24T00:00:01Z' }, /^endDate: must be at most 31 days/],
    ['in a window that ends before it begins', { endDate: '2026-11-22T00:00:00Z' }, /^endDate: must be after/],
    ['in local time', { startDate: '2026-11-23T00:00:00' }, /^startDate: /],
    ['with ids that are none', { orgUserId: 'ana' }, /^orgUserId: /],
  ] as const)('when it has an error: %s', async ([_what, query, message], { ask }) => {
    const merged = { ...monday, durationMinutes: 120, type: 'dual', ...query }
    const given = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
    const response = await ask(school.student, given)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(message)
  })

  test('for ids of another organization and for people without a seat, by field name', async ({ api, ask }) => {
    const elsewhere = await buildSchool(api)
    for (const [query, message] of [
      [{ resourceId: elsewhere.plane.id }, /^resourceId: there is no such resource/],
      [{ orgUserId: elsewhere.student.orgUserId }, /^orgUserId: there is no such member/],
      [{ orgUserId: school.renter.orgUserId }, /^orgUserId: there is no place for/],
    ] as const) {
      const response = await ask(school.dispatcher, { ...monday, durationMinutes: 120, type: 'dual', ...query })
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toMatch(message)
    }
  })
})

describe('a check of a booking (§Booking rules)', () => {
  test('answers that a booking could be made, and writes nothing', async ({ api, check }) => {
    const { result, statements } = await countStatements(api, () => check(school.student, dualBody(school)))
    expect(result).toEqual({ ok: true, problems: [], warnings: [], cancellationTerms: null })
    expect(statements.filter((text) => /^\s*(insert|update|delete|begin)/i.test(text))).toEqual([])
  })

  test('names everything that prevents the booking, as booking does', async ({ api, check }) => {
    const other = await bookDual(api, school)
    expect(await check(school.dispatcher, dualBody(school))).toMatchObject({
      ok: false,
      problems: [
        { code: 'RESOURCE_CLASH', details: { field: 'resource', resourceId: school.plane.id, reservationId: other } },
        { code: 'PERSON_CLASH', details: { orgUserId: school.instructor.orgUserId } },
        { code: 'PERSON_CLASH', details: { orgUserId: school.student.orgUserId } },
      ],
    })
  })

  test.for([
    [
      'what the caller may not do',
      { personnel: () => seats({ instructors: [school.instructor], students: [school.instructor] }) },
      'FORBIDDEN',
    ],
    ['an id that is not there', { resource: () => ({ id: 2_000_000_000 }) }, 'INVALID'],
    ['a location that is not there', { location: () => ({ id: 2_000_000_000 }) }, 'INVALID'],
    ['an end before the start', { end: () => '2026-11-23T09:00:00Z' }, 'INVALID'],
    ['a series that is none', { recurrence: () => ({ frequency: 'daily' }) }, 'INVALID'],
    [
      'a prepaid series',
      {
        recurrence: () => ({ frequency: 'daily', count: 2 }),
        collectionStyle: () => 'prepaid_fixed',
        prepaidAmountCents: () => 50,
      },
      'INVALID',
    ],
  ] as const)('names %s', async ([_what, extra, code], { check }) => {
    const given = Object.fromEntries(Object.entries(extra).map(([key, value]) => [key, value()]))
    const { ok, problems } = await check(school.student, dualBody(school, { extra: given }))
    expect([ok, problems[0]?.code]).toEqual([false, code])
  })

  test('names the dates of a series', async ({ api, check }) => {
    await bookDual(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' })
    const { problems } = await check(
      school.student,
      dualBody(school, { extra: { recurrence: { frequency: 'daily', count: 5 } } }),
    )
    expect(problems.map(({ details }) => [details.index, details.start])).toEqual([
      [3, '2026-11-25T10:00:00.000Z'],
      [3, '2026-11-25T10:00:00.000Z'],
      [3, '2026-11-25T10:00:00.000Z'],
    ])
  })

  test('names an unverified address for a prepaid booking', async ({ api, check }) => {
    const body = dualBody(school, { extra: { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 5_000 } })
    expect((await check(school.dispatcher, body)).ok).toBe(true)
    await api.core.database.db
      .updateTable('account')
      .set({ email_verified_at: null })
      .where('id', '=', school.dispatcher.accountId)
      .execute()
    expect(await check(school.dispatcher, body)).toMatchObject({
      ok: false,
      problems: [{ code: 'EMAIL_NOT_VERIFIED' }],
    })
  })

  test('is 400 for a malformed body', async ({ api }) => {
    const response = await api.as(school.student).post('/reservations/check', { type: 'dual' })
    expect(response.statusCode).toBe(400)
  })
})

describe('openings and bookings agree (§Booking rules)', () => {
  const random = seeded(20261123)
  const pick = (most: number) => Math.floor(random() * most)

  test('so that every slot that is offered is accepted, and one that is not offered is refused', async ({
    api,
    openings,
  }) => {
    const others = await Promise.all([1, 2].map(() => buildMember(api, school.organizationId, ['instructor'])))
    const instructors = [school.instructor, ...others]
    const planes = [school.plane, await buildPlane(api, school), await buildPlane(api, school)]
    for (let tries = 0; tries < 25; tries++) {
      const from = Date.UTC(2026, 10, 23, 8) + pick(16) * 1_800_000
      await book(api, school.dispatcher, {
        ...dualBody(school, {
          start: new Date(from).toISOString(),
          end: new Date(from + (1 + pick(4)) * 1_800_000).toISOString(),
          students: [await buildMember(api, school.organizationId, ['student'])],
        }),
        resource: { id: planes[pick(3)]!.id },
        personnel: seats({
          instructors: [instructors[pick(3)]!],
          students: [await buildMember(api, school.organizationId, ['student'])],
        }),
      })
    }
    await expectOk(api, school.student, 'POST', '/availability/timeOff', {
      start: '2026-11-23T15:10:00Z',
      end: '2026-11-23T15:40:00Z',
    })
    const slots = await openings(school.student, { durationMinutes: 45 })
    expect(slots.length).toBeGreaterThan(5)
    const offered = new Set(slots.map(({ start, resource }) => `${start} ${resource?.id}`))
    const ok = async (body: unknown) =>
      (await expectOk<{ ok: boolean }>(api, school.student, 'POST', '/reservations/check', body)).ok
    for (const slot of slots) expect(await ok(asBody(slot)), JSON.stringify(slot)).toBe(true)
    for (let at = Date.UTC(2026, 10, 23, 7, 45); at < Date.UTC(2026, 10, 23, 18); at += 900_000) {
      for (const { id } of planes) {
        const [start, end] = [new Date(at).toISOString(), new Date(at + 45 * 60_000).toISOString()]
        if (offered.has(`${start} ${id}`)) continue
        for (const instructor of instructors) {
          const personnel = seats({ instructors: [instructor], students: [school.student] })
          expect(await ok(bookingBody(school, 'dual', { start, end, resource: { id }, personnel }))).toBe(false)
        }
      }
    }
    expect((await book(api, school.student, asBody(slots[0]!))).statusCode).toBe(201)
  })
})

/** Numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
