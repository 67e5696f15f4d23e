import { describe, expect } from 'vitest'
import { buildSimulator, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../support/flights.ts'

const test = schoolTest()
  .extend(
    'ramp',
    ({ api }) =>
      (who: Member, way: 'rampOut' | 'rampIn', body: object, reservation = id) =>
        api.as(who).post(`/reservations/${reservation}/${way}`, body),
  )
  .extend('plane', ({ api, school }) => async () => {
    const { hobbsTime, tachTime } = await expectOk<{ hobbsTime: number; tachTime: number }>(
      api,
      school.student,
      'GET',
      `/resources/${school.plane.id}`,
    )
    return { hobbsTime, tachTime }
  })
  /** Further bookings of the school's plane, one a day. */
  .extend('bookDays', ({ api, school }) => (count: number): Promise<number[]> => {
    const days = Array.from({ length: count }, (_, index) => `2026-12-${String(index + 1).padStart(2, '0')}`)
    return Promise.all(days.map((day) => bookDual(api, school, { start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z` })))
  })

let id: number

/** A dual from 10 to 12 on a plane that reads Hobbs 1000.00 and tach 900.00. */
test.beforeEach(async ({ api, school }) => {
  id = await bookDual(api, school)
})

const out = { hobbsTimeOut: 1000, tachTimeOut: 900 }
const back = { hobbsTimeIn: 1001.4, tachTimeIn: 901.2, confirmMeterAnomaly: true }

describe('ramping out (§Reservation lifecycle, trigger rampOut)', () => {
  test('stores the readings', async ({ api, school, ramp, plane }) => {
    const answer = await ramp(school.student, 'rampOut', out)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      status: 'ramped_out',
      ...out,
      hobbsTimeIn: null,
      tachTimeIn: null,
      rampedOutAt: api.clock.now.toISOString(),
    })
    expect(await plane()).toEqual({ hobbsTime: 1000, tachTime: 900 })
  })

  test('is refused the second time', async ({ school, ramp }) => {
    await ramp(school.student, 'rampOut', out)
    const again = await ramp(school.instructor, 'rampOut', out)
    expect([again.statusCode, again.json().message]).toEqual([400, 'The booking is ramped out already.'])
  })

  test.for([
    ['no tach for an aircraft', { hobbsTimeOut: 1000 }, 'tachTimeOut'],
    ['no Hobbs', { tachTimeOut: 900 }, 'hobbsTimeOut'],
    ['three decimals', { ...out, hobbsTimeOut: 1000.123 }, 'hobbsTimeOut'],
    ['a negative reading', { ...out, tachTimeOut: -1 }, 'tachTimeOut'],
    ['a reading that no meter shows', { ...out, hobbsTimeOut: 1_000_000 }, 'hobbsTimeOut'],
    ['text', { ...out, hobbsTimeOut: '1000' }, 'hobbsTimeOut'],
  ] as const)('is refused with %s', async ([_, body, field], { school, ramp }) => {
    const refused = await ramp(school.student, 'rampOut', body)
    expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, field])
  })

  test('is refused for a cancelled booking', async ({ api, school, ramp }) => {
    await api.core.database.db
      .updateTable('reservation')
      .set({ live: false, cancelled_at: api.clock.now })
      .where('id', '=', id)
      .execute()
    const refused = await ramp(school.student, 'rampOut', out)
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'The booking is cancelled.'])
  })

  test('is refused without an aircraft and for maintenance, which have no meters', async ({ api, school, ramp }) => {
    const { resource: _, ...lesson } = dualBody(school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T11:00:00Z' })
    const ground = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      ...lesson,
      type: 'ground',
    })
    expect((await ramp(school.student, 'rampOut', out, ground.id)).json().message).toMatch(/^resource:/)
  })

  test('ignores the tach of a simulator, which has none', async ({ api, school, ramp }) => {
    const { id: simulator } = await buildSimulator(api, school)
    const body = {
      ...dualBody(school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T11:00:00Z' }),
      type: 'sim',
      resource: { id: simulator },
    }
    const sim = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
    const left = await ramp(school.student, 'rampOut', { hobbsTimeOut: 500, tachTimeOut: 77 }, sim.id)
    expect(left.json().data).toMatchObject({ hobbsTimeOut: 500, tachTimeOut: null })
    const returned = await ramp(school.student, 'rampIn', { hobbsTimeIn: 500.9, tachTimeIn: 78 }, sim.id)
    expect(returned.json().data).toMatchObject({ hobbsTimeIn: 500.9, tachTimeIn: null, status: 'ramped_in' })
  })
})

describe('an aircraft that is ramped out', () => {
  test('cannot leave on another booking until it is back', async ({ school, ramp, bookDays }) => {
    const [next = 0] = await bookDays(1)
    await ramp(school.student, 'rampOut', out)
    const refused = await ramp(school.student, 'rampOut', out, next)
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'RESOURCE_OUT'])
    expect(refused.json().details).toEqual({ reservationId: id })
    await ramp(school.student, 'rampIn', back)
    expect((await ramp(school.student, 'rampOut', out, next)).statusCode).toBe(200)
  })

  test('leaves on one of ten bookings that ramp out at once, and the others are told which', async ({
    school,
    ramp,
    bookDays,
  }) => {
    const bookings = await bookDays(10)
    const answers = await Promise.all(bookings.map((booking) => ramp(school.student, 'rampOut', out, booking)))
    const won = answers.filter(({ statusCode }) => statusCode === 200)
    expect(won).toHaveLength(1)
    const told = answers.filter((answer) => answer !== won[0]).map((answer) => [answer.statusCode, answer.json()])
    const refusal = { code: 'RESOURCE_OUT', details: { reservationId: won[0]?.json().data.id } }
    for (const one of told) expect(one).toMatchObject([400, refusal])
  })

  test('is out on one booking even when somebody writes past the rules', async ({ api, school, ramp, bookDays }) => {
    const [next = 0] = await bookDays(1)
    await ramp(school.student, 'rampOut', out)
    const write = api.core.database.pool.query(
      'update reservation set ramped_out_at = now(), hobbs_out = 1, tach_out = 1 where id = $1',
      [next],
    )
    await expect(write).rejects.toThrow('reservation_resource_out')
  })
})

describe('ramping in (§Reservation lifecycle, trigger rampIn)', () => {
  test('is allowed to the desk too once the end is more than 12 hours past', async ({ api, school, ramp }) => {
    await ramp(school.student, 'rampOut', out)
    const { now } = api.clock
    try {
      // The booking ends on November 23 at noon.
      api.clock.now = new Date('2026-11-24T00:00:00.000Z')
      expect((await ramp(school.dispatcher, 'rampIn', back)).json().message).toBe('You are not on this booking.')
      api.clock.now = new Date('2026-11-24T00:00:00.001Z')
      for (const who of [school.renter, school.technician]) {
        expect((await ramp(who, 'rampIn', back)).json().message).toBe('You are not on this booking.')
      }
      expect((await ramp(school.dispatcher, 'rampIn', back)).statusCode).toBe(200)
    } finally {
      api.clock.now = now
    }
  })

  test('stores the readings and advances the aircraft’s own meters', async ({ api, school, ramp, plane }) => {
    await ramp(school.student, 'rampOut', out)
    const long = await ramp(school.instructor, 'rampIn', { ...back, briefing: 3.1, confirmMeterAnomaly: false })
    expect([long.statusCode, long.json().code]).toEqual([409, 'METER_ANOMALY'])
    const answer = await ramp(school.instructor, 'rampIn', { ...back, briefing: 0.5 })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      status: 'ramped_in',
      hobbsTimeIn: 1001.4,
      tachTimeIn: 901.2,
      briefing: 0.5,
      rampedInAt: api.clock.now.toISOString(),
      review: { needs: ['instructors', 'students'], confirmations: [], signedOffAt: null },
    })
    expect(await plane()).toEqual({ hobbsTime: 1001.4, tachTime: 901.2 })
  })

  test('never moves the aircraft’s meters back', async ({ school, ramp, plane }) => {
    await ramp(school.student, 'rampOut', { hobbsTimeOut: 990, tachTimeOut: 890 })
    await ramp(school.student, 'rampIn', { hobbsTimeIn: 991, tachTimeIn: 891 })
    expect(await plane()).toEqual({ hobbsTime: 1000, tachTime: 900 })
  })

  test('is refused before ramping out and the second time', async ({ school, ramp }) => {
    expect((await ramp(school.student, 'rampIn', back)).json().message).toBe('The booking is not ramped out.')
    await ramp(school.student, 'rampOut', out)
    await ramp(school.student, 'rampIn', back)
    const again = await ramp(school.student, 'rampIn', back)
    expect([again.statusCode, again.json().message]).toEqual([400, 'The booking is ramped in already.'])
  })

  test('refuses a reading that runs backwards, also when the anomaly is confirmed', async ({ school, ramp }) => {
    await ramp(school.student, 'rampOut', out)
    const refused = await ramp(school.student, 'rampIn', { ...back, hobbsTimeIn: 999.9, tachTimeIn: 899 })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().details.problems.map(({ field }: { field: string }) => field)).toEqual([
      'hobbsTimeIn',
      'tachTimeIn',
    ])
  })

  test('refuses a reading that looks like a typo until it is confirmed', async ({ school, ramp, plane }) => {
    await ramp(school.student, 'rampOut', out)
    // Booked for 2 hours: 5 are allowed.
    const body = { hobbsTimeIn: 10_014, tachTimeIn: 901.2 }
    const refused = await ramp(school.student, 'rampIn', body)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'METER_ANOMALY'])
    const anomaly = { meter: 'hobbs', out: 1000, in: 10_014, hours: 9014, allowedHours: 5 }
    expect(refused.json().details.anomalies).toEqual([
      { ...anomaly, kind: 'extra_digits' },
      { ...anomaly, kind: 'beyond_booking' },
    ])
    expect(await plane()).toEqual({ hobbsTime: 1000, tachTime: 900 })
    expect((await ramp(school.student, 'rampIn', { ...body, confirmMeterAnomaly: true })).statusCode).toBe(200)
  })

  test('needs the tach of an aircraft', async ({ school, ramp }) => {
    await ramp(school.student, 'rampOut', out)
    expect((await ramp(school.student, 'rampIn', { hobbsTimeIn: 1001 })).json().message).toMatch(/^tachTimeIn:/)
  })

  test('grounds the aircraft when the meters reach an inspection', async ({ api, school, ramp }) => {
    await expectOk(api, school.technician, 'POST', '/maintenance/reminders', {
      resource: { id: school.plane.id },
      name: '100-hour',
      basis: 'tach',
      intervalHours: 100,
      dueReading: 901,
      grounding: true,
    })
    await ramp(school.student, 'rampOut', out)
    expect((await ramp(school.student, 'rampIn', back)).statusCode).toBe(200)
    expect(await expectOk(api, school.student, 'GET', `/resources/${school.plane.id}`)).toMatchObject({
      grounded: true,
      groundedBy: 'system',
    })
  })

  test('twice at once stores one and answers the other that it was ramped in', async ({ school, ramp }) => {
    await ramp(school.student, 'rampOut', out)
    const answers = await Promise.all([ramp(school.student, 'rampIn', back), ramp(school.instructor, 'rampIn', back)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
  })
})
