import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registerPushDevice } from '../../../src/shared/identity/accounts/register-push-device.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import type { TestApp } from '../../support/app.ts'
import { testedBackends } from '../../support/backends.ts'
import { insertGuestRequest } from '../../support/booking-requests.ts'
import { buildMember, buildSchool, type Member, type School } from '../../support/builders.ts'
import { type NotificationEnv, startNotifying } from '../../support/domain-events.ts'
import { buildBooking, buildGuest, buildInvoice } from '../../support/records.ts'

describe.each(testedBackends())('notifications, with queues in %s (§Notifications)', (kind) => {
  let env: NotificationEnv
  let api: TestApp
  let school: School
  beforeAll(async () => {
    env = await startNotifying(kind)
    api = env.api
  })
  afterAll(() => env.close())
  beforeEach(async () => {
    school = await buildSchool(api)
  })

  async function register(member: Member, token: string): Promise<void> {
    await inTransaction(api.core.database, api.core.clock, (tx) => registerPushDevice(tx, member.accountId, token))
  }

  async function prefer(member: Member, preference: object): Promise<void> {
    const body = { preferences: [preference] }
    await api.call('PATCH', '/notifications/preferences', { token: member.token, body })
  }

  const dual = () =>
    buildBooking(api, school, {
      seats: [
        { side: 'instructors', member: school.instructor },
        { side: 'students', member: school.student },
      ],
    })

  describe('a booking with another instructor', () => {
    test('is told once to each: a change to who stays, a booking to who comes, an end to who goes', async () => {
      const other = await buildMember(api, school.organizationId, ['instructor'])
      const id = await dual()
      const body = { personnel: { instructors: [{ orgUserId: other.orgUserId }] } }
      expect((await api.as(school.dispatcher).patch(`/reservations/${id}`, body)).statusCode).toBe(200)
      await env.workers.settled()
      const told = await api.core.database.db
        .selectFrom('notification')
        .select(['membership_id', 'kind', 'data'])
        .where('organization_id', '=', school.organizationId)
        .orderBy('kind', 'desc')
        .execute()
      const people = (instructor: Member) => ({
        instructors: [instructor.orgUserId],
        students: [school.student.orgUserId],
      })
      expect(told).toEqual([
        { membership_id: other.orgUserId, kind: 'reservation_created', data: { reservationId: id } },
        {
          membership_id: school.student.orgUserId,
          kind: 'reservation_changed',
          data: {
            reservationId: id,
            changes: [{ field: 'personnel', before: people(school.instructor), after: people(other) }],
          },
        },
        { membership_id: school.instructor.orgUserId, kind: 'reservation_cancelled', data: { reservationId: id } },
      ])
      const [ended] = env.workers.mails(school.instructor.email)
      expect(ended?.text).toContain('You are no longer on this booking.')
    })
  })

  describe('mail', () => {
    test('carries the total, the due date and the pay link of an invoice, in text and in HTML', async () => {
      await env.happen(school, {
        kind: 'invoice_raised',
        subjectId: await buildInvoice(api, school, { payer: school.student }),
        causedBy: school.admin.orgUserId,
      })
      const mails = env.workers.mails(school.student.email)
      expect(mails.map((mail) => mail.subject)).toEqual(['Invoice 31: $185.00'])
      for (const part of [mails[0]!.text, mails[0]!.html]) {
        expect(part).toContain('Bay Flight Academy sent you invoice 31 for $185.00.')
        expect(part).toContain('It is due on Mon, Nov 30, 2026.')
        expect(part).toContain('https://pay.example/31')
      }
    })

    test('goes to a guest who pays, and nothing else does', async () => {
      const guestId = await buildGuest(api, school, 'gia@visitors.example')
      const invoiceId = await buildInvoice(api, school, { payer: { guestId } })
      await env.happen(school, { kind: 'invoice_raised', subjectId: invoiceId, causedBy: null })
      const [mail] = env.workers.mails('gia@visitors.example')
      expect(mail?.subject).toBe('Invoice 31: $185.00')
      expect(mail?.text).toContain('as a guest of Bay Flight Academy')
      expect(await env.notifiedInApp(school)).toEqual([])
    })

    test('leaves out a guest without an address', async () => {
      const before = env.workers.mails().length
      const invoiceId = await buildInvoice(api, school, { payer: { guestId: await buildGuest(api, school, null) } })
      await env.happen(school, { kind: 'invoice_reminder', subjectId: invoiceId, causedBy: null })
      expect(env.workers.mails()).toHaveLength(before)
    })

    test('goes to confirmed addresses only', async () => {
      await api.core.database.db
        .updateTable('account')
        .set({ email_verified_at: null })
        .where('id', '=', school.student.accountId)
        .execute()
      await env.happen(school, { kind: 'reservation_created', subjectId: await dual(), causedBy: null })
      expect(env.workers.mails(school.student.email)).toEqual([])
      expect(env.workers.mails(school.instructor.email)).toHaveLength(1)
    })

    test('that the server puts off goes out once, under one Message-ID', async () => {
      env.workers.mailCatcher.faults.add({ recipient: school.renter.email, kind: 'defer', times: 1 })
      const subjectId = await buildInvoice(api, school, { payer: school.renter })
      await env.happen(school, { kind: 'invoice_reminder', subjectId, causedBy: null })
      const mails = env.workers.mails(school.renter.email)
      expect(mails.map((mail) => mail.subject)).toEqual(['Reminder: invoice 31, $185.00'])
      expect(mails[0]?.messageId).toMatch(/^[0-9a-f]{32}@localhost$/)
    })
  })

  describe('a push', () => {
    const pushed = (token: string) => env.push.taken.filter((one) => one.token === token)

    test('goes to every device of a member, with the ids of what it is about', async () => {
      await register(school.student, `${school.student.orgUserId}-phone`)
      await register(school.student, `${school.student.orgUserId}-tablet`)
      const id = await dual()
      await env.happen(school, { kind: 'reservation_changed', subjectId: id, causedBy: school.instructor.orgUserId })
      for (const device of ['phone', 'tablet']) {
        expect(pushed(`${school.student.orgUserId}-${device}`)).toMatchObject([
          {
            title: 'Booking changed: First solo',
            data: { kind: 'reservation_changed', reservationId: String(id) },
          },
        ])
      }
    })

    test('to a device that is gone drops its token, and only that', async () => {
      const [gone, here] = [`${school.renter.orgUserId}-gone`, `${school.renter.orgUserId}-here`]
      await register(school.renter, gone)
      await register(school.renter, here)
      env.push.answer(gone, 'gone')
      const subjectId = await buildInvoice(api, school, { payer: school.renter })
      await env.happen(school, { kind: 'invoice_raised', subjectId, causedBy: null })
      expect(pushed(here)).toHaveLength(1)
      const left = await api.core.database.db
        .selectFrom('push_device')
        .select('token')
        .where('account_id', '=', school.renter.accountId)
        .execute()
      expect(left).toEqual([{ token: here }])
    })

    test('is tried again under the same key while the service is away, and only for that device', async () => {
      const [away, here] = [`${school.renter.orgUserId}-away`, `${school.renter.orgUserId}-here`]
      await register(school.renter, away)
      await register(school.renter, here)
      env.push.answer(away, 'unavailable')
      const subjectId = await buildInvoice(api, school, { payer: school.renter })
      await env.happen(school, { kind: 'invoice_raised', subjectId, causedBy: null })
      const keys = env.push.tries.filter((one) => one.token === away).map((one) => one.key)
      expect(keys).toHaveLength(2)
      expect(new Set(keys).size).toBe(1)
      expect(pushed(here)).toHaveLength(1)
    })

    test('that is refused for good is not tried again', async () => {
      const token = `${school.renter.orgUserId}-refused`
      await register(school.renter, token)
      env.push.answer(token, 'refused')
      const subjectId = await buildInvoice(api, school, { payer: school.renter })
      await env.happen(school, { kind: 'invoice_raised', subjectId, causedBy: null })
      expect(env.push.tries.filter((one) => one.token === token)).toHaveLength(1)
    })

    test('does not follow a device to another account', async () => {
      const token = `${school.student.orgUserId}-sold`
      await register(school.student, token)
      env.push.away.add(token)
      const subjectId = await buildInvoice(api, school, { payer: school.student })
      const told = env.happen(school, { kind: 'invoice_raised', subjectId, causedBy: null })
      await expect.poll(() => env.push.tries.some((one) => one.token === token)).toBe(true)
      await register(school.renter, token)
      await env.workers.attempted('push')
      env.push.away.delete(token)
      await told
      expect(pushed(token)).toEqual([])
    })
  })

  describe('between the telling and its delivery', () => {
    /** A mail to and a push for a member, both put off until `change` is done. */
    async function postpone(member: Member, happen: () => Promise<unknown>, change: () => Promise<unknown>) {
      const token = `${member.orgUserId}-late`
      await register(member, token)
      const { faults } = env.workers.mailCatcher
      env.push.away.add(token)
      faults.add({ recipient: member.email, kind: 'defer', times: 1_000 })
      const told = happen()
      await expect.poll(() => env.push.tries.some((one) => one.token === token)).toBe(true)
      await expect.poll(() => faults.all()[0]?.times).toBeLessThan(1_000)
      await change()
      await env.workers.attempted('email', 'push')
      env.push.away.delete(token)
      faults.clear()
      await told
      return {
        mails: env.workers.mails(member.email).length,
        pushes: env.push.taken.filter((one) => one.token === token).length,
      }
    }

    test('what somebody has closed meanwhile is not mailed or pushed any more', async () => {
      const { student } = school
      const subjectId = await buildInvoice(api, school, { payer: student })
      const happen = () => env.happen(school, { kind: 'invoice_raised', subjectId, causedBy: null })
      const close = () => prefer(student, { kind: 'invoice_raised', push: false, email: false })
      expect(await postpone(student, happen, close)).toEqual({ mails: 0, pushes: 0 })
    })

    test('whom it does not concern any more is not told: a dispatcher who is none by then', async () => {
      const { dispatcher } = school
      const subjectId = await insertGuestRequest(api, school)
      const happen = () => env.happen(school, { kind: 'booking_request_submitted', subjectId, causedBy: null })
      const demote = async () => {
        const url = `/users/${dispatcher.accountId}/roles`
        const response = await api.call('PATCH', url, { token: school.owner.token, body: { student: true } })
        expect(response.statusCode, response.body).toBe(200)
      }
      expect(await postpone(dispatcher, happen, demote)).toEqual({ mails: 0, pushes: 0 })
      expect(env.workers.mails(school.admin.email)).toHaveLength(1)
    })
  })

  test('preferences close each way by itself', async () => {
    const { student } = school
    await register(student, `${student.orgUserId}-phone`)
    const ways = { inApp: true, push: true, email: true }
    const open = async () => {
      await api.call('POST', '/notifications', { token: student.token })
      const [mails, pushes] = [env.workers.mails(student.email).length, env.push.taken.length]
      const subjectId = await buildInvoice(api, school, { payer: student, number: mails * 10 + pushes + 100 })
      await env.happen(school, { kind: 'invoice_raised', subjectId, causedBy: null })
      const list = await api.call('GET', '/notifications', { token: student.token })
      return {
        inApp: list.json().data.length === 1,
        email: env.workers.mails(student.email).length === mails + 1,
        push: env.push.taken.length === pushes + 1,
      }
    }
    expect(await open()).toEqual(ways)
    for (const closed of ['inApp', 'push', 'email'] as const) {
      await prefer(student, { kind: 'invoice_raised', ...ways, [closed]: false })
      expect(await open()).toEqual({ ...ways, [closed]: false })
    }
  })

  test('a job that runs twice tells nobody twice, even when the first telling was cleared', async () => {
    const { student } = school
    const subjectId = await buildInvoice(api, school, { payer: student })
    const id = await env.happen(school, { kind: 'invoice_raised', subjectId, causedBy: null })
    await api.call('POST', '/notifications', { token: student.token })
    const job = await api.core.queues.queue('notifications').getJob(id)
    await job!.retry('completed')
    await expect.poll(() => job!.getState()).toBe('completed')
    await env.workers.settled()
    expect(await env.notifiedInApp(school)).toEqual([])
    expect(env.workers.mails(student.email)).toHaveLength(1)
  })
})
