import { describe, expect } from 'vitest'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, fly } from '../../support/flights.ts'

const test = schoolTest()
  .extend(
    'correct',
    ({ api }) =>
      (who: Member, body: object, reservation = id) =>
        api.as(who).post(`/reservations/${reservation}/updateReviewTimes`, body),
  )
  .extend(
    'confirm',
    ({ api }) =>
      (who: Member) =>
        expectOk(api, who, 'POST', `/reservations/${id}/confirmReview`),
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

let id: number

/** Flown from Hobbs 1000.00 and tach 900.00 to 1001.40 and 901.20, booked for 2 hours, without a signature. */
test.beforeEach(async ({ api, school }) => {
  id = await bookDual(api, school)
  await fly(api, school, id)
})

const hobbs = { hobbsTimeOut: 1000, hobbsTimeIn: 1001.5 }

describe('a correction of a flight (§Reservations rule 7)', () => {
  test('changes the figures, and the aircraft’s meters while this flight is what they read', async ({
    school,
    correct,
    plane,
  }) => {
    const answer = await correct(school.student, hobbs)
    expect(answer.statusCode).toBe(200)
    const { data, meter, noChanges } = answer.json()
    expect(data).toMatchObject({ ...hobbs, tachTimeIn: 901.2, status: 'ramped_in' })
    expect(meter).toEqual({ followed: true, aircraftHobbs: 1001.5, aircraftTach: 901.2 })
    expect(noChanges).toBeUndefined()
    expect(await plane()).toEqual({ hobbsTime: 1001.5, tachTime: 901.2 })
  })

  test('moves the aircraft’s meters back as well', async ({ school, correct, plane }) => {
    await correct(school.student, { tachTimeOut: 900, tachTimeIn: 900.8 })
    expect(await plane()).toEqual({ hobbsTime: 1001.4, tachTime: 900.8 })
  })

  test('of an older flight does not move the aircraft’s meters', async ({ api, school, correct, plane }) => {
    const later = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    await fly(api, school, later)
    const answer = await correct(school.student, { hobbsTimeOut: 1000.1, hobbsTimeIn: 1001.3 })
    expect(answer.json().meter).toEqual({ followed: false, aircraftHobbs: 1002.8, aircraftTach: 902.4 })
    expect(await plane()).toEqual({ hobbsTime: 1002.8, tachTime: 902.4 })
  })

  test('that changes nothing writes nothing, whoever has signed', async ({ api, school, correct, confirm }) => {
    await confirm(school.instructor)
    const other = await buildMember(api, school.organizationId, ['dispatcher'])
    const before = await expectOk(api, other, 'GET', `/reservations/${id}`)
    for (const who of [school.student, other]) {
      const answer = await correct(who, { hobbsTimeIn: 1001.4 })
      expect(answer.statusCode).toBe(200)
      expect(answer.json().noChanges).toBe(true)
      expect(answer.json().meter).toEqual({ followed: false, aircraftHobbs: 1001.4, aircraftTach: 901.2 })
    }
    expect(await expectOk(api, other, 'GET', `/reservations/${id}`)).toEqual(before)
  })

  test('clears every signature, so that the crew confirms again', async ({ api, school, correct, confirm }) => {
    await confirm(school.student)
    await confirm(school.instructor)
    const answer = await correct(school.instructor, hobbs)
    expect(answer.json().data).toMatchObject({
      status: 'ramped_in',
      review: { needs: ['instructors', 'students'], confirmations: [], signedOffAt: null },
    })
    await confirm(school.student)
    await confirm(school.instructor)
    expect(await expectOk(api, school.student, 'GET', `/reservations/${id}`)).toMatchObject({ status: 'signed_off' })
  })

  test('is recorded with its author, before and after', async ({ api, school, correct }) => {
    await correct(school.dispatcher, hobbs)
    const event = await api.core.database.db
      .selectFrom('event')
      .selectAll()
      .where('subject_id', '=', id)
      .where('kind', '=', 'reservation.corrected')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      membership_id: school.dispatcher.orgUserId,
      before: { hobbsTimeIn: 100_140 },
      after: { hobbsTimeIn: 100_150 },
    })
  })

  test('of a briefing changes no meter', async ({ api, school, correct }) => {
    const { resource: _, ...body } = dualBody(school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    const { id: ground } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      ...body,
      type: 'ground',
    })
    expect((await correct(school.instructor, { briefing: 1 }, ground)).statusCode).toBe(400)
    api.clock.now = new Date('2026-11-24T12:00:00Z')
    await expectOk(api, school.instructor, 'POST', `/reservations/${ground}/confirmReview`)
    const answer = await correct(school.instructor, { briefing: 1.5 }, ground)
    expect(answer.json()).toMatchObject({
      data: { briefing: 1.5, review: { confirmations: [] } },
      meter: { followed: false, aircraftHobbs: null, aircraftTach: null },
    })
    const long = await correct(school.instructor, { briefing: 3.1 }, ground)
    expect([long.statusCode, long.json().code]).toEqual([409, 'METER_ANOMALY'])
    const meant = await correct(school.instructor, { briefing: 3.1, confirmMeterAnomaly: true }, ground)
    expect(meant.json().data.briefing).toBe(3.1)
  })
})

