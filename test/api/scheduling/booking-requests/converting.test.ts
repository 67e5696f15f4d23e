import { describe, expect } from 'vitest'
import { NOW } from '../../../support/app.ts'
import type { Member, School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'
import { asked, buildListedSchool, confirmedRequest, type Offered, offer } from '../../../support/offerings.ts'

const test = apiTest()
  .extend(
    'convert',
    ({ api }) =>
      (id: number, role: unknown = 'student', who: Member = school.dispatcher) =>
        api.as(who).post(`/booking-requests/${id}/convert`, { role }),
  )
  .extend(
    'approve',
    ({ api }) =>
      (id: number) =>
        expectOk(api, school.dispatcher, 'POST', `/booking-requests/${id}/approve`, {}),
  )
  .extend('approvedGuest', ({ api, approve }) => async (): Promise<number> => {
    const id = await confirmedRequest(api, offering, { email: email() })
    await approve(id)
    return id
  })
  .extend(
    'signUp',
    ({ api }) =>
      async (token: string) =>
        api.call('POST', '/users', {
          body: { name: 'Gia Visitor', email: email(), password: 'purple hat canary', invitationToken: token },
        }),
  )

let school: School
let offering: Offered
test.beforeEach(async ({ api }) => {
  api.clock.now = NOW
  school = await buildListedSchool(api)
  offering = await offer(api, school)
})

const email = () => `gia.${school.organizationId}@example.com`

describe('converting a guest (§Booking requests, POST convert)', () => {
  test.for(['student', 'renter'] as const)(
    'invites the guest as a %s',
    async (role, { api, convert, approvedGuest, signUp }) => {
      const id = await approvedGuest()
      const response = await convert(id, role)
      expect(response.statusCode, response.body).toBe(200)
      expect(response.json().data).toMatchObject({ id, status: 'approved', invitedAt: NOW.toISOString() })
      const joined = await signUp(await mailedToken(api, email(), 'invitation'))
      expect(joined.json().data.user).toMatchObject({
        student: role === 'student',
        renter: role === 'renter',
        admin: false,
      })
    },
  )

  test('removes the request from the desk’s list', async ({ api, convert, approvedGuest }) => {
    const id = await approvedGuest()
    const onDesk = async () =>
      (await expectOk<{ id: number }[]>(api, school.dispatcher, 'GET', '/booking-requests')).map((one) => one.id)
    expect(await onDesk()).toContain(id)
    await convert(id)
    expect(await onDesk()).not.toContain(id)
  })

  test('is refused while the invitation is open or the guest a member, and is allowed again once it has expired', async ({
    api,
    convert,
    approvedGuest,
    signUp,
  }) => {
    const id = await approvedGuest()
    await convert(id)
    expect((await convert(id)).json()).toMatchObject({ code: 'ALREADY_EXISTS' })
    expect((await convert(id)).statusCode).toBe(409)
    api.clock.now = new Date(NOW.getTime() + 14 * 86_400_000)
    expect((await convert(id, 'renter')).statusCode).toBe(200)
    await signUp(await mailedToken(api, email(), 'invitation'))
    api.clock.now = new Date(NOW.getTime() + 29 * 86_400_000)
    expect((await convert(id)).statusCode).toBe(409)
  })

  test('is refused before the approval', async ({ api, convert }) => {
    const waiting = await asked(api, offering)
    const pending = await confirmedRequest(api, offering, { email: 'bo@example.com' })
    for (const id of [waiting, pending]) {
      const response = await convert(id)
      expect(response.statusCode).toBe(409)
      expect(response.json().code).toBe('NOT_PENDING')
    }
  })

  test('is refused for the request of a member', async ({ api, convert, approve }) => {
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { approvalRequired: { student: true } } })
    const { id } = await expectOk<{ id: number }>(api, school.student, 'POST', '/booking-requests', {
      start: '2026-11-24T10:00:00Z',
      end: '2026-11-24T12:00:00Z',
      type: 'solo',
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      personnel: { students: [{ orgUserId: school.student.orgUserId }] },
    })
    expect((await convert(id)).statusCode).toBe(400)
    await approve(id)
    expect((await convert(id)).statusCode).toBe(400)
  })

  test('is refused for other roles, for callers outside the desk, in a demo organization, and for an unknown request', async ({
    api,
    convert,
    approvedGuest,
  }) => {
    const id = await approvedGuest()
    for (const role of ['instructor', 'owner', undefined]) {
      expect((await convert(id, role ?? null)).statusCode).toBe(400)
    }
    for (const who of [school.instructor, school.student, school.renter, school.technician]) {
      expect((await convert(id, 'student', who)).statusCode).toBe(403)
    }
    expect((await convert(2_000_000_000)).statusCode).toBe(404)
    const { db } = api.core.database
    await db.updateTable('organization').set({ demo: true }).where('id', '=', school.organizationId).execute()
    expect((await convert(id)).statusCode).toBe(403)
    await db.updateTable('organization').set({ demo: false }).where('id', '=', school.organizationId).execute()
    const unverified = { email_verified_at: null }
    await db.updateTable('account').set(unverified).where('id', '=', school.dispatcher.accountId).execute()
    expect((await convert(id)).json().code).toBe('EMAIL_NOT_VERIFIED')
  })
})
