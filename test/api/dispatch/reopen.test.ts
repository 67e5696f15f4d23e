import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, closedOutFlight, expectOk, fly, setRates } from '../../support/flights.ts'

const test = schoolTest().extend(
  'reopen',
  ({ api }) =>
    (who: Member, body: object = { reason: 'Tach was read wrong' }, reservation = id) =>
      api.as(who).post(`/reservations/${reservation}/reopen`, body),
)

let id: number
test.beforeEach(async ({ api, school }) => {
  await setRates(api, school)
  id = await closedOutFlight(api, school)
})

describe('reopening a close-out (§Reservations rule 8)', () => {
  test('clears the signatures and leaves readings, crew and times as they are', async ({ api, school, reopen }) => {
    const before = await expectOk<Record<string, unknown>>(api, school.instructor, 'GET', `/reservations/${id}`)
    const answer = await reopen(school.instructor)
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data).toMatchObject({
      status: 'ramped_in',
      review: { needs: ['instructors', 'students'], confirmations: [], signedOffAt: null },
    })
    for (const kept of ['hobbsTimeIn', 'tachTimeIn', 'personnel', 'start', 'end', 'rampedInAt', 'invoiceTotals']) {
      expect(data[kept]).toEqual(before[kept])
    }
  })

  test('records who did it and why, where nobody can change it', async ({ api, school, reopen }) => {
    await reopen(school.dispatcher)
    const { db } = api.core.database
    const event = await db
      .selectFrom('event')
      .selectAll()
      .where('subject_id', '=', id)
      .where('kind', '=', 'reservation.reopened')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ membership_id: school.dispatcher.orgUserId, reason: 'Tach was read wrong' })
    await expect(asOwner(api, 'update event set reason = $1', ['x'])).rejects.toThrow(/append-only/)
    await expect(asOwner(api, 'delete from event')).rejects.toThrow(/append-only/)
  })

  test('is not for an instructor who is not on the booking', async ({ api, school, reopen }) => {
    const other = await buildMember(api, school.organizationId, ['instructor'])
    expect((await reopen(other)).statusCode).toBe(403)
  })

  test.for([{}, { reason: '' }, { reason: '   ' }, { reason: null }])(
    'without a reason (%j) is refused',
    async (body, { school, reopen }) => {
      const refused = await reopen(school.admin, body)
      expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, 'reason'])
    },
  )

  test('is refused for a flight that is not signed off or is cancelled', async ({ api, school, reopen }) => {
    await reopen(school.admin)
    const again = await reopen(school.admin)
    expect([again.statusCode, again.json().message]).toEqual([400, 'The flight is not signed off yet.'])
    const other = await bookDual(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' })
    await api.core.database.db
      .updateTable('reservation')
      .set({ live: false, cancelled_at: api.clock.now })
      .where('id', '=', other)
      .execute()
    expect((await reopen(school.admin, undefined, other)).json().message).toBe('The booking is cancelled.')
  })
})

describe('a flight that is billed (§Reservations rule 8)', () => {
  test('is not reopened until the invoice is void', async ({ api, school, reopen }) => {
    const billed = await api.as(school.admin).post(`/reservations/${id}/invoices`)
    const [invoice] = billed.json().data
    const refused = await reopen(school.admin)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'RESERVATION_BILLED'])
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice.id}/void`, { reason: 'Wrong tach' })
    expect((await reopen(school.admin)).statusCode).toBe(200)
  })

  test('is not reopened until the ledger charge is reversed', async ({ api, school, reopen }) => {
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { billingMode: 'ledger' })
    await expectOk(api, school.admin, 'POST', `/reservations/${id}/invoices`)
    expect((await reopen(school.admin)).json().code).toBe('RESERVATION_BILLED')
    const [charge] = await expectOk<{ id: number }[]>(
      api,
      school.admin,
      'GET',
      `/orgUsers/${school.student.orgUserId}/ledger`,
    )
    await expectOk(api, school.admin, 'POST', `/ledger/${charge?.id}/reverse`, { reason: 'Wrong tach' })
    expect((await reopen(school.admin)).statusCode).toBe(200)
  })

  test('is billed by the new figures after a correction and another sign-off', async ({ api, school, reopen }) => {
    const url = `/reservations/${id}`
    await reopen(school.instructor)
    await expectOk(api, school.instructor, 'POST', `${url}/updateReviewTimes`, {
      hobbsTimeOut: 1000,
      hobbsTimeIn: 1002,
    })
    await expectOk(api, school.instructor, 'POST', `${url}/confirmReview`)
    expect((await api.call('POST', `${url}/invoices`, { token: school.admin.token })).statusCode).toBe(400)
    await expectOk(api, school.student, 'POST', `${url}/confirmReview`)
    const billed = await api.as(school.admin).post(`${url}/invoices`)
    // 2.0 h × $180 wet + 2.0 h × $60 instruction
    expect(billed.json().data[0].totalCents).toBe(36_000 + 12_000)
  })

  test('leaves the aircraft’s meters as they are when it is reopened', async ({ api, school, reopen }) => {
    await fly(api, school, await bookDual(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' }))
    await reopen(school.instructor)
    const plane = await expectOk(api, school.student, 'GET', `/resources/${school.plane.id}`)
    expect(plane).toMatchObject({ hobbsTime: 1002.8, tachTime: 902.4 })
  })
})
