import { describe, expect } from 'vitest'
import { buildMember, buildSchool, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../../support/flights.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'

const test = schoolTest().extend(
  'cancel',
  ({ api }) =>
    (who: Pick<Member, 'token'>, id: number, body: unknown = weather) =>
      api.as(who).delete(`/reservations/${id}`, body),
)

const weather = { reason: 'Ceiling below 1,000 feet', category: 'weather' }

describe('a cancelled booking (§Reservation lifecycle, DELETE)', () => {
  test('stays readable with when, who and why, and frees its slot', async ({ api, school, cancel }) => {
    const id = await bookDual(api, school)
    const response = await cancel(school.student, id)
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(await expectOk(api, school.instructor, 'GET', `/reservations/${id}`)).toMatchObject({
      status: 'cancelled',
      cancelledAt: '2026-11-21T12:00:00.000Z',
      cancellation: { ...weather, by: { orgUserId: school.student.orgUserId } },
    })
    expect(await bookDual(api, school)).toBeGreaterThan(id)
  })

  test('notifies those on it and is recorded in its history', async ({ api, school, cancel }) => {
    const id = await bookDual(api, school)
    await clearOutbox(api)
    await cancel(school.dispatcher, id)
    expect(await owedNotifications(api)).toEqual([
      { kind: 'reservation_cancelled', subjectId: id, causedBy: school.dispatcher.orgUserId },
    ])
    expect(await expectOk(api, school.instructor, 'GET', `/reservations/${id}/history`)).toMatchObject([
      {
        action: 'cancelled',
        by: { orgUserId: school.dispatcher.orgUserId },
        reason: weather.reason,
        before: null,
        after: { category: 'weather' },
      },
    ])
  })

  test('is told nobody when the desk says so, and nobody else may', async ({ api, school, cancel }) => {
    const id = await bookDual(api, school)
    await clearOutbox(api)
    const silently = { ...weather, notify: false }
    for (const who of [school.student, school.instructor]) {
      expect((await cancel(who, id, silently)).json().message).toBe(
        'Only desk staff can cancel a booking without notifying anybody.',
      )
    }
    expect((await cancel(school.dispatcher, id, silently)).statusCode).toBe(204)
    expect(await owedNotifications(api)).toEqual([])
  })

  test('shows its reason only to those whom it concerns', async ({ api, school, cancel }) => {
    const id = await bookDual(api, school)
    await cancel(school.instructor, id)
    const stranger = await buildMember(api, school.organizationId, ['student'])
    const seen = async (by: Member) => expectOk(api, by, 'GET', `/reservations/${id}`)
    expect(await seen(stranger)).toMatchObject({ status: 'cancelled', cancellation: null })
    const listed = await expectOk<object[]>(
      api,
      stranger,
      'GET',
      `/reservations/resource/${school.plane.id}?includeCanceled=true`,
    )
    expect(listed).toMatchObject([{ id, cancellation: null }])
    for (const by of [school.student, school.instructor, school.dispatcher]) {
      expect(await seen(by)).toMatchObject({ cancellation: weather })
    }
  })
})

describe('cancelling a booking is refused (§Reservations, DELETE)', () => {
  test('with 409 once the aircraft has left the ramp', async ({ api, school, cancel }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const response = await cancel(school.admin, id)
    expect(response.statusCode).toBe(409)
    expect(response.json()).toEqual({
      code: 'RESERVATION_RAMPED_OUT',
      message:
        'The aircraft has left the ramp: void the invoice, reopen the close-out and correct the readings instead.',
    })
  })

  test('with 400 the second time', async ({ api, school, cancel }) => {
    const id = await bookDual(api, school)
    await cancel(school.admin, id)
    const response = await cancel(school.admin, id)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe('The booking is cancelled already.')
  })

  test.for([
    ['an unknown category', { reason: 'X', category: 'boredom' }, /^category: must be one of weather, maintenance, /],
    ['no category', { reason: 'X' }, /^category: /],
    ['no reason', { category: 'weather' }, /^reason: /],
    ['a blank reason', { reason: ' ', category: 'weather' }, /^reason: /],
    ['no body', undefined, /^body: /],
  ] as const)('with 400 for %s', async ([_what, body, message], { api, school }) => {
    const id = await bookDual(api, school)
    const response = await api.as(school.admin).delete(`/reservations/${id}`, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(message)
  })

  test('with 400 when it is too late under the organization’s policy, except for desk staff', async ({
    api,
    cancel,
  }) => {
    // 46 hours before 10:00 on the 23rd is 12:00 on the 21st, the tests' now.
    const strict = await buildSchool(api, { settings: { cancellationNoticeHours: 47 } })
    const kept = await buildSchool(api, { settings: { cancellationNoticeHours: 46 } })
    const [late, inTime] = [await bookDual(api, strict), await bookDual(api, kept)]
    for (const who of [strict.student, strict.instructor]) {
      const response = await cancel(who, late)
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe(
        'It is too late to cancel: this must be done 47 hours before the start. Please call the desk.',
      )
    }
    expect((await cancel(kept.student, inTime)).statusCode).toBe(204)
    expect((await cancel(strict.dispatcher, late)).statusCode).toBe(204)
  })
})

describe('the cancellation categories (§Reservations, DELETE)', () => {
  test('are the organization’s, each with a label, and readable by every member', async ({ api, school, cancel }) => {
    expect(await expectOk(api, school.renter, 'GET', '/reports/cancellations/categories')).toEqual([
      { key: 'weather', label: 'Weather' },
      { key: 'maintenance', label: 'Maintenance' },
      { key: 'illness', label: 'Illness' },
      { key: 'instructor', label: 'Instructor' },
      { key: 'student', label: 'Student' },
      { key: 'no_show', label: 'No show' },
      { key: 'administrative', label: 'Administrative' },
      { key: 'other', label: 'Other' },
    ])
    const own = await buildSchool(api, { settings: { cancellationCategories: ['fog_bank'] } })
    const id = await bookDual(api, own)
    expect((await cancel(own.student, id)).statusCode).toBe(400)
    expect((await cancel(own.student, id, { reason: 'X', category: 'fog_bank' })).statusCode).toBe(204)
  })
})

describe('cancelling a booking that a ledger member has paid in advance', () => {
  test('reverses the debit once and voids its invoice', async ({ api, school, cancel }) => {
    await api.core.database.db
      .updateTable('membership')
      .set({ billing_mode: 'ledger' })
      .where('id', '=', school.student.orgUserId)
      .execute()
    const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 }
    const id = await bookDual(api, school, { extra })
    const ledger = () =>
      api.core.database.db
        .selectFrom('ledger_entry')
        .select(['kind', 'amount_cents', 'balance_cents', 'reverses_id'])
        .where('membership_id', '=', school.student.orgUserId)
        .orderBy('id')
        .execute()
    expect(await ledger()).toMatchObject([{ kind: 'prepaid_charge', amount_cents: -25_000, balance_cents: -25_000 }])
    const answers = await Promise.all([1, 2, 3].map(() => cancel(school.admin, id)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400, 400])
    expect(await ledger()).toMatchObject([
      { kind: 'prepaid_charge', amount_cents: -25_000 },
      { kind: 'reversal', amount_cents: 25_000, balance_cents: 0 },
    ])
    const { invoices } = await expectOk<{ invoices: object[] }>(api, school.admin, 'GET', `/reservations/${id}`)
    expect(invoices).toMatchObject([{ totalCents: 25_000, paid: false, voided: true }])
  })
})

describe('a member who made a booking without a seat on it', () => {
  test('reads all of it and may cancel it', async ({ api, school, cancel }) => {
    const id = await bookDual(api, school, { extra: { notes: 'Made for a friend' } })
    await api.core.database.db
      .updateTable('reservation')
      .set({ created_by: school.renter.orgUserId })
      .where('id', '=', id)
      .execute()
    expect(await expectOk(api, school.renter, 'GET', `/reservations/${id}`)).toMatchObject({
      notes: 'Made for a friend',
    })
    expect((await cancel(school.renter, id)).statusCode).toBe(204)
  })
})
