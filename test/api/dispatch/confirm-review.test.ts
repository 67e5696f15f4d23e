import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly } from '../../support/flights.ts'

const test = schoolTest()
  .extend(
    'confirm',
    ({ api }) =>
      (who: Member, id: number, body?: object) =>
        api.as(who).post(`/reservations/${id}/confirmReview`, body),
  )
  .extend(
    'book',
    ({ api, school }) =>
      async (body: object): Promise<number> =>
        (await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)).id,
  )
  /** A booking of one type on one day, with the usual people of the school. */
  .extend('lesson', ({ school }) => (type: string, personnel: object, resource: object | null) => {
    const { resource: _r, personnel: _p, ...body } = dualBody(school)
    return { ...body, type, personnel, ...(resource && { resource }) }
  })
  .extend('ground', ({ school, book, lesson }) => async (): Promise<number> => {
    const { instructor, student } = school
    const personnel = {
      instructors: [{ orgUserId: instructor.orgUserId }],
      students: [{ orgUserId: student.orgUserId }],
    }
    return book(lesson('ground', personnel, null))
  })

describe('a dual flight (§Reservations rule 9)', () => {
  test('is signed off when both seats have confirmed', async ({ api, school, confirm }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const first = await confirm(school.instructor, id)
    expect(first.json().data).toMatchObject({ status: 'ramped_in', review: { needs: ['students'], signedOffAt: null } })
    const second = await confirm(school.student, id)
    expect(second.json().data).toMatchObject({
      status: 'signed_off',
      review: {
        needs: [],
        confirmations: [
          { orgUserId: school.instructor.orgUserId, side: 'instructors' },
          { orgUserId: school.student.orgUserId, side: 'students' },
        ],
        signedOffAt: api.clock.now.toISOString(),
      },
    })
  })

  test('has nothing to confirm before it is ramped in or after it is signed off', async ({ api, school, confirm }) => {
    const id = await bookDual(api, school)
    const early = await confirm(school.student, id)
    expect([early.statusCode, early.json().message]).toEqual([400, 'There is nothing to confirm yet.'])
    await expectOk(api, school.student, 'POST', `/reservations/${id}/rampOut`, { hobbsTimeOut: 1000, tachTimeOut: 900 })
    expect((await confirm(school.student, id)).statusCode).toBe(400)
    await expectOk(api, school.student, 'POST', `/reservations/${id}/rampIn`, { hobbsTimeIn: 1001, tachTimeIn: 901 })
    await confirm(school.student, id)
    const twice = await confirm(school.student, id)
    expect([twice.statusCode, twice.json()]).toEqual([
      409,
      { message: 'You have confirmed this booking already.', code: 'NOT_PENDING' },
    ])
    await confirm(school.instructor, id)
    const late = await confirm(school.instructor, id)
    expect([late.statusCode, late.json()]).toEqual([
      409,
      { message: 'Everything is confirmed already.', code: 'NOT_PENDING' },
    ])
  })

  test('with If-Match signs only the figures that the signer has read', async ({ api, school, confirm }) => {
    const { student } = school
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const url = `/reservations/${id}`
    const read = async () => String((await api.as(student).get(url)).headers.etag)
    const sign = async (tag: string) => {
      const headers = { 'if-match': tag }
      return (await api.call('POST', `${url}/confirmReview`, { token: student.token, headers })).statusCode
    }
    const tag = await read()
    const figures = (await expectOk<{ hobbsTimeOut: number }>(api, student, 'GET', url)).hobbsTimeOut
    const longer = { hobbsTimeOut: figures, hobbsTimeIn: figures + 4, confirmMeterAnomaly: true }
    await expectOk(api, school.instructor, 'POST', `${url}/updateReviewTimes`, longer)
    expect(await sign(tag)).toBe(412)
    const { review } = await expectOk<{ review: { confirmations: object[] } }>(api, student, 'GET', url)
    expect(review.confirmations).toEqual([])
    expect(await sign(await read())).toBe(200)
    expect((await confirm(school.instructor, id)).statusCode).toBe(200)
  })

  test('needs one student of two to sign for the side', async ({ api, school, confirm }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    const id = await bookDual(api, school, { students: [school.student, other] })
    await fly(api, school, id)
    await confirm(school.instructor, id)
    expect((await confirm(other, id)).json().data.status).toBe('signed_off')
  })

  test('takes no briefing at the confirmation, because ramping in sets it', async ({ api, school, confirm }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    expect((await confirm(school.student, id, { briefing: 0.5 })).json().message).toMatch(/^briefing:/)
  })

  test('is signed off when both sides confirm at once', async ({ api, school, confirm }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const answers = await Promise.all([confirm(school.instructor, id), confirm(school.student, id)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await expectOk(api, school.student, 'GET', `/reservations/${id}`)).toMatchObject({ status: 'signed_off' })
  })
})

describe('the sign-off', () => {
  const ids = (...members: Member[]) => members.map(({ orgUserId }) => ({ orgUserId }))

  test('of a solo, a rental and a shared flight needs anyone who is seated', async ({
    api,
    school,
    confirm,
    book,
    lesson,
  }) => {
    const solo = await book(lesson('solo', { students: ids(school.student) }, school.plane))
    await expectOk(api, school.student, 'POST', `/reservations/${solo}/rampOut`, {
      hobbsTimeOut: 1000,
      tachTimeOut: 900,
    })
    await expectOk(api, school.student, 'POST', `/reservations/${solo}/rampIn`, { hobbsTimeIn: 1001, tachTimeIn: 901 })
    expect((await confirm(school.student, solo)).json().data.status).toBe('signed_off')
  })

  test('of a guest flight needs the instructor', async ({ api, school, confirm, book, lesson }) => {
    const guests = [{ name: 'Gil Moss', email: 'gil@example.com' }]
    const id = await book(lesson('guest', { instructors: ids(school.instructor), guests }, school.plane))
    await fly(api, school, id)
    expect((await confirm(school.instructor, id)).json().data.status).toBe('signed_off')
  })

  test('of a rental with an instructor needs both sides', async ({ api, school, confirm, book, lesson }) => {
    const personnel = { instructors: ids(school.instructor), renters: ids(school.renter) }
    const id = await book(lesson('rental', personnel, school.plane))
    await fly(api, school, id)
    expect((await confirm(school.renter, id)).json().data.status).toBe('ramped_in')
    expect((await confirm(school.instructor, id)).json().data.status).toBe('signed_off')
  })

  test('of maintenance is refused to everyone', async ({ school, confirm, book, lesson }) => {
    const id = await book(lesson('maintenance', {}, school.plane))
    expect((await confirm(school.technician, id)).statusCode).toBe(403)
  })
})

describe('a ground lesson (§Reservation lifecycle)', () => {
  test('cannot be confirmed before it starts', async ({ api, school, confirm, ground }) => {
    const id = await ground()
    api.clock.now = new Date('2026-11-23T09:59:59Z')
    expect((await confirm(school.instructor, id)).statusCode).toBe(400)
    api.clock.now = new Date('2026-11-23T10:00:00Z')
    expect((await confirm(school.instructor, id)).statusCode).toBe(200)
  })

  test('lasts the booked time unless the first to confirm gives another', async ({ api, school, confirm, ground }) => {
    api.clock.now = new Date('2026-11-23T12:00:00Z')
    const usual = await ground()
    expect((await confirm(school.instructor, usual)).json().data.briefing).toBe(2)
    expect((await confirm(school.student, usual)).json().data).toMatchObject({ briefing: 2, status: 'signed_off' })
  })

  test('lasts what the first to confirm gives, and the second cannot change it', async ({
    api,
    school,
    confirm,
    ground,
  }) => {
    api.clock.now = new Date('2026-11-23T12:00:00Z')
    const id = await ground()
    expect((await confirm(school.instructor, id, { briefing: 1.3 })).json().data.briefing).toBe(1.3)
    const other = await confirm(school.student, id, { briefing: 1.5 })
    expect([other.statusCode, other.json()]).toMatchObject([409, { code: 'NOT_PENDING' }])
    expect(other.json().message).toMatch(/^The briefing is set already/)
    expect((await confirm(school.student, id, { briefing: 1.3 })).json().data.status).toBe('signed_off')
  })

  test('longer than it was booked by more than an hour asks whether that is right', async ({
    api,
    school,
    confirm,
    ground,
  }) => {
    api.clock.now = new Date('2026-11-23T12:00:00Z')
    const id = await ground()
    const refused = await confirm(school.instructor, id, { briefing: 3.1 })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'METER_ANOMALY'])
    expect(refused.json().details.anomalies).toEqual([
      { meter: 'briefing', kind: 'beyond_booking', out: 0, in: 3.1, hours: 3.1, allowedHours: 3 },
    ])
    const confirmed = await confirm(school.instructor, id, { briefing: 3.1, confirmMeterAnomaly: true })
    expect(confirmed.json().data.briefing).toBe(3.1)
    expect((await confirm(school.student, id, { briefing: 3.1 })).json().data.status).toBe('signed_off')
  })

  test.for([0.55, -1, 25, '1'])('refuses a briefing of %s', async (briefing, { api, school, confirm, ground }) => {
    api.clock.now = new Date('2026-11-23T12:00:00Z')
    expect((await confirm(school.instructor, await ground(), { briefing })).statusCode).toBe(400)
  })
})
