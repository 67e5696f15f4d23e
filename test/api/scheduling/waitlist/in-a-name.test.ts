import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member, type School, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { applied, buildTwin, planned } from '../../../support/recoveries.ts'
import { cancel, enter, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest()

const ROUNDS = 4
const TEN = { start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T12:00:00.000Z' }
const how = { how: 'phone' }

type Who = keyof typeof people

/** Who answers for whom; those at the desk who instruct are the instructor of the place, or not. */
const people = {
  owner: ({ owner }: School) => owner,
  admin: ({ admin }: School) => admin,
  dispatcher: ({ dispatcher }: School) => dispatcher,
  'its instructor': ({ instructor }: School) => instructor,
  technician: ({ technician }: School) => technician,
  renter: ({ renter }: School) => renter,
  'its person': ({ student }: School) => student,
}

/** Offers the school's student ten o'clock on Monday with the school's instructor. Returns the id of the offer. */
async function offered(api: TestApp, school: School): Promise<number> {
  await enter(api, school.dispatcher, { windows: [TEN], orgUserId: school.student.orgUserId, noticeMinutes: 0 })
  await offerSoFar(api, school)
  return (await offersOf(api, school.student))[0]!.id
}

const undo = (api: TestApp, { token }: Member, id: number, more: object = {}) =>
  api.call('DELETE', `/reservations/${id}`, {
    token,
    body: { category: 'student', reason: 'Nobody asked me', ...more },
  })

describe('an offer that somebody accepts (§Waiting list, safety S91)', () => {
  const answers: [Who, { status: number; atDesk?: boolean; without?: number }][] = [
    ['owner', { status: 201, without: 400 }],
    ['admin', { status: 201, without: 400 }],
    ['dispatcher', { status: 201, without: 400 }],
    ['its instructor', { status: 403 }],
    ['its instructor', { status: 403, atDesk: true }],
    ['technician', { status: 404 }],
    ['renter', { status: 404 }],
    ['its person', { status: 201 }],
    ['its person', { status: 201, atDesk: true }],
  ]
  test.for(answers)('by %s: %o', async ([who, { status, atDesk = false, without }], { api, school }) => {
    const by = people[who](school)
    if (atDesk) {
      await api.core.database.pool.query('update membership set dispatcher = true where id = $1', [by.orgUserId])
    }
    const url = `/offers/${await offered(api, school)}/accept`
    if (without !== undefined) expect((await api.as(by).post(url, {})).statusCode, 'without how').toBe(without)
    expect((await api.as(by).post(url, how)).statusCode).toBe(status)
    const isInName = status === 201 && who !== 'its person'
    const [offer] = await offersOf(api, school.student)
    expect(offer).toMatchObject({ status: status === 201 ? 'accepted' : 'open', how: isInName ? 'phone' : null })
    if (status !== 201) return
    // Only what somebody else said for them is taken back within the notice of cancellations, and only by them.
    await writeSettings(api, school.organizationId, { cancellationNoticeHours: 168 })
    expect((await undo(api, school.instructor, offer!.reservation!.id)).statusCode).toBe(400)
    const taken = await undo(api, school.student, offer!.reservation!.id)
    expect(taken.statusCode).toBe(isInName || atDesk ? 204 : 400)
  })

  test('in their name, instead of another: what they take back goes to where it was, or says why it cannot', async ({
    api,
    school,
  }) => {
    await writeSettings(api, school.organizationId, { cancellationNoticeHours: 168 })
    const day = (date: number) => ({
      start: `2026-11-${date}T10:00:00.000Z`,
      end: `2026-11-${date}T12:00:00.000Z`,
    })
    const theirs = await bookDual(api, school, day(25))
    const { orgUserId } = school.student
    await enter(api, school.dispatcher, { windows: [TEN], orgUserId, noticeMinutes: 0, insteadOf: theirs })
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    await expectOk(api, school.dispatcher, 'POST', `/offers/${offer!.id}/accept`, how)
    const back = (who: Member) => undo(api, who, theirs, { undo: true })
    const at = () => expectOk<object>(api, school.student, 'GET', `/reservations/${theirs}`)
    const other = await buildMember(api, school.organizationId, ['student'])
    const taken = await bookDual(api, { ...school, student: other }, day(25))
    const refused = await back(school.student)
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'RESOURCE_CLASH'])
    expect(await at()).toMatchObject({ ...TEN, cancelledAt: null })
    await cancel(api, school, taken)
    const nobodys = await back(school.instructor)
    expect([nobodys.statusCode, nobodys.json().message]).toEqual([400, expect.stringContaining('undo:')])
    expect((await back(school.student)).statusCode).toBe(204)
    expect(await at()).toMatchObject({ ...day(25), cancelledAt: null })
  })

  test('in their name, and that they take back while it starts: one of both, never both', async ({ api }) => {
    for (let round = 0; round < ROUNDS; round++) {
      api.clock.now = new Date('2026-11-23T07:55:00Z')
      const school = await buildSchool(api, { settings: { cancellationNoticeHours: 168 } })
      const { student, instructor, dispatcher } = school
      const accepted = await api.as(dispatcher).post(`/offers/${await offered(api, school)}/accept`, how)
      const { id } = accepted.json().data
      api.clock.now = new Date('2026-11-23T08:00:00Z')
      const [back, out] = await Promise.all([
        undo(api, student, id),
        api.as(instructor).post(`/reservations/${id}/rampOut`, { hobbsTimeOut: 1000, tachTimeOut: 900 }),
      ])
      const { rows } = await api.core.database.pool.query(
        'select live, ramped_out_at is not null as out from reservation where id = $1',
        [id],
      )
      const isBack = back.statusCode === 204
      expect([back.statusCode, out.statusCode]).toEqual(isBack ? [204, 400] : [409, 200])
      expect(rows).toEqual([{ live: !isBack, out: !isBack }])
    }
  })
})