describe('a correction is refused', () => {
  test.for([
    ['nothing to correct', {}, 'There is nothing to correct.'],
    ['only nulls', { hobbsTimeIn: null }, 'There is nothing to correct.'],
    ['one half of a meter', { hobbsTimeIn: 1001.5 }, 'hobbsTimeIn: send hobbsTimeOut with it'],
    ['a figure that it does not hold', { briefing: 0.5 }, 'briefing: this booking has no such figure'],
    [
      'a reading that runs backwards',
      { tachTimeOut: 902, tachTimeIn: 901.2 },
      'tachTimeIn: 901.20 is below the reading out, 902.00',
    ],
  ] as const)('when its body has an error: %s', async ([_, body, message], { school, correct }) => {
    const refused = await correct(school.student, body)
    expect([refused.statusCode, refused.json().message]).toEqual([400, message])
  })

  test('when the booking is not ramped in or is cancelled', async ({ api, school, correct }) => {
    const early = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    expect((await correct(school.student, hobbs, early)).json().message).toBe('There is nothing to correct yet.')
    await api.core.database.db
      .updateTable('reservation')
      .set({ live: false, cancelled_at: api.clock.now })
      .where('id', '=', early)
      .execute()
    expect((await correct(school.student, hobbs, early)).json().message).toBe('The booking is cancelled.')
  })

  test('for an instructor who is not on the booking', async ({ api, school, correct }) => {
    const stranger = await buildMember(api, school.organizationId, ['instructor', 'student'])
    expect((await correct(stranger, hobbs)).statusCode).toBe(403)
  })

  test('for a student who would clear somebody else’s signature, not their own', async ({
    school,
    correct,
    confirm,
  }) => {
    await confirm(school.student)
    expect((await correct(school.student, hobbs)).statusCode).toBe(200)
    await confirm(school.instructor)
    const refused = await correct(school.student, { ...hobbs, hobbsTimeIn: 1001.6 })
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringMatching(/^Somebody else has signed/),
    ])
    for (const who of [school.admin, school.dispatcher, school.instructor]) {
      await confirm(school.student)
      const hobbsTimeIn = 1001.7 + who.orgUserId / 100
      expect((await correct(who, { hobbsTimeOut: 1000, hobbsTimeIn: Number(hobbsTimeIn.toFixed(2)) })).statusCode).toBe(
        200,
      )
    }
  })

  test('for a reading that looks like a typo, until it is confirmed', async ({ school, correct }) => {
    const body = { tachTimeOut: 900, tachTimeIn: 906 }
    const refused = await correct(school.student, body)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'METER_ANOMALY'])
    expect(refused.json().details.anomalies).toEqual([
      { meter: 'tach', kind: 'beyond_booking', out: 900, in: 906, hours: 6, allowedHours: 5 },
    ])
    expect((await correct(school.student, { ...body, confirmMeterAnomaly: true })).statusCode).toBe(200)
  })

  test('for a billed flight, unless it changes nothing', async ({ api, school, correct }) => {
    const billed = await closedOutFlight(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    const { statusCode } = await api.as(school.admin).post(`/reservations/${billed}/invoices`)
    expect(statusCode).toBe(200)
    const body = { hobbsTimeOut: 1001.4, hobbsTimeIn: 1002.9 }
    const refused = await correct(school.admin, body, billed)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'RESERVATION_BILLED'])
    expect((await correct(school.admin, { hobbsTimeIn: 1002.8 }, billed)).json().noChanges).toBe(true)
  })
})

describe('an inspection that a correction would reach (§Reservations rule 7)', () => {
  test.beforeEach(async ({ api, school }) => {
    await expectOk(api, school.technician, 'POST', '/maintenance/reminders', {
      resource: { id: school.plane.id },
      name: '100-hour',
      basis: 'tach',
      intervalHours: 100,
      dueReading: 902,
      grounding: true,
    })
  })
  const body = { tachTimeOut: 900, tachTimeIn: 902 }

  test('is reported before it grounds the aircraft', async ({ api, school, correct }) => {
    const refused = await correct(school.student, body)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'MAINTENANCE_TRIGGER'])
    expect(refused.json().details.reminders).toMatchObject([
      { name: '100-hour', basis: 'tach', dueReading: 902, reading: 902 },
    ])
    expect(await expectOk(api, school.student, 'GET', `/resources/${school.plane.id}`)).toMatchObject({
      grounded: false,
    })
    const confirmed = await correct(school.student, { ...body, confirmMaintenanceTrigger: true })
    expect(confirmed.json().meter).toMatchObject({ followed: true, aircraftTach: 902 })
    expect(await expectOk(api, school.student, 'GET', `/resources/${school.plane.id}`)).toMatchObject({
      grounded: true,
      groundedBy: 'system',
    })
    const backAgain = await correct(school.student, { tachTimeOut: 900, tachTimeIn: 901 })
    expect(backAgain.statusCode).toBe(200)
    expect(await expectOk(api, school.student, 'GET', `/resources/${school.plane.id}`)).toMatchObject({
      grounded: false,
    })
  })

  test('is not reported when the aircraft’s meters do not follow', async ({ api, school, correct }) => {
    await api.core.database.db
      .updateTable('resource')
      .set({ tach_hundredths: hundredths(90_150) })
      .where('id', '=', school.plane.id)
      .execute()
    const answer = await correct(school.student, body)
    expect(answer.json().meter).toMatchObject({ followed: false, aircraftTach: 901.5 })
  })
})
