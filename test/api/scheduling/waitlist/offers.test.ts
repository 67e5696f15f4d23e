import { describe, expect } from 'vitest'
import { cents as toCents } from '../../../../src/shared/platform/kernel/units.ts'
import type { TestApp } from '../../../support/app.ts'
import { refusedBooking } from '../../../support/booking.ts'
import { buildMember, buildPlane, type Member, type School, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, setRates } from '../../../support/flights.ts'
import { holdRow } from '../../../support/held-row.ts'
import { cancel, enter, expireSoFar, type OfferRow, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest()

const TEN = { start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T12:00:00.000Z' }
const window = { windows: [{ start: TEN.start, end: TEN.end }] }

/** Books the plane for somebody at ten on Monday, lets members wait for it, and cancels. Returns their offers, newest first. */
async function freed(api: TestApp, school: School, waiting: readonly Member[]): Promise<OfferRow[]> {
  const other = await buildMember(api, school.organizationId, ['student'])
  const id = await bookDual(api, school, { students: [other] })
  for (const who of waiting) await enter(api, school.dispatcher, { ...window, orgUserId: who.orgUserId })
  expect(await offerSoFar(api, school), 'nothing is free yet').toBe(0)
  await cancel(api, school, id)
  await offerSoFar(api, school)
  return offersOf(api, school.dispatcher)
}

describe('a place that becomes free', () => {
  test('is offered to who waits first, and kept for them', async ({ api, school }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    const offers = await freed(api, school, [school.student, next])
    expect(offers).toMatchObject([
      {
        ...TEN,
        status: 'open',
        orgUserId: school.student.orgUserId,
        resource: { id: school.plane.id },
        instructor: { orgUserId: school.instructor.orgUserId },
        expiresAt: '2026-11-21T13:00:00.000Z',
      },
    ])
    expect(await offersOf(api, next)).toEqual([])
    expect((await api.as(next).get(`/offers/${offers[0]!.id}`)).statusCode).toBe(404)
    const problems = await refusedBooking(api, next, dualBody(school, { students: [next] }))
    expect(problems.map(({ code, rule }) => [code, rule])).toEqual([
      ['OFFERED', 'resource_clash'],
      ['OFFERED', 'person_clash'],
    ])
    const openings = `/reservations/openings?type=dual&durationMinutes=120&startDate=${TEN.start}&endDate=${TEN.end}`
    expect(await expectOk(api, next, 'GET', openings)).toEqual([])
    const [entry] = await expectOk<{ id: number }[]>(api, next, 'GET', '/waitlist')
    const { passedOver } = await expectOk<{ passedOver: object[] }>(api, next, 'GET', `/waitlist/${entry!.id}`)
    expect(passedOver).toEqual([{ at: '2026-11-21T12:00:00.000Z', start: TEN.start, cause: 'order' }])
  })

  test('is booked by who accepts, and is theirs when they accept again', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(accepted.statusCode, accepted.body).toBe(201)
    expect(accepted.json().data).toMatchObject({ ...TEN, type: 'dual', status: 'booked' })
    const again = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect([again.statusCode, again.json().data.id]).toEqual([200, accepted.json().data.id])
    const [entry] = await expectOk<object[]>(api, school.student, 'GET', '/waitlist')
    expect(entry).toMatchObject({ status: 'booked', reservation: { id: accepted.json().data.id } })
    const declined = await api.as(school.student).post(`/offers/${offer!.id}/decline`)
    expect(declined.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'accepted' } })
  })

  test('goes to the next when it is declined, and never to the same entry again', async ({ api, school }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    const [offer] = await freed(api, school, [school.student, next])
    await expectOk(api, school.student, 'POST', `/offers/${offer!.id}/decline`)
    await offerSoFar(api, school)
    const [second] = await offersOf(api, next)
    expect(second).toMatchObject({ ...TEN, status: 'open' })
    await expectOk(api, next, 'POST', `/offers/${second!.id}/decline`)
    expect(await offerSoFar(api, school)).toBe(0)
  })

  test('goes to the next when it expires', async ({ api, school }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    const [offer] = await freed(api, school, [school.student, next])
    await expireSoFar(api, school, offer!.id)
    expect((await offersOf(api, school.student))[0]).toMatchObject({ status: 'open' })
    api.clock.now = new Date(offer!.expiresAt)
    const late = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(late.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'expired' } })
    await expireSoFar(api, school, offer!.id)
    await offerSoFar(api, school)
    expect((await offersOf(api, school.student))[0]).toMatchObject({ status: 'expired' })
    expect(await offersOf(api, next)).toMatchObject([{ status: 'open' }])
  })

  test('is not offered at night, and offered in the morning', async ({ api, school }) => {
    api.clock.now = new Date('2026-11-21T23:00:00Z')
    expect(await freed(api, school, [school.student])).toEqual([])
    const resting = await api.core.database.db
      .selectFrom('job_mark')
      .select('about')
      .where('job', '=', 'waitlist.resting-places')
      .where('organization_id', '=', school.organizationId)
      .execute()
    expect(resting[0]?.about).toMatchObject({ until: '2026-11-22T07:00:00.000Z' })
  })

  test('is for the desk to book, which withdraws the offer', async ({ api, school }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    const [offer] = await freed(api, school, [school.student])
    await bookDual(api, school, { students: [next] })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'booked' }])
    const late = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(late.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
  })

  test('is offered once a day, however often it is booked and cancelled', async ({ api, school }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    await freed(api, school, [school.student, next])
    for (let round = 0; round < 3; round++) {
      const id = await bookDual(api, school, { students: [await buildMember(api, school.organizationId, ['student'])] })
      await cancel(api, school, id)
      await offerSoFar(api, school)
    }
    expect(await offersOf(api, school.dispatcher)).toMatchObject([{ status: 'withdrawn' }])
  })

  test('is passed over by who may not fly, and says no more than that a rule about them refuses it', async ({
    api,
    school,
  }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, {
      grounded: true,
      groundedReason: 'Checkride',
    })
    expect(await freed(api, school, [school.student, next])).toMatchObject([{ orgUserId: next.orgUserId }])
    const [entry] = await expectOk<{ id: number }[]>(api, school.student, 'GET', '/waitlist')
    const { passedOver } = await expectOk<{ passedOver: object[] }>(
      api,
      school.student,
      'GET',
      `/waitlist/${entry!.id}`,
    )
    expect(passedOver).toMatchObject([{ start: TEN.start, cause: 'rule' }])
  })

  test('is accepted when its person is booked on it', async ({ api, school }) => {
    await freed(api, school, [school.student])
    const id = await bookDual(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'accepted', reservation: { id } }])
  })

  test('is accepted by a booking of its pool', async ({ api, school }) => {
    const { db } = api.core.database
    await db.updateTable('resource').set({ pool: 'Skyhawks' }).where('id', '=', school.plane.id).execute()
    await freed(api, school, [school.student])
    const id = await bookDual(api, school, { extra: { resource: { pool: 'Skyhawks' } } })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'accepted', reservation: { id } }])
    const [entry] = await expectOk<object[]>(api, school.student, 'GET', '/waitlist')
    expect(entry).toMatchObject({ status: 'booked', reservation: { id } })
  })

  test('is accepted by the booking of a series that takes it', async ({ api, school }) => {
    await freed(api, school, [school.student])
    const times = { start: '2026-11-22T10:00:00Z', end: '2026-11-22T12:00:00Z' }
    await bookDual(api, school, { ...times, extra: { recurrence: { frequency: 'daily', count: 3 } } })
    const second = await api.core.database.db
      .selectFrom('reservation')
      .select('id')
      .where('organization_id', '=', school.organizationId)
      .where('starts_at', '=', new Date(TEN.start))
      .where('live', '=', true)
      .executeTakeFirstOrThrow()
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'accepted', reservation: second }])
  })

  test('is booked over after its entry is locked, as whoever accepts it locks them', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const held = await holdRow(api, 'waitlist_entry', offer!.waitlistEntryId!)
    const booking = api.as(school.dispatcher).post('/reservations', dualBody(school))
    await expect.poll(() => held.waitedFor()).toBe(true)
    await api.core.database.pool.query('select from offer where id = $1 for update nowait', [offer!.id])
    await held.release()
    expect((await booking).statusCode).toBe(201)
  })

  test('is offered to the last of all who wait', async ({ api, school }) => {
    const { organizationId, student, renter, dispatcher } = school
    await api.core.database.pool.query(
      `insert into waitlist_entry (organization_id, membership_id, created_by, type, duration_minutes, windows, ranked_at)
       select $1, $2, $3, 'rental', 60, $4, $5 from generate_series(1, 250)`,
      [
        ...[organizationId, renter.orgUserId, dispatcher.orgUserId],
        JSON.stringify([{ start: '2026-12-20T10:00:00Z', end: '2026-12-20T11:00:00Z' }]),
        new Date(api.clock.now.getTime() - 60_000),
      ],
    )
    expect(await freed(api, school, [student])).toMatchObject([{ status: 'open', orgUserId: student.orgUserId }])
  })
})

