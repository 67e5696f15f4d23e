import { describe, expect } from 'vitest'
import { NOW } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'

const weather = { reason: 'Ceiling below 1,000 feet', category: 'weather' }
const HOUR_MS = 3_600_000

const test = schoolTest()
  .extend('cancel', ({ api }) => async (who: Member, id: number, body: object = weather) => {
    const response = await api.as(who).delete(`/reservations/${id}`, body)
    expect(response.statusCode, response.body).toBe(204)
  })
  .extend(
    'restore',
    ({ api }) =>
      (who: Member, id: number, body?: object) =>
        api.as(who).post(`/reservations/${id}/restore`, body),
  )
  /** Books a dual flight as the student. */
  .extend('own', ({ api, school }) => async (): Promise<number> => {
    const made = await expectOk<{ id: number }>(api, school.student, 'POST', '/reservations', dualBody(school))
    return made.id
  })

describe('a restored booking (§Reservations, POST /reservations/{id}/restore)', () => {
  test('is live again under its id, is told as restored and stands in the history, and calendars take it up', async ({
    api,
    school,
    cancel,
    restore,
  }) => {
    const id = await bookDual(api, school)
    const { url } = await expectOk<{ url: string }>(api, school.student, 'POST', '/calendar/token')
    const feed = async () => (await api.call('GET', new URL(url).pathname)).body
    await cancel(school.dispatcher, id)
    const uidOf = (text: string) => /UID:(\S+)/.exec(text)?.[1]
    await clearOutbox(api)
    const response = await restore(school.dispatcher, id)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({ id, status: 'booked', cancelledAt: null })
    expect(await owedNotifications(api)).toEqual([
      { kind: 'reservation_created', subjectId: id, causedBy: school.dispatcher.orgUserId },
    ])
    const history = await expectOk<{ action: string }[]>(api, school.instructor, 'GET', `/reservations/${id}/history`)
    expect(history.map(({ action }) => action)).toEqual(['cancelled', 'restored'])
    const text = await feed()
    expect(uidOf(text)).toBeDefined()
    expect(text).toContain('SEQUENCE:2')
    const clash = await api.as(school.dispatcher).post('/reservations', dualBody(school))
    expect(clash.json()).toMatchObject({ code: 'RESOURCE_CLASH' })
  })

  test('is judged as a new booking: refused where its place is taken, or somebody is away', async ({
    api,
    school,
    cancel,
    restore,
  }) => {
    const id = await bookDual(api, school)
    await cancel(school.dispatcher, id)
    const other = await bookDual(api, school)
    expect((await restore(school.dispatcher, id)).json()).toMatchObject({
      code: 'RESOURCE_CLASH',
      details: { problems: [{ reservationId: other }, expect.anything(), expect.anything()] },
    })
    await cancel(school.dispatcher, other)
    const timeOff = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T13:00:00Z', reason: 'Dentist' }
    await expectOk(api, school.instructor, 'POST', '/availability/timeOff', timeOff)
    expect((await restore(school.dispatcher, id)).json()).toMatchObject({ code: 'NOT_AVAILABLE' })
  })

  test('ends the overrides that it had before', async ({ api, school, cancel, restore }) => {
    const timeOff = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T13:00:00Z', reason: 'Dentist' }
    await expectOk(api, school.instructor, 'POST', '/availability/timeOff', timeOff)
    const overrides = [{ rule: 'availability', orgUserId: school.instructor.orgUserId, reason: 'Comes in for it' }]
    const id = await bookDual(api, school, { extra: { overrides } })
    const read = () => expectOk<{ overrides: object[] }>(api, school.dispatcher, 'GET', `/reservations/${id}`)
    const stands = (await read()).overrides
    expect(stands).toMatchObject([{ rule: 'availability', reason: 'Comes in for it' }])
    await cancel(school.dispatcher, id)
    expect((await restore(school.dispatcher, id)).json()).toMatchObject({ code: 'NOT_AVAILABLE' })
    const again = [{ ...overrides[0], reason: 'Comes in after all' }]
    expect((await restore(school.dispatcher, id, { overrides: again })).statusCode).toBe(200)
    expect((await read()).overrides).toMatchObject([{ reason: 'Comes in after all' }])
  })

  test.for([
    ['the creator, what they cancelled themselves', 'student', 'student', 200],
    ['the creator, what the desk cancelled', 'dispatcher', 'student', 403],
    ['the creator, what the instructor cancelled', 'instructor', 'student', 403],
    ['the instructor, who is not its creator', 'instructor', 'instructor', 403],
    ['the desk, what the creator cancelled', 'student', 'dispatcher', 200],
    ['the desk, what the desk cancelled', 'dispatcher', 'admin', 200],
    ['somebody who is not on it', 'student', 'renter', 403],
  ] as const)(
    'by %s: %s cancels, %s restores: %i',
    async ([_, canceller, restorer, status], { school, own, cancel, restore }) => {
      const id = await own()
      await cancel(school[canceller], id)
      expect((await restore(school[restorer], id)).statusCode).toBe(status)
    },
  )

  test('by its creator is a request where approval is required', async ({ api, school, own, cancel, restore }) => {
    const id = await own()
    await cancel(school.student, id)
    await writeSettings(api, school.organizationId, { approvalRequired: { student: true, renter: true } })
    const refused = await restore(school.student, id)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().message).toContain('need approval')
    expect((await restore(school.dispatcher, id)).statusCode).toBe(200)
  })

  test('is restored twice and not again; one that is live says so', async ({ api, school, cancel, restore }) => {
    const id = await bookDual(api, school)
    for (let times = 0; times < 2; times++) {
      await cancel(school.dispatcher, id)
      expect((await restore(school.dispatcher, id)).statusCode).toBe(200)
      const again = await restore(school.dispatcher, id)
      expect(again.statusCode).toBe(409)
      expect(again.json()).toMatchObject({ code: 'NOT_PENDING', details: { status: 'booked' } })
    }
    await cancel(school.dispatcher, id)
    expect((await restore(school.dispatcher, id)).json()).toMatchObject({ code: 'RESTORED_TWICE' })
  })

  test('is restored within 7 days and before its start, a no-show by the desk until its end', async ({
    api,
    school,
    own,
    cancel,
    restore,
  }) => {
    const late = await bookDual(api, school, { start: '2026-12-23T10:00:00Z', end: '2026-12-23T12:00:00Z' })
    await cancel(school.dispatcher, late)
    api.clock.now = new Date(NOW.getTime() + 7 * 24 * HOUR_MS + 1)
    expect((await restore(school.dispatcher, late)).json().message).toContain('within 7 days')
    api.clock.now = new Date(NOW.getTime() + 7 * 24 * HOUR_MS)
    expect((await restore(school.dispatcher, late)).statusCode).toBe(200)
    api.clock.now = NOW
    const [bad, gone] = [
      await own(),
      await bookDual(api, school, { start: '2026-11-23T13:00:00Z', end: '2026-11-23T15:00:00Z' }),
    ]
    await cancel(school.student, bad)
    await cancel(school.dispatcher, gone, { reason: 'Nobody came', category: 'no_show' })
    api.clock.now = new Date('2026-11-23T14:00:00Z')
    expect((await restore(school.dispatcher, bad)).json().message).toContain('has passed')
    expect((await restore(school.dispatcher, gone)).statusCode).toBe(200)
    api.clock.now = NOW
    await cancel(school.dispatcher, gone, { reason: 'Nobody came', category: 'no_show' })
    api.clock.now = new Date('2026-11-23T15:00:00Z')
    expect((await restore(school.dispatcher, gone)).json().message).toContain('has passed')
  })

  test('is refused when its prepaid price went back', async ({ api, school, cancel, restore }) => {
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { billingMode: 'ledger' })
    const deposit = { kind: 'deposit', amountCents: 50_000 }
    await expectOk(api, school.admin, 'POST', `/orgUsers/${school.student.orgUserId}/ledger`, deposit)
    const id = await bookDual(api, school, {
      extra: { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 },
    })
    await cancel(school.dispatcher, id)
    const refused = await restore(school.dispatcher, id)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ code: 'PREPAID_STANDS' })
  })

  test('is refused when somebody on it left the school', async ({ api, school, cancel, restore }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    const id = await bookDual(api, { ...school, student })
    await cancel(school.dispatcher, id)
    expect((await api.as(school.admin).delete(`/orgUsers/${student.orgUserId}`)).statusCode).toBe(204)
    expect((await restore(school.dispatcher, id)).statusCode).toBe(400)
  })

  test('is another school’s for nobody', async ({ api, school, cancel, restore }) => {
    const id = await bookDual(api, school)
    await cancel(school.dispatcher, id)
    const foreign = await buildSchool(api)
    expect((await restore(foreign.owner, id)).statusCode).toBe(404)
  })
})
