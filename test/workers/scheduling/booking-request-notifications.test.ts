import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { testedBackends } from '../../support/backends.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { asking, buildAskedSchool, decide, insertGuestRequest } from '../../support/booking-requests.ts'
import { buildPlane, type Member, type School } from '../../support/builders.ts'
import { type NotificationEnv, startNotifying } from '../../support/domain-events.ts'
import { eventually } from '../../support/eventually.ts'
import { expectOk } from '../../support/flights.ts'

describe.each(testedBackends())(
  'the notifications of a booking request, with queues in %s (§Booking requests)',
  (kind) => {
    let env: NotificationEnv
    let api: TestApp
    let school: School
    beforeAll(async () => {
      env = await startNotifying(kind)
      api = env.api
    })
    afterAll(() => env.close())
    beforeEach(async () => {
      school = await buildAskedSchool(api)
    })

    /** The notifications of a member in the app, newest last. */
    const told = async ({ orgUserId }: Member) => {
      await env.workers.settled()
      const rows = await api.core.database.db
        .selectFrom('notification')
        .select(['kind', 'title', 'body'])
        .where('membership_id', '=', orgUserId)
        .orderBy('id')
        .execute()
      return rows.map((row) => row.kind)
    }

    test('the desk is told of a request', async () => {
      await asking(api, school)
      await env.workers.settled()
      expect(await env.notifiedInApp(school)).toEqual(['admin', 'dispatcher', 'owner'])
    })

    test('who asked is told of the approval, once; the others of the booking', async () => {
      const { id } = await asking(api, school)
      await env.workers.settled()
      expect((await decide(api, school.dispatcher, id, 'approve')).statusCode).toBe(200)
      expect(await told(school.student)).toEqual(['booking_request_approved'])
      expect(await told(school.instructor)).toEqual(['reservation_created'])
      expect(await told(school.dispatcher)).toEqual(['booking_request_submitted'])
      expect(env.workers.mails(school.student.email).map(({ subject }) => subject)).toEqual([
        `Booking approved: Dual lesson: ${school.student.name}`,
      ])
      const [mail] = env.workers.mails(school.student.email)
      expect(mail?.calendars).toEqual([expect.stringMatching(/METHOD:REQUEST[\s\S]*DTSTART.*20261123T100000/)])
    })

    test('who asked is told of a refusal, with its reason', async () => {
      const { id } = await asking(api, school)
      await decide(api, school.dispatcher, id, 'reject', { reason: 'No aircraft that day' })
      expect(await told(school.student)).toEqual(['booking_request_declined'])
      expect(env.workers.mails(school.student.email)[0]?.text).toContain('Reason: No aircraft that day')
    })

    test('who asked is told of the booking as the desk made it, not as they asked for it', async () => {
      const { id } = await asking(api, school)
      const plane = await buildPlane(api, school)
      const changes = { resource: { id: plane.id }, title: 'Stalls, again' }
      expect((await decide(api, school.dispatcher, id, 'approve', changes)).statusCode).toBe(200)
      await env.workers.settled()
      const [mail] = env.workers.mails(school.student.email)
      expect(mail?.subject).toBe('Booking approved: Stalls, again')
      expect(mail?.text).toContain(plane.name)
      expect(mail?.text).not.toContain(school.plane.name)
    })

    test('who asked is told when the desk cancels their request, and not when they do so themselves', async () => {
      const [theirs, own] = [await asking(api, school), await asking(api, school)]
      await decide(api, school.dispatcher, theirs.id, 'cancel')
      await decide(api, school.student, own.id, 'cancel')
      expect(await told(school.student)).toEqual(['booking_request_declined'])
      expect(env.workers.mails(school.student.email).map(({ subject }) => subject)).toEqual([
        `Booking request cancelled: Dual lesson: ${school.student.name}`,
      ])
    })

    test('a guest is told when their flight is booked, moved or called off, one whom the desk wrote in too, with the calendar part', async () => {
      const [asked, written] = ['asked', 'written'].map((name) => `${name}.${school.organizationId}@example.com`)
      const id = await insertGuestRequest(api, school, { email: asked! })
      const { data } = (await decide(api, school.dispatcher, id, 'approve')).json()
      const other = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
        type: 'guest',
        title: 'A friend',
        start: '2026-11-24T10:00:00Z',
        end: '2026-11-24T11:00:00Z',
        timeZoneName: 'UTC',
        resource: { id: school.plane.id },
        personnel: {
          guests: [{ name: 'Fred', email: written, phone: '+1 510 555 0199' }],
          instructors: [{ orgUserId: school.instructor.orgUserId }],
        },
      })
      const off = { token: school.dispatcher.token, body: { reason: 'Fog', category: 'weather' } }
      for (const booking of [data.reservation.id, other.id]) {
        const moved = { start: '2026-11-26T15:00:00Z', end: '2026-11-26T16:00:00Z' }
        await env.workers.settled()
        await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${booking}`, moved)
        await env.workers.settled()
        expect((await api.call('DELETE', `/reservations/${booking}`, off)).statusCode).toBeLessThan(300)
        await env.workers.settled()
      }
      const mails = env.workers.mails(asked)
      expect(mails.map(({ subject }) => subject)).toEqual([
        'Discovery flight at Bay Flight Academy: you are booked',
        'Booking changed: Discovery flight',
        'Booking cancelled: Discovery flight',
      ])
      expect(mails[1]?.text).toContain('Thu, Nov 26, 2026, 15:00–16:00 UTC')
      expect(mails[2]?.text).toContain('Reason: Fog (weather)')
      expect(mails[2]?.text).toContain('You get this mail as a guest of Bay Flight Academy.')
      const theirs = env.workers.mails(written)
      expect(theirs.map(({ subject }) => subject)).toEqual([
        'New booking: A friend',
        'Booking changed: A friend',
        'Booking cancelled: A friend',
      ])
      expect(theirs[0]?.text).toContain('You get this mail as a guest of Bay Flight Academy.')
      expect(theirs[0]?.text).toContain('No more mails from this organization')
      for (const each of [mails, theirs]) {
        const methods = each.map(({ calendars }) => calendars.map((part) => /METHOD:(\w+)/.exec(part)?.[1]))
        expect(methods).toEqual([['REQUEST'], ['REQUEST'], ['CANCEL']])
      }
    })

    test('a guest whose flight is called off before they were told of it hears that it is off, and no more', async () => {
      const email = `late.${school.organizationId}@example.com`
      const { faults } = env.workers.mailCatcher
      faults.add({ recipient: email, kind: 'defer', times: 1_000 })
      const id = await insertGuestRequest(api, school, { email })
      const { data } = (await decide(api, school.dispatcher, id, 'approve')).json()
      await expect.poll(() => faults.all()[0]?.times).toBeLessThan(1_000)
      const off = { token: school.dispatcher.token, body: { reason: 'Fog', category: 'weather' } }
      expect((await api.call('DELETE', `/reservations/${data.reservation.id}`, off)).statusCode).toBeLessThan(300)
      await env.workers.attempted('email')
      faults.clear()
      await env.workers.settled()
      expect(env.workers.mails(email).map(({ subject }) => subject)).toEqual(['Booking cancelled: Discovery flight'])
    })

    test('a guest has a letter of every decision, and no other', async () => {
      const mail = async (email: string, decision: 'approve' | 'reject' | 'cancel', start: string) => {
        const id = await insertGuestRequest(api, school, { email, start })
        const body = decision === 'reject' ? { reason: 'No aircraft that day' } : {}
        expect((await decide(api, school.dispatcher, id, decision, body)).statusCode).toBe(200)
        await env.workers.settled()
        const [letter, ...others] = env.workers.mails(email)
        expect(others).toEqual([])
        return letter!
      }
      const approved = await mail(`yes.${school.organizationId}@example.com`, 'approve', '2026-11-23T10:00:00Z')
      expect(approved.unsubscribe).toContain('/mail/unsubscribe/')
      expect(approved.subject).toBe('Discovery flight at Bay Flight Academy: you are booked')
      expect(approved.text).toContain('Mon, Nov 23, 2026, 10:00–11:00 UTC')
      expect(approved.text).toContain(school.plane.name)
      const declined = await mail(`no.${school.organizationId}@example.com`, 'reject', '2026-11-24T10:00:00Z')
      expect(declined.text).toContain('Reason: No aircraft that day')
      const cancelled = await mail(`off.${school.organizationId}@example.com`, 'cancel', '2026-11-25T10:00:00Z')
      expect(cancelled.subject).toContain('your request is cancelled')
    })

    test('a call that cannot be made is told beside the approval, which stands', async () => {
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
      // This service has no credentials of Zoom, so that the job refuses at once.
      const meeting = { provider: 'zoom', topic: 'Airspace' }
      const { id } = await asking(api, school, { type: 'ground', resource: null, meeting })
      const response = await decide(api, school.dispatcher, id, 'approve')
      expect(response.statusCode).toBe(200)
      const { data, meetingError, warnings } = response.json()
      expect(data).toMatchObject({ status: 'approved', meetingUrl: null, meetingError })
      expect(meetingError).toMatch(/not offered here/)
      expect(warnings).toBeUndefined()
    })
  },
)

describe('a guest who pays in advance (§Booking requests)', () => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling('postgres')
  })
  afterAll(() => env.close())

  test('finds the page to pay on in the letter of the approval', async () => {
    const { api, school, workers } = env
    const start = new Date(Date.now() + 86_400_000).toISOString()
    const id = await insertGuestRequest(api, school, { prepaidCents: 19_900, start })
    const response = await decide(api, school.dispatcher, id, 'approve')
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().warnings).toBeUndefined()
    const invoice = await api.core.database.db
      .selectFrom('invoice')
      .select('pay_url')
      .where('reservation_id', '=', response.json().data.reservation.id)
      .executeTakeFirstOrThrow()
    const letters = await eventually(
      async () => workers.mails('gia@example.com').filter(({ subject }) => subject.includes('you are booked')),
      (found) => found.length > 0,
    )
    expect(letters).toHaveLength(1)
    expect(letters[0]?.text).toContain(invoice.pay_url)
    expect(letters[0]?.text).toContain('please pay it now')
  })
})