describe('a place that its own person freed', () => {
  const LATER = { start: '2026-11-23T14:00:00.000Z', end: '2026-11-23T16:00:00.000Z' }
  const changes: [string, object][] = [
    ['moving', LATER],
    ['shortening', { end: '2026-11-23T11:00:00.000Z' }],
  ]
  test.for(changes)(
    'is offered to others and not to them, by %s their booking',
    async ([, change], { api, school }) => {
      const next = await buildMember(api, school.organizationId, ['student'])
      const id = await bookDual(api, school)
      const hour = { windows: [{ start: '2026-11-23T11:00:00Z', end: TEN.end }], durationMinutes: 60 }
      for (const { orgUserId } of [school.student, next]) await enter(api, school.dispatcher, { ...hour, orgUserId })
      expect(await offerSoFar(api, school)).toBe(0)
      await expectOk(api, school.student, 'PATCH', `/reservations/${id}`, change)
      await offerSoFar(api, school)
      expect(await offersOf(api, school.dispatcher)).toMatchObject([{ status: 'open', orgUserId: next.orgUserId }])
    },
  )

  test('is not offered to them when an offer moved their booking away', async ({ api, school }) => {
    const mine = await bookDual(api, school, LATER)
    const window = { windows: [{ start: LATER.start, end: LATER.end }], durationMinutes: 60 }
    await enter(api, school.dispatcher, { ...window, orgUserId: school.student.orgUserId })
    await enter(api, school.dispatcher, { windows: [TEN], insteadOf: mine, orgUserId: school.student.orgUserId })
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    await expectOk(api, school.dispatcher, 'POST', `/offers/${offer!.id}/accept`, { how: 'phone' })
    expect(await offerSoFar(api, school)).toBe(0)
  })
})

