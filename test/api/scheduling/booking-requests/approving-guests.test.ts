import { describe, expect } from 'vitest'
import { buildAskedSchool, decide, insertGuestRequest, reading } from '../../../support/booking-requests.ts'
import { buildMember, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'

const test = apiTest({ env: { PROCESSOR_WAIT_MS: '100' } })
  .extend('flightOf', ({ api }) => async (id: number): Promise<Flight> => {
    const { reservation } = await reading(api, school.dispatcher, id)
    return expectOk<Flight>(api, school.dispatcher, 'GET', `/reservations/${reservation?.id}`)
  })
  .extend(
    'approve',
    ({ api }) =>
      (id: number, body: unknown = {}) =>
        decide(api, school.dispatcher, id, 'approve', body),
  )
  /** A ground lesson that the student asked for, whose instructor has an account for calls. */
  .extend('groundRequest', ({ api }) => async (): Promise<number> => {
    await api.core.database.db
      .insertInto('connected_account')
      .values({
        organization_id: school.organizationId,
        membership_id: school.instructor.orgUserId,
        provider: 'zoom',
        refresh_token: 'sealed',
        connected_at: api.clock.now,
      })
      .execute()
    const { id } = await expectOk<{ id: number }>(api, school.student, 'POST', '/booking-requests', {
      type: 'ground',
      start: '2026-11-23T10:00:00Z',
      end: '2026-11-23T11:00:00Z',
      meeting: { provider: 'zoom', topic: 'Airspace' },
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId }],
        students: [{ orgUserId: school.student.orgUserId }],
      },
    })
    return id
  })

let school: School
test.beforeEach(async ({ api }) => {
  school = await buildAskedSchool(api)
})

interface Flight {
  personnel: { instructors: { orgUserId: number }[]; guests: { guestId: number; email: string }[] }
  collectionStyle: string
  prepaidAmountCents: number | null
  invoices: { totalCents: number; payer: { guestId: number } }[]
}

const eleven = { start: '2026-11-23T10:00:00Z', end: '2026-11-23T11:00:00Z' }

describe('the request of a guest (§Booking request)', () => {
  test('is approved with the guest on the booking and an instructor who is free', async ({
    api,
    flightOf,
    approve,
  }) => {
    const id = await insertGuestRequest(api, school)
    expect((await approve(id)).statusCode).toBe(200)
    expect((await flightOf(id)).personnel).toMatchObject({
      instructors: [{ orgUserId: school.instructor.orgUserId }],
      guests: [{ email: 'gia@example.com' }],
    })
  })

  test('is flown by the instructor whom the desk names', async ({ api, flightOf, approve }) => {
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const id = await insertGuestRequest(api, school)
    await approve(id, { instructorOrgUserId: other.orgUserId })
    expect((await flightOf(id)).personnel.instructors).toMatchObject([{ orgUserId: other.orgUserId }])
  })

  test('is not approved without the guest who asked', async ({ api, approve }) => {
    const id = await insertGuestRequest(api, school)
    const instructors = [{ orgUserId: school.instructor.orgUserId }]
    const guest = (email: string) => ({ personnel: { instructors, guests: [{ name: 'Gia', email }] } })
    const without = await approve(id, guest('other@example.com'))
    expect(without.statusCode).toBe(400)
    expect(without.json().message).toBe('personnel: the requester must be on the booking')
    expect((await approve(id, guest('gia@example.com'))).statusCode).toBe(200)
  })

  test('is refused with its obstacles when nobody is free, and stays pending', async ({ api, approve }) => {
    await bookDual(api, school, eleven)
    const id = await insertGuestRequest(api, school)
    const { code, details } = (await approve(id)).json()
    expect(code).toBe('RESOURCE_CLASH')
    expect(details.problems.map((problem: { code: string }) => problem.code)).toContain('PERSON_CLASH')
    expect((await reading(api, school.dispatcher, id)).status).toBe('pending')
  })

  test('keeps others off the aircraft that it holds, and does not clash with itself', async ({ api, approve }) => {
    const id = await insertGuestRequest(api, school, { heldMinutes: 30 })
    const body = dualBody(school, eleven)
    const other = await api.as(school.dispatcher).post('/reservations', body)
    expect([other.statusCode, other.json().code]).toEqual([400, 'RESOURCE_CLASH'])
    expect((await approve(id)).json().data).toMatchObject({ status: 'approved', heldUntil: null })
  })

  test.for(['reject', 'cancel'] as const)('releases the aircraft on a %s', async (decision, { api }) => {
    const id = await insertGuestRequest(api, school, { heldMinutes: 30 })
    expect((await decide(api, school.dispatcher, id, decision)).statusCode).toBe(200)
    await bookDual(api, school, eleven)
  })

  test('cannot be decided before the guest has confirmed it', async ({ api }) => {
    const id = await insertGuestRequest(api, school, { status: 'awaiting_confirmation', heldMinutes: 30 })
    for (const decision of ['approve', 'reject', 'cancel'] as const) {
      const response = await decide(api, school.dispatcher, id, decision)
      expect([response.statusCode, response.json().code]).toEqual([409, 'NOT_PENDING'])
    }
  })

  test('that is prepaid is charged at its approval, which waits no longer than the configuration says', async ({
    api,
    flightOf,
    approve,
  }) => {
    const id = await insertGuestRequest(api, school, { prepaidCents: 19_900 })
    const response = await approve(id)
    expect(response.statusCode).toBe(200)
    expect(response.json().warnings).toEqual([
      {
        rule: 'prepaid_charge',
        code: 'PREPAID_CHARGE',
        field: '',
        overridable: false,
        message: 'The payment processor has not answered for Gia Visitor yet; the invoice will follow automatically.',
      },
    ])
    const { personnel, ...flight } = await flightOf(id)
    expect(flight).toMatchObject({
      collectionStyle: 'prepaid_fixed',
      prepaidAmountCents: 19_900,
      invoices: [{ totalCents: 19_900, payer: { guestId: personnel.guests[0]?.guestId } }],
    })
  })
})

describe('the video call of an approved request', () => {
  test('is awaited for as long as the configuration says, and the approval stands', async ({
    api,
    approve,
    groundRequest,
  }) => {
    const id = await groundRequest()
    const response = await approve(id)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      data: { status: 'approved', meeting: { provider: 'zoom', topic: 'Airspace' }, meetingUrl: null },
      warnings: [
        {
          rule: 'meeting',
          code: 'MEETING',
          message: 'The video call is not created yet; it will be created automatically.',
        },
      ],
    })
    const owed = await api.core.database.db
      .selectFrom('outbox')
      .select('payload')
      .where('job', '=', 'meetings.create-meeting')
      .execute()
    expect(owed.map(({ payload }) => payload)).toEqual([
      { organizationId: school.organizationId, bookingRequestId: id },
    ])
  })
})
