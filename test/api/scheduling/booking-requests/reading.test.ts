import { describe, expect } from 'vitest'
import { NOW } from '../../../support/app.ts'
import {
  type Asked,
  asking,
  buildAskedSchool,
  decide,
  insertGuestRequest,
  reading,
} from '../../../support/booking-requests.ts'
import { buildMember, type Member, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

const test = apiTest()
  .extend(
    'list',
    ({ api }) =>
      (who: Pick<Member, 'token'> = school.dispatcher, query = '') =>
        expectOk<Asked[]>(api, who, 'GET', `/booking-requests${query}`),
  )
  .extend(
    'policy',
    ({ api }) =>
      (who: Member) =>
        expectOk(api, who, 'GET', '/booking-requests/policy/me'),
  )

let school: School
test.beforeEach(async ({ api }) => {
  api.clock.now = NOW
  school = await buildAskedSchool(api)
})

const idsOf = (asked: Asked[]) => asked.map(({ id }) => id)
const on = (day: number) => ({ start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` })
const MINUTE = 60_000
const DAY = 1440 * MINUTE

describe('the desk’s list of requests (§Booking requests, GET /booking-requests)', () => {
  test('has what is pending, by start, without what is decided', async ({ api, list }) => {
    const late = await asking(api, school, on(20))
    const early = await asking(api, school, on(10))
    const declined = await asking(api, school, on(11))
    await decide(api, school.admin, declined.id, 'reject')
    const cancelled = await asking(api, school, on(12))
    await decide(api, school.student, cancelled.id, 'cancel')
    const approved = await asking(api, school, on(13))
    await decide(api, school.owner, approved.id, 'approve')
    expect(idsOf(await list())).toEqual([early.id, late.id])
  })

  test('has approved guests until they are invited, for thirty days', async ({ api, list }) => {
    const id = await insertGuestRequest(api, school)
    expect((await decide(api, school.admin, id, 'approve')).statusCode).toBe(200)
    expect((await list())[0]).toMatchObject({ id, status: 'approved', guest: { email: 'gia@example.com' } })
    const set = (values: { decided_at: Date; invited_at?: Date }) =>
      api.core.database.db.updateTable('booking_request').set(values).where('id', '=', id).execute()
    await set({ decided_at: new Date(NOW.getTime() - 30 * DAY + MINUTE) })
    expect(idsOf(await list())).toEqual([id])
    await set({ decided_at: new Date(NOW.getTime() - 30 * DAY) })
    expect(await list()).toEqual([])
    await set({ decided_at: NOW, invited_at: NOW })
    expect(await list()).toEqual([])
  })

  test('has an aircraft that is held for an unconfirmed guest, without who they are, while it is held', async ({
    api,
    list,
  }) => {
    const held = await insertGuestRequest(api, school, { status: 'awaiting_confirmation', heldMinutes: 30 })
    await insertGuestRequest(api, school, { status: 'awaiting_confirmation', email: 'other@example.com' })
    const [row, ...others] = await list()
    expect(others).toEqual([])
    expect(row).toMatchObject({ id: held, status: 'awaiting_confirmation', guest: null, requester: null })
    const words = JSON.stringify([row, await reading(api, school.dispatcher, held)])
    expect(words).not.toMatch(/gia|510 555/i)
    api.clock.now = new Date(NOW.getTime() + 30 * MINUTE)
    expect(await list()).toEqual([])
  })

  test('shows who a guest is once they have confirmed', async ({ api }) => {
    const id = await insertGuestRequest(api, school)
    expect((await reading(api, school.dispatcher, id)).guest).toMatchObject({
      name: 'Gia Visitor',
      email: 'gia@example.com',
      phone: '+1 510 555 0123',
    })
  })

  test('is cut and sorted as every list is', async ({ api }) => {
    await asking(api, school, { ...on(10), title: 'B' })
    await asking(api, school, { ...on(11), title: 'A' })
    const response = await api.as(school.dispatcher).get('/booking-requests?limit=1&sort=title')
    expect(response.json().data.map(({ title }: Asked) => title)).toEqual(['A'])
    expect(response.headers['x-total-count']).toBe('2')
    const plain = await api.as(school.dispatcher).get('/booking-requests?limit=1&offset=1')
    expect(plain.json().data.map(({ title }: Asked) => title)).toEqual(['A'])
    const wrong = await api.as(school.dispatcher).get('/booking-requests?limit=0')
    expect(wrong.statusCode).toBe(400)
  })
})

describe('a member who reads requests (§Booking requests)', () => {
  test('gets all of their own, the latest start first, and nobody else’s', async ({ api }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    const early = await asking(api, school, on(10))
    const late = await asking(api, school, on(20))
    await asking(api, school, on(15), other)
    await decide(api, school.admin, late.id, 'reject', { reason: 'No aircraft' })
    const mine = await expectOk<Asked[]>(api, school.student, 'GET', '/booking-requests/me')
    expect(mine).toMatchObject([
      { id: late.id, status: 'declined', reason: 'No aircraft', decidedBy: { orgUserId: school.admin.orgUserId } },
      { id: early.id, status: 'pending' },
    ])
    expect(await expectOk<Asked[]>(api, school.admin, 'GET', '/booking-requests/me')).toEqual([])
  })
})

describe('the booking policy (§Booking requests, GET policy/me)', () => {
  test('answers who needs approval and for what', async ({ api, policy }) => {
    expect(await policy(school.student)).toEqual({
      approvalRequired: true,
      roles: ['student'],
      types: ['solo', 'dual', 'ground', 'sim'],
      reason: 'Bookings by students need approval here.',
    })
    const free = { approvalRequired: false, roles: [], types: [], reason: null }
    for (const who of [school.dispatcher, school.instructor, school.technician]) expect(await policy(who)).toEqual(free)
    const both = await buildMember(api, school.organizationId, ['student', 'renter'])
    expect(await policy(both)).toMatchObject({
      roles: ['student', 'renter'],
      reason: 'Bookings by students and renters need approval here.',
    })
  })

  test('follows the settings', async ({ api, policy }) => {
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { approvalRequired: { student: false } } })
    expect(await policy(school.student)).toMatchObject({ approvalRequired: false })
    expect(await policy(school.renter)).toMatchObject({ approvalRequired: true, types: ['shared', 'rental'] })
  })
})