describe('a place whose offer was withdrawn', () => {
  test('is offered to the entry again when what withdrew it is gone', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const ground = (grounded: boolean) =>
      expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
        grounded,
        ...(grounded && { reason: 'Flat' }),
      })
    await ground(true)
    expect(await offerSoFar(api, school)).toBe(0)
    await ground(false)
    expect(await offerSoFar(api, school)).toBe(1)
    expect(await offersOf(api, school.student)).toMatchObject([
      { ...TEN, status: 'open' },
      { ...TEN, id: offer!.id, status: 'withdrawn', cause: 'impossible' },
    ])
  })

  test('is offered again a day after the desk booked it, when it is free by then', async ({ api, school }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    await freed(api, school, [school.student])
    const id = await bookDual(api, school, { students: [next] })
    api.clock.now = new Date(api.clock.now.getTime() + 86_400_000 + 1)
    await cancel(api, school, id)
    await offerSoFar(api, school)
    expect((await offersOf(api, school.student)).map(({ status }) => status)).toEqual(['open', 'withdrawn'])
  })

  test('is offered with another instructor when the first one declined it', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    await expectOk(api, school.instructor, 'POST', `/offers/${offer!.id}/decline`)
    const second = await buildMember(api, school.organizationId, ['instructor'])
    const rename = "update membership set search_name = 'Zoe' where id = $1"
    await api.core.database.pool.query(rename, [second.orgUserId])
    await offerSoFar(api, school)
    const open = (await offersOf(api, school.student)).filter(({ status }) => status === 'open')
    expect(open).toMatchObject([{ ...TEN, instructor: { orgUserId: second.orgUserId } }])
  })
})

