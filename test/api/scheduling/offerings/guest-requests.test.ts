import { describe, expect } from 'vitest'
import { HOLD_MINUTES } from '../../../../src/shared/scheduling/offerings/request-offering.ts'
import { NOW } from '../../../support/app.ts'
import { refusedBooking } from '../../../support/booking.ts'
import { buildPlane, buildSchool, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'
import {
  asked,
  askFor,
  askFrom,
  buildListedSchool,
  confirm,
  confirmationToken,
  type Offered,
  offer,
  openingsOf,
  startsOf,
  TEN,
} from '../../../support/offerings.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'

const test = apiTest()
  .extend(
    'rowOf',
    ({ api }) =>
      (id: number) =>
        api.core.database.db.selectFrom('booking_request').selectAll().where('id', '=', id).executeTakeFirst(),
  )
  .extend(
    'rows',
    ({ api }) =>
      () =>
        api.core.database.db
          .selectFrom('booking_request')
          .selectAll()
          .where('organization_id', '=', school.organizationId)
          .orderBy('id')
          .execute(),
  )
  .extend(
    'later',
    ({ api }) =>
      (minutes: number) =>
        new Date(api.clock.now.getTime() + minutes * 60_000),
  )
  /** A slot of the Monday that a booking would take too. */
  .extend(
    'clashing',
    ({ api }) =>
      (start: string, end: string) =>
        refusedBooking(api, school.instructor, dualBody(school, { start, end })),
  )

let school: School
let offering: Offered
test.beforeEach(async ({ api }) => {
  api.clock.now = NOW
  school = await buildListedSchool(api)
  offering = await offer(api, school)
  await clearOutbox(api)
})

const onPlane = () => ({ resource: { id: school.plane.id } })

describe('a guest’s request (§Booking requests)', () => {
  test('waits for the mail to be confirmed and keeps the present length and price', async ({ api, rowOf, later }) => {
    const prepaid = await offer(api, school, { collectionStyle: 'prepaid_fixed', priceCents: 9_900 })
    const response = await askFor(api, prepaid, { email: 'Gia@Example.com' })
    expect(response.statusCode, response.body).toBe(202)
    const { id } = response.json().data
    expect(response.json()).toEqual({ data: { id, status: 'awaiting_confirmation' } })
    await expectOk(api, school.admin, 'PATCH', `/offerings/${prepaid.id}`, { priceCents: 19_900, durationMinutes: 120 })
    expect(await rowOf(id)).toMatchObject({
      status: 'awaiting_confirmation',
      type: 'guest',
      title: 'Discovery flight',
      starts_at: new Date(TEN),
      ends_at: new Date('2026-11-23T11:00:00Z'),
      guest_name: 'Gia Visitor',
      guest_email: 'gia@example.com',
      guest_id: null,
      collection_style: 'prepaid_fixed',
      prepaid_amount_cents: 9_900,
      held_until: null,
      token_expires_at: later(24 * 60),
    })
    const owed = await api.core.database.db.selectFrom('outbox').select(['job', 'payload']).execute()
    expect(owed).toEqual([
      {
        job: 'offerings.send-confirmation',
        payload: { organizationId: school.organizationId, bookingRequestId: id },
      },
    ])
  })

  test('without an aircraft may be for any time within a year, taken or not', async ({ api }) => {
    await bookDual(api, school)
    await asked(api, offering, { start: '2026-11-23T10:07:00Z' })
    await asked(api, offering, { start: '2027-11-21T12:00:00Z', email: 'bo@example.com' })
    for (const [start, problem] of [
      ['2026-11-21T12:00:00Z', 'start: is in the past'],
      ['2026-11-20T12:00:00Z', 'start: is in the past'],
      ['2027-11-21T12:00:01Z', 'start: must be within 365 days'],
    ]) {
      const response = await askFor(api, offering, { start })
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe(problem)
    }
  })

  test.for([
    ['name', undefined],
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['email', undefined],
    ['email', 'gia'],
    ['phone', undefined],
    ['start', undefined],
    ['start', '2026-11-23T10:00:00'],
    ['resource', { id: 0 }],
  ] as const)('is refused for %s %j', async ([field, value], { api, rows }) => {
    const response = await askFor(api, offering, { [field]: value })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field}`))
    expect(await rows()).toEqual([])
  })

  test('is refused for an aircraft of another offering or organization', async ({ api }) => {
    const [own, foreign] = [await buildPlane(api, school), (await buildSchool(api)).plane]
    const bodies = new Set<string>()
    for (const { id } of [own, foreign, { id: 2_000_000_000 }]) {
      const response = await askFor(api, offering, { resource: { id } })
      expect(response.statusCode).toBe(400)
      bodies.add(response.body)
    }
    expect([...bodies]).toEqual(['{"message":"resource.id: there is no such aircraft on this offering"}'])
  })
})

describe('an aircraft that a guest chooses', () => {
  test('is held for half an hour from members and the public, and then is free again', async ({
    api,
    rowOf,
    later,
    clashing,
  }) => {
    const id = await asked(api, offering, onPlane())
    expect((await rowOf(id))?.held_until).toEqual(later(HOLD_MINUTES))
    expect(startsOf(await openingsOf(api, offering)).filter((start) => start > '08:45' && start < '11:15')).toEqual([
      '09:00',
      '11:00',
    ])
    const problems = await clashing('2026-11-23T10:30:00Z', '2026-11-23T12:00:00Z')
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'RESOURCE_CLASH',
        message: expect.stringContaining('held by a booking request'),
      }),
    ])
    expect(problems[0]).not.toHaveProperty('reservationId')
    const check = await expectOk<{ ok: boolean }>(
      api,
      school.instructor,
      'POST',
      '/reservations/check',
      dualBody(school),
    )
    expect(check.ok).toBe(false)

    api.clock.now = new Date(later(HOLD_MINUTES).getTime() - 1)
    await clashing('2026-11-23T10:30:00Z', '2026-11-23T12:00:00Z')
    api.clock.now = later(0.001 / 60)
    expect(startsOf(await openingsOf(api, offering))).toContain('10:00')
    await bookDual(api, school)
  })

  test('cannot be taken by a member who moves a booking there, and back to back is no clash', async ({ api }) => {
    const moved = await bookDual(api, school, { start: '2026-11-23T13:00:00Z', end: '2026-11-23T14:00:00Z' })
    await asked(api, offering, onPlane())
    const move = (start: string, end: string) =>
      api.as(school.instructor).patch(`/reservations/${moved}`, { start, end })
    expect((await move(TEN, '2026-11-23T11:00:00Z')).json().code).toBe('RESOURCE_CLASH')
    expect((await move('2026-11-23T11:00:00Z', '2026-11-23T12:00:00Z')).statusCode).toBe(200)
  })

  test('must be free now: not booked, not held, not outside the flying day', async ({ api, rows }) => {
    await bookDual(api, school, { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z' })
    await asked(api, offering, onPlane())
    for (const start of [
      '2026-11-23T15:30:00Z',
      '2026-11-23T10:45:00Z',
      '2026-11-23T07:45:00Z',
      '2026-11-23T17:15:00Z',
    ]) {
      const response = await askFor(api, offering, { ...onPlane(), start, email: 'bo@example.com' })
      expect(response.statusCode).toBe(400)
      expect(response.body).toBe('{"message":"start: this time is not open on this aircraft; please choose another"}')
    }
    expect(await rows()).toHaveLength(1)
  })

  test('may be requested off the quarter hours', async ({ api, rowOf }) => {
    const id = await asked(api, offering, { ...onPlane(), start: '2026-11-23T10:07:00Z' })
    expect((await rowOf(id))?.held_until).not.toBeNull()
  })

  test('is free again when the desk declines or cancels the request', async ({ api }) => {
    for (const verb of ['reject', 'cancel']) {
      const id = await asked(api, offering, { ...onPlane(), email: `${verb}@example.com` })
      expect((await confirm(api, await confirmationToken(api, id))).statusCode).toBe(200)
      expect(startsOf(await openingsOf(api, offering))).not.toContain('10:00')
      await expectOk(api, school.dispatcher, 'POST', `/booking-requests/${id}/${verb}`, { reason: 'No instructor' })
      expect(startsOf(await openingsOf(api, offering))).toContain('10:00')
    }
  })
})

describe('cannot be held so that guests block a school’s calendar', () => {
  test('because one address holds one aircraft of an offering, and its next request has no hold', async ({
    api,
    rows,
  }) => {
    const other = await offer(api, school, { name: 'Bay tour' })
    await asked(api, offering, onPlane())
    const second = await askFor(api, offering, { ...onPlane(), start: '2026-11-23T12:00:00Z' })
    expect(second.statusCode).toBe(202)
    await asked(api, other, { ...onPlane(), start: '2026-11-23T14:00:00Z' })
    const held = (await rows()).map(({ held_until, resource_id }) => [resource_id, held_until !== null])
    expect(held).toEqual([
      [school.plane.id, true],
      [school.plane.id, false],
      [school.plane.id, true],
    ])
  })

  test('because an address has three undecided requests at most, and a fourth only appears to be taken', async ({
    api,
    rowOf,
    rows,
    later,
  }) => {
    for (const hour of [10, 12, 14]) await asked(api, offering, { start: `2026-11-23T${hour}:00:00Z` })
    await clearOutbox(api)
    const fourth = await askFor(api, offering, { start: '2026-11-23T16:00:00Z' })
    expect(fourth.statusCode).toBe(202)
    const { id, status } = fourth.json().data
    expect(status).toBe('awaiting_confirmation')
    expect(await rows()).toHaveLength(3)
    expect(id).toBeGreaterThan((await rows()).at(-1)!.id)
    expect(await rowOf(id)).toBeUndefined()
    expect(await api.core.database.db.selectFrom('outbox').selectAll().execute()).toEqual([])
    // The links of the first three run out, and there is room again.
    api.clock.now = later(24 * 60)
    await asked(api, offering, { start: '2026-11-23T16:00:00Z' })
    expect(await rows()).toHaveLength(4)
  })

  test('because ten aircraft are held at once, whoever asks', async ({ api, later }) => {
    const planes = await Promise.all(Array.from({ length: 11 }, () => buildPlane(api, school)))
    const large = await offer(api, school, { resourceIds: planes.map(({ id }) => id) })
    for (const [at, { id }] of planes.slice(0, 10).entries()) {
      const asker = { resource: { id }, email: `guest${at}@example.com` }
      expect((await askFrom(api, `203.0.113.${at}`, large, asker)).statusCode).toBe(202)
    }
    const eleventh = { resource: { id: planes[10]!.id }, email: 'late@example.com' }
    const refused = await askFor(api, large, eleventh)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toBe('resource: please choose a time without an aircraft')
    await asked(api, large, { email: 'late@example.com' })
    api.clock.now = later(HOLD_MINUTES)
    await asked(api, large, eleventh)
  })
})

test('the answer to a guest’s request does not reveal whether the school knows the address', async ({ api }) => {
  const known = school.student.email
  const answers = [
    await askFor(api, offering, { email: known }),
    await askFor(api, offering, { email: 'new@example.com' }),
  ]
  const shapes = answers.map((response) => [
    response.statusCode,
    Object.keys(response.json().data),
    response.json().data.status,
  ])
  expect(shapes[0]).toEqual(shapes[1])
})

describe('confirming a guest’s request (§Booking requests)', () => {
  test('brings the request before the desk with its guest and notifies desk staff', async ({ api }) => {
    const id = await asked(api, offering, onPlane())
    const hidden = await expectOk<Record<string, unknown>[]>(api, school.dispatcher, 'GET', '/booking-requests')
    expect(JSON.stringify(hidden)).not.toMatch(/gia/i)
    await clearOutbox(api)
    const response = await confirm(api, await confirmationToken(api, id))
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({ data: { id, status: 'pending' } })
    expect(await owedNotifications(api)).toEqual([{ kind: 'booking_request_submitted', subjectId: id, causedBy: null }])
    const shown = await expectOk<Record<string, unknown>>(api, school.dispatcher, 'GET', `/booking-requests/${id}`)
    expect(shown).toMatchObject({
      status: 'pending',
      guest: { name: 'Gia Visitor', email: 'gia@example.com', phone: '+1 510 555 0123' },
      personnel: { guests: [{ name: 'Gia Visitor' }] },
      offering: { id: offering.id },
      confirmedAt: NOW.toISOString(),
    })
  })

  test('makes one guest of one address, however often they ask', async ({ api }) => {
    for (const hour of [10, 12]) {
      const id = await asked(api, offering, { start: `2026-11-23T${hour}:00:00Z`, email: 'GIA@example.com' })
      await confirm(api, await confirmationToken(api, id))
    }
    expect(await expectOk(api, school.dispatcher, 'GET', '/guests')).toHaveLength(1)
  })

  test('works after the hold has ended, and the aircraft stays a wish', async ({ api, rowOf, later }) => {
    const id = await asked(api, offering, onPlane())
    api.clock.now = later(HOLD_MINUTES + 1)
    await bookDual(api, school)
    expect((await confirm(api, await confirmationToken(api, id))).statusCode).toBe(200)
    expect(await rowOf(id)).toMatchObject({ status: 'pending', resource_id: school.plane.id })
  })

  test('works once within 24 hours, and never with the token of another mail', async ({ api, later }) => {
    const id = await asked(api, offering)
    const token = await confirmationToken(api, id)
    await expectOk(api, school.admin, 'POST', '/organizations/invite', { email: 'bo@example.com' })
    await api.call('POST', '/auth/forgot-password', { body: { email: school.student.email } })
    const others = [
      await mailedToken(api, 'bo@example.com', 'invitation'),
      await mailedToken(api, school.student.email, 'reset_password'),
      'unknown',
      school.admin.token.slice(0, 200),
    ]
    const bodies = new Set<string>()
    for (const other of others) {
      const response = await confirm(api, other)
      expect(response.statusCode).toBe(400)
      bodies.add(response.body)
    }
    for (const url of ['/auth/verify-email', '/organizations/invitations/lookup']) {
      expect((await api.call('POST', url, { body: { token } })).statusCode).toBe(400)
    }
    api.clock.now = later(24 * 60)
    bodies.add((await confirm(api, token)).body)
    api.clock.now = new Date(api.clock.now.getTime() - 1)
    expect((await confirm(api, token)).statusCode).toBe(200)
    bodies.add((await confirm(api, token)).body)
    expect([...bodies]).toEqual(['{"message":"This link has expired or was used already. Please send a new request."}'])
  })

  test('is refused when its time has passed, and leaves the request as it was', async ({ api, rowOf, later }) => {
    const id = await asked(api, offering, { start: '2026-11-21T13:00:00Z' })
    api.clock.now = later(60)
    const response = await confirm(api, await confirmationToken(api, id))
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(/has passed/)
    expect((await rowOf(id))?.status).toBe('awaiting_confirmation')
  })
})