describe('a move that the desk says was agreed to (§Recovery, safety S91)', () => {
  const moves: [Who, { status: number; atDesk?: boolean }][] = [
    ['owner', { status: 202 }],
    ['admin', { status: 202 }],
    ['dispatcher', { status: 202 }],
    ['its instructor', { status: 403 }],
    ['its instructor', { status: 403, atDesk: true }],
    ['technician', { status: 403 }],
    ['its person', { status: 403 }],
    ['its person', { status: 202, atDesk: true }],
  ]
  test.for(moves)('by %s, whose hours it becomes: %o', async ([who, { status, atDesk = false }], { api, school }) => {
    await buildTwin(api, school)
    const away = await buildMember(api, school.organizationId, ['instructor'])
    const booked = await bookDual(api, { ...school, instructor: away }, TEN)
    const by = people[who](school)
    if (atDesk) {
      await api.core.database.pool.query('update membership set dispatcher = true where id = $1', [by.orgUserId])
    }
    const cause = { reservationIds: [booked], instructorOrgUserIds: [away.orgUserId] }
    const plan = await planned(api, school.dispatcher, cause, { reach: { instructors: 'any', days: 0 } })
    expect(plan.rows).toMatchObject([{ to: { instructorOrgUserId: school.instructor.orgUserId } }])
    const url = `/recoveries/${plan.id}/apply`
    const given = { consent: 'given', reservationIds: [booked] }
    if (status === 202) expect((await api.as(by).post(url, given)).statusCode, 'without how').toBe(400)
    expect((await api.as(by).post(url, { ...given, ...how })).statusCode).toBe(status)
  })

  test('is taken back with the rest of its series, as by itself', async ({ api, school }) => {
    await buildTwin(api, school)
    await writeSettings(api, school.organizationId, { cancellationNoticeHours: 72 })
    const body = dualBody(school, { ...TEN, extra: { recurrence: { frequency: 'weekly', count: 2 } } })
    const [first] = await expectOk<{ id: number }[]>(api, school.dispatcher, 'POST', '/reservations', body)
    const booked = first!.id
    const { series } = await expectOk<{ series: { id: number } }>(api, school.student, 'GET', `/reservations/${booked}`)
    const undoAll = () =>
      api.call('DELETE', `/reservations/series/${series.id}`, {
        token: school.student.token,
        body: { category: 'student', reason: 'Nobody asked me' },
      })
    expect((await undoAll()).statusCode).toBe(400)
    const plan = await planned(api, school.dispatcher, { reservationIds: [booked] }, { reach: { days: 0 } })
    await applied(api, school.dispatcher, plan.id, { consent: 'given', ...how, reservationIds: [booked] })
    expect((await undoAll()).statusCode).toBe(204)
  })
})