describe('an offer', () => {
  test('is answered by the desk in a name, which says how', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const url = `/offers/${offer!.id}/accept`
    expect((await api.as(school.dispatcher).post(url)).statusCode, 'without how').toBe(400)
    expect((await api.as(school.instructor).post(url)).statusCode, 'by the instructor').toBe(403)
    expect((await api.as(school.renter).post(url)).statusCode, 'by another').toBe(404)
    await expectOk(api, school.dispatcher, 'POST', url, { how: 'phone' })
    expect(await offersOf(api, school.student)).toMatchObject([
      { status: 'accepted', how: 'phone', answeredBy: { orgUserId: school.dispatcher.orgUserId } },
    ])
    const [{ reservation }] = (await offersOf(api, school.student)) as [OfferRow]
    const history = await expectOk<object[]>(api, school.dispatcher, 'GET', `/reservations/${reservation?.id}/history`)
    expect(history).toMatchObject([
      { by: { orgUserId: school.dispatcher.orgUserId }, after: { how: 'phone', onBehalfOf: school.student.orgUserId } },
    ])
  })

  test('is declined by its instructor, unless the setting says no', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const settings = (instructorsDecline: boolean) => writeSettings(api, school.organizationId, { instructorsDecline })
    const url = `/offers/${offer!.id}/decline`
    await settings(false)
    expect((await api.as(school.instructor).post(url)).statusCode).toBe(403)
    await settings(true)
    const declined = await expectOk(api, school.instructor, 'POST', url)
    expect(declined).toMatchObject({ status: 'withdrawn', cause: 'instructor' })
  })

  test('whose booking is refused by now is withdrawn, and the next is asked', async ({ api, school }) => {
    const next = await buildMember(api, school.organizationId, ['student'])
    const [offer] = await freed(api, school, [school.student, next])
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, {
      grounded: true,
      groundedReason: 'Checkride',
    })
    const refused = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(refused.json()).toMatchObject({ code: 'PERSON_GROUNDED' })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'refused' }])
    await offerSoFar(api, school)
    expect(await offersOf(api, next)).toMatchObject([{ status: 'open' }])
  })

  test('is withdrawn by a run when it became impossible', async ({ api, school }) => {
    await freed(api, school, [school.student])
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
      grounded: true,
      reason: 'Flat',
    })
    await offerSoFar(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'impossible' }])
  })

  test('counts as a booking towards the limits of its person', async ({ api, school }) => {
    await writeSettings(api, school.organizationId, { bookingLimits: { student: { maxOpenBookings: 1 } } })
    await enter(api, school.student, window)
    await enter(api, school.student, { windows: [{ start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }] })
    expect(await offerSoFar(api, school)).toBe(1)
    const [offer] = await offersOf(api, school.student)
    await expectOk(api, school.student, 'POST', `/offers/${offer!.id}/accept`)
  })

  test('is on an aircraft of the pool that its entry names', async ({ api, school }) => {
    const { id } = await buildPlane(api, school)
    await api.core.database.db.updateTable('resource').set({ pool: 'Skyhawks' }).where('id', '=', id).execute()
    await enter(api, school.student, { ...window, pool: 'skyhawks' })
    await offerSoFar(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'open', resource: { id } }])
  })

  test('stays when its entry waits for its aircraft and no longer for the pool, and not for another one', async ({
    api,
    school,
  }) => {
    const pooled = await buildPlane(api, school)
    await api.core.database.db.updateTable('resource').set({ pool: 'Skyhawks' }).where('id', '=', pooled.id).execute()
    const id = await enter(api, school.student, { ...window, pool: 'Skyhawks' })
    await offerSoFar(api, school)
    const change = (resourceIds: number[]) =>
      expectOk(api, school.student, 'PATCH', `/waitlist/${id}`, { pool: null, resourceIds })
    await change([pooled.id])
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'open', resource: { id: pooled.id } }])
    await change([school.plane.id])
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'entry_changed' }])
  })

  test('is made to nobody who waits for a pool without aircraft', async ({ api, school }) => {
    const { db } = api.core.database
    const setPool = (pool: string | null) =>
      db.updateTable('resource').set({ pool }).where('id', '=', school.plane.id).execute()
    await setPool('Skyhawks')
    const id = await enter(api, school.student, { ...window, pool: 'Skyhawks' })
    await setPool(null)
    expect(await freed(api, school, [])).toEqual([])
    expect(await expectOk(api, school.student, 'GET', `/waitlist/${id}`)).toMatchObject({
      status: 'waiting',
      passedOver: [],
    })
  })

  test('that costs more by now is withdrawn, and is offered anew at its price', async ({ api, school }) => {
    await setRates(api, school, 6_000)
    const setRate = (cents: number) =>
      api.core.database.db
        .updateTable('resource')
        .set({ wet_rate_cents: toCents(cents) })
        .where('id', '=', school.plane.id)
        .execute()
    await setRate(18_000)
    const [offer] = await freed(api, school, [school.student])
    await setRate(18_100)
    const refused = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(refused.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'refused' }])
    await offerSoFar(api, school)
    const [anew] = await offersOf(api, school.student, '?status=open')
    expect(anew).toMatchObject({ estimatedCents: 2 * (18_100 + 6_000) })
    await setRate(18_000)
    await expectOk(api, school.student, 'POST', `/offers/${anew!.id}/accept`)
  })

  test('that nobody may book any more is withdrawn', async ({ api, school }) => {
    await enter(api, school.student, window)
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    await api.core.database.db
      .updateTable('membership')
      .set({ student: false, renter: true })
      .where('id', '=', school.student.orgUserId)
      .execute()
    const accept = () => api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect((await accept()).json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'refused' }])
  })

  test('of an entry whose booking was cancelled meanwhile is booked without it', async ({ api, school }) => {
    const later = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    await enter(api, school.student, { ...window, insteadOf: later })
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    await cancel(api, school, later)
    const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(accepted.statusCode, accepted.body).toBe(201)
    expect(accepted.json().data.id).not.toBe(later)
  })

  test('of an entry whose booking is flown by now is withdrawn', async ({ api, school }) => {
    const later = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    await enter(api, school.student, { ...window, insteadOf: later })
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    const flown = { ramped_out_at: api.clock.now }
    await api.core.database.db.updateTable('reservation').set(flown).where('id', '=', later).execute()
    const refused = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(refused.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'refused' }])
  })

  test('moves the booking that its entry names', async ({ api, school }) => {
    const later = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    const other = await buildMember(api, school.organizationId, ['student'])
    const id = await bookDual(api, school, { students: [other] })
    await enter(api, school.student, { ...window, insteadOf: later })
    await cancel(api, school, id)
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`)
    expect(accepted.statusCode, accepted.body).toBe(201)
    expect(accepted.json().data).toMatchObject({ id: later, ...TEN })
  })

  test('three in a row without an answer end the entry', async ({ api, school }) => {
    await enter(api, school.dispatcher, { orgUserId: school.student.orgUserId, noticeMinutes: 0 })
    for (let round = 0; round < 3; round++) {
      await offerSoFar(api, school)
      const [offer] = await offersOf(api, school.student, '?status=open')
      api.clock.now = new Date(offer!.expiresAt)
      await expireSoFar(api, school, offer!.id)
    }
    const [entry] = await expectOk<object[]>(api, school.student, 'GET', '/waitlist')
    expect(entry).toMatchObject({ status: 'ended', endCause: 'silent' })
  })
})

describe('the link of an offer', () => {
  async function tokenOf(api: TestApp, id: number): Promise<string> {
    const { seed } = await api.core.database.db
      .selectFrom('offer')
      .select('seed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return api.core.mailTokens.tokenOf(seed!)
  }

  test('shows the place and nothing else, and reading it answers nothing', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const token = await tokenOf(api, offer!.id)
    const shown = await api.call('POST', '/offers/lookup', { body: { token } })
    expect(Object.keys(shown.json().data).sort()).toEqual([
      'currency',
      'end',
      'estimatedCents',
      'expiresAt',
      'firstName',
      'instructorFirstName',
      'resourceName',
      'start',
      'status',
      'timeZoneName',
    ])
    expect(shown.json().data).toMatchObject({ status: 'open', ...TEN })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'open' }])
  })

  test('accepts without a sign-in, once, and says so again', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const token = await tokenOf(api, offer!.id)
    for (let press = 0; press < 2; press++) {
      const answered = await api.call('POST', '/offers/answer', { body: { token, answer: 'accept' } })
      expect(answered.json().data, answered.body).toMatchObject({ status: 'accepted' })
    }
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'accepted', how: 'link' }])
  })

  test('ends with its offer', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const token = await tokenOf(api, offer!.id)
    const declined = await api.call('POST', '/offers/answer', { body: { token, answer: 'decline' } })
    expect(declined.json().data).toMatchObject({ status: 'declined' })
    for (const path of ['/offers/lookup', '/offers/answer']) {
      const gone = await api.call('POST', path, { body: { token, answer: 'accept' } })
      expect(gone.statusCode, path).toBe(404)
    }
  })

  test('is answered by a form without scripts, and by no other method', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const link = `https://app.example.com/offer#${await tokenOf(api, offer!.id)}`
    const send = (answer: string, given = link) =>
      api.app.inject({
        method: 'POST',
        url: '/offer',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ link: given, answer }).toString(),
      })
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) await api.app.inject({ method, url: '/offer' })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'open' }])
    expect((await send('perhaps')).statusCode).toBe(400)
    expect((await send('accept', `${link.slice(0, -3)}abc`)).statusCode).toBe(404)
    const accepted = await send('accept')
    expect([accepted.statusCode, accepted.body]).toEqual([200, expect.stringContaining('You are booked')])
    expect(accepted.body).not.toContain('<form')
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'accepted', how: 'link' }])
  })

  test('ends when its person sets a new password', async ({ api, school }) => {
    const [offer] = await freed(api, school, [school.student])
    const token = await tokenOf(api, offer!.id)
    await api.core.database.db
      .updateTable('account')
      .set({ tokens_valid_from: new Date(api.clock.now.getTime() + 1) })
      .where('id', '=', school.student.accountId)
      .execute()
    expect((await api.call('POST', '/offers/lookup', { body: { token } })).statusCode).toBe(404)
  })
})
