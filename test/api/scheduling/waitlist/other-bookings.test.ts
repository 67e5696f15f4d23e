import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { cancel, enter, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest()

const TEN = { start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T12:00:00.000Z' }
const window = { windows: [TEN] }
const tomorrow = { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }

describe('an offer that a booking overlaps (§Waiting list)', () => {
  const cases = [
    ['of another type', { ...TEN, type: 'solo' }],
    ['of a part of its time', { start: '2026-11-23T11:00:00Z', end: '2026-11-23T13:00:00Z' }],
  ] as const
  test.for(cases)('is not accepted by a booking of its person %s', async ([, changes], { api, school }) => {
    await enter(api, school.student, window)
    await offerSoFar(api, school)
    const personnel = {
      ...('type' in changes ? {} : { instructors: [{ orgUserId: school.instructor.orgUserId }] }),
      students: [{ orgUserId: school.student.orgUserId }],
    }
    await expectOk(api, school.dispatcher, 'POST', '/reservations', { ...dualBody(school), ...changes, personnel })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', reservation: null }])
    expect(await expectOk<object[]>(api, school.student, 'GET', '/waitlist')).toMatchObject([{ status: 'waiting' }])
  })

  test('is accepted by a longer booking of its person', async ({ api, school }) => {
    await enter(api, school.student, window)
    await offerSoFar(api, school)
    const id = await bookDual(api, school, { start: '2026-11-23T09:30:00Z', end: '2026-11-23T12:30:00Z' })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'accepted', reservation: { id } }])
  })

  test('that moves a booking is accepted by moving it there, and not by another booking', async ({ api, school }) => {
    const later = await bookDual(api, school, tomorrow)
    await enter(api, school.student, { ...window, insteadOf: later })
    await offerSoFar(api, school)
    const other = await bookDual(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', reservation: null }])
    await cancel(api, school, other)
    api.clock.now = new Date('2026-11-22T14:00:00Z')
    await offerSoFar(api, school)
    expect(await offersOf(api, school.student, '?status=open')).toHaveLength(1)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${later}`, TEN)
    const [offer] = await offersOf(api, school.student)
    expect(offer).toMatchObject({ status: 'accepted', reservation: { id: later } })
  })
})

describe('an offer that moves a booking (§Waiting list)', () => {
  const cases = [
    ['to before the offered place', { start: '2026-11-22T10:00:00.000Z', end: '2026-11-22T12:00:00.000Z' }],
    ['to a later end', { start: '2026-11-24T10:00:00.000Z', end: '2026-11-24T13:00:00.000Z' }],
  ] as const
  test.for(cases)('leaves it where it is when the desk moved it %s', async ([, moved], { api, school }) => {
    const later = await bookDual(api, school, tomorrow)
    await enter(api, school.student, { ...window, insteadOf: later })
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${later}`, moved)
    const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(accepted.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
    expect(await expectOk(api, school.student, 'GET', `/reservations/${later}`)).toMatchObject(moved)
    expect(await expectOk<object[]>(api, school.student, 'GET', '/waitlist')).toMatchObject([{ status: 'waiting' }])
  })

  test.for<[string, string]>([
    ['another model', "model = 'another'"],
    ['no longer in its pool', 'pool = null'],
  ])('is withdrawn when it is accepted of what is %s by now', async ([, change], { api, school }) => {
    const { pool } = api.core.database
    await pool.query("update resource set pool = 'Trainers', model = '172S' where id = $1", [school.plane.id])
    const later = await bookDual(api, school, tomorrow)
    await enter(api, school.student, { ...window, insteadOf: later })
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    await pool.query(`update resource set ${change} where id = $1`, [school.plane.id])
    const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(accepted.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
    expect(await expectOk(api, school.student, 'GET', `/reservations/${later}`)).toMatchObject({
      start: '2026-11-24T10:00:00.000Z',
      end: '2026-11-24T12:00:00.000Z',
    })
  })

  test('is withdrawn by a run when it was moved meanwhile', async ({ api, school }) => {
    const later = await bookDual(api, school, tomorrow)
    await enter(api, school.student, { ...window, insteadOf: later })
    await offerSoFar(api, school)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${later}`, {
      start: '2026-11-22T10:00:00.000Z',
      end: '2026-11-22T12:00:00.000Z',
    })
    await offerSoFar(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'impossible' }])
  })
})
