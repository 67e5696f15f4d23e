import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, fly, setRates } from '../../support/flights.ts'
import { countStatements } from '../../support/statements.ts'
import { insertEndorsement } from '../../support/training.ts'

const test = schoolTest()
  .extend(
    'log',
    ({ api }) =>
      (who: Member, rows: object[], more: object = {}, reservation = id) =>
        api.as(who).put(`/reservations/${reservation}/log`, { rows, ...more }),
  )
  .extend(
    'stored',
    ({ api, school }) =>
      async (who: Member = school.dispatcher) =>
        await expectOk<{ rows: Record<string, unknown>[]; problems: object[]; warnings: object[] }>(
          api,
          who,
          'GET',
          `/reservations/${id}/log`,
        ),
  )

let id: number
/** A dual of 1.4 hours that is back. */
test.beforeEach(async ({ api, school }) => {
  id = await bookDual(api, school)
  await fly(api, school, id)
})

describe('the log of a flight (§Flight log)', () => {
  test('holds a row a person, which another of the same person replaces', async ({ school, log, stored }) => {
    const sam = { orgUserId: school.student.orgUserId, dualReceived: 14, dayLandings: 3, dayFullStops: 1 }
    const first = await log(school.instructor, [
      sam,
      { orgUserId: school.instructor.orgUserId, instruction: 14, pic: 14 },
    ])
    expect(first.statusCode).toBe(200)
    const approaches = [{ kind: 'ILS 28R', count: 2, airport: 'KOAK' }]
    const again = await log(school.student, [{ ...sam, simulatedInstrument: 5, approaches, route: 'KHWD KOAK KHWD' }])
    expect(again.json().data).toMatchObject({ problems: [], warnings: [] })
    expect((await stored()).rows).toMatchObject([
      {
        ...sam,
        name: school.student.name,
        pic: 0,
        simulatedInstrument: 5,
        approaches,
        route: 'KHWD KOAK KHWD',
        remarks: null,
        writtenBy: { orgUserId: school.student.orgUserId },
      },
      {
        orgUserId: school.instructor.orgUserId,
        instruction: 14,
        writtenBy: { orgUserId: school.instructor.orgUserId },
      },
    ])
  })

  test('is written by those aboard for themselves, by its instructor and the desk for all', async ({
    api,
    school,
    log,
  }) => {
    const [mine, yours] = [{ orgUserId: school.student.orgUserId }, { orgUserId: school.instructor.orgUserId }]
    expect((await log(school.student, [mine])).statusCode).toBe(200)
    expect((await log(school.student, [mine, yours])).statusCode).toBe(403)
    expect((await log(school.dispatcher, [mine, yours])).statusCode).toBe(200)
    const other = await buildMember(api, school.organizationId, ['instructor'])
    expect((await log(other, [mine])).statusCode).toBe(403)
    expect((await api.as(other).get(`/reservations/${id}/log`)).statusCode).toBe(200)
  })

  test('names every contradiction with its row, and writes none of it', async ({ school, log, stored }) => {
    const answer = await log(school.instructor, [
      { orgUserId: school.instructor.orgUserId, instruction: 14 },
      { orgUserId: school.student.orgUserId, dualReceived: 15, nightLandings: 1 },
      { orgUserId: school.renter.orgUserId },
      { orgUserId: school.instructor.orgUserId },
    ])
    expect(answer.statusCode).toBe(400)
    expect(answer.json().details.problems.map(({ field }: { field: string }) => field)).toEqual([
      'rows.1.dualReceived',
      'rows.1.nightLandings',
      'rows.2.orgUserId',
      'rows.3.orgUserId',
    ])
    expect((await stored()).rows).toEqual([])
  })

  test('keeps pilot-in-command time in training, with a warning unless staff verified that the person is rated in the aircraft', async ({
    api,
    school,
    log,
    stored,
  }) => {
    const answer = await log(school.student, [{ orgUserId: school.student.orgUserId, dualReceived: 14, pic: 12 }])
    expect(answer.json().data.warnings).toMatchObject([{ orgUserId: school.student.orgUserId, field: 'pic' }])
    const pilotCertificate = { grade: 'private', number: '3141592', ratings: ['airplane_multi_engine_land'] }
    const profile = `/orgUsers/${school.student.orgUserId}/profile`
    await expectOk(api, school.admin, 'PATCH', profile, { pilotCertificate })
    expect((await stored()).warnings).toMatchObject([{ field: 'pic' }])
    pilotCertificate.ratings.push('airplane_single_engine_land')
    await expectOk(api, school.student, 'PATCH', profile, { pilotCertificate })
    expect((await stored()).warnings).toMatchObject([{ field: 'pic' }])
    await expectOk(api, school.admin, 'PATCH', profile, { verify: ['pilotCertificate'] })
    expect((await stored()).warnings).toEqual([])
    for (const [ratings, fields] of [
      [['ASEL'], []],
      [['Airplane single-engine land'], []],
      [['AMEL', 'IR-A'], ['pic']],
    ]) {
      await expectOk(api, school.admin, 'PATCH', profile, { pilotCertificate: { ratings } })
      expect((await stored()).warnings, String(ratings)).toMatchObject(fields!.map((field) => ({ field })))
    }
  })

  test('keeps night takeoffs and full stops that the sun contradicts, with a warning, where the location has coordinates', async ({
    api,
    school,
    log,
    stored,
  }) => {
    const location = `/locations/${school.location.id}` as const
    // The flight was out at noon UTC: by day in the gulf of Guinea, three hours before sunrise at Hayward.
    const night = { night: 10, nightTakeoffs: 3, nightLandings: 3, nightFullStops: 3, dualReceived: 14 }
    const answer = await log(school.student, [{ orgUserId: school.student.orgUserId, ...night }])
    expect(answer.json().data.warnings).toEqual([])
    const coordinates = { latitude: 0, longitude: 0 }
    expect(await expectOk(api, school.admin, 'PATCH', location, { coordinates })).toMatchObject({ coordinates })
    expect((await stored()).warnings).toMatchObject([
      {
        orgUserId: school.student.orgUserId,
        field: 'nightTakeoffs',
        message: expect.stringContaining('one hour after sunset and one hour before sunrise'),
      },
      { field: 'nightFullStops' },
    ])
    await expectOk(api, school.admin, 'PATCH', location, { coordinates: { latitude: 37.659, longitude: -122.122 } })
    expect((await stored()).warnings).toEqual([])
    expect(await expectOk(api, school.admin, 'PATCH', location, { coordinates: null })).toMatchObject({
      coordinates: null,
    })
  })

  test('keeps a solo to another airport that the student was not endorsed for, with a warning', async ({
    api,
    school,
    log,
  }) => {
    const { orgUserId } = school.student
    const extra = { type: 'solo', personnel: { students: [{ orgUserId }] } }
    const body = dualBody(school, { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z', extra })
    const solo = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
    await fly(api, school, solo.id, school.student)
    const answer = await log(school.student, [{ orgUserId, solo: 14, crossCountry: 14 }], {}, solo.id)
    const missing =
      'this student lacked the endorsement for a solo flight to another airport: A.8, or A.9 with A.10 or A.11'
    expect(answer.json().data.warnings).toEqual([
      { orgUserId, field: 'crossCountry', message: `crossCountry: ${missing}` },
    ])
    const signed = (hours: number) => new Date(api.clock.now.getTime() + hours * 3_600_000)
    const read = () => expectOk<{ warnings: object[] }>(api, school.student, 'GET', `/reservations/${solo.id}/log`)
    await insertEndorsement(api, school, { templateCode: 'A.8', signedAt: signed(1) })
    expect((await read()).warnings).toHaveLength(1)
    await insertEndorsement(api, school, { templateCode: 'A.8', signedAt: signed(-1) })
    expect((await read()).warnings).toEqual([])
  })

  test('answers what a correction of the meters contradicts', async ({ api, school, log, stored }) => {
    await log(school.student, [{ orgUserId: school.student.orgUserId, dualReceived: 14, night: 4 }])
    const flight = await expectOk<Record<string, number>>(api, school.instructor, 'GET', `/reservations/${id}`)
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/updateReviewTimes`, {
      hobbsTimeOut: flight.hobbsTimeOut,
      hobbsTimeIn: (flight.hobbsTimeOut ?? 0) + 1,
    })
    expect((await stored()).problems).toEqual([
      {
        orgUserId: school.student.orgUserId,
        field: 'dualReceived',
        message: 'dualReceived: is more than the 1.0 hours of the flight',
      },
    ])
  })

  test('is in the history with what it was, and once for what is written once', async ({ api, school, log }) => {
    const row = { orgUserId: school.student.orgUserId, dualReceived: 14, remarks: 'Nervous before stalls' }
    for (const rows of [[row], [row], [{ ...row, night: 2 }]]) await log(school.student, rows)
    const history = await expectOk<{ action: string }[]>(api, school.dispatcher, 'GET', `/reservations/${id}/history`)
    const mine = { orgUserId: school.student.orgUserId, dualReceived: 14 }
    expect(history.filter(({ action }) => action === 'logged')).toMatchObject([
      { before: { rows: [] }, after: { rows: [mine] } },
      { before: { rows: [mine] }, after: { rows: [{ ...mine, night: 2 }] } },
    ])
    expect(JSON.stringify(history)).not.toContain('Nervous')
  })

  test('is one row a person, whoever writes at the same time', async ({ api, school, log }) => {
    const row = (night: number) => [{ orgUserId: school.student.orgUserId, dualReceived: 14, night }]
    const writers = [school.student, school.instructor, school.dispatcher, school.admin]
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => log(writers[n % 4]!, row(n + 1))))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200))
    const rows = await api.core.database.db
      .selectFrom('flight_log')
      .selectAll()
      .where('reservation_id', '=', id)
      .execute()
    expect(rows).toHaveLength(1)
    const events = await api.core.database.db
      .selectFrom('event')
      .select(['before', 'after'])
      .where('kind', '=', 'reservation.logged')
      .where('subject_id', '=', id)
      .orderBy('sequence')
      .execute()
    expect(events).toHaveLength(12)
    for (const [index, { before }] of events.slice(1).entries()) expect(before).toEqual(events[index]?.after)
    expect(events.at(-1)?.after).toMatchObject({ rows: [{ night: rows[0]?.night_tenths }] })
  })

  test('does not exist before ramp-in, nor on the ground', async ({ api, school, log }) => {
    const mine = [{ orgUserId: school.student.orgUserId }]
    const booked = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    expect((await log(school.student, mine, {}, booked)).statusCode).toBe(400)
    const { resource: _, ...body } = dualBody(school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' })
    const ground = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      ...body,
      type: 'ground',
    })
    expect((await log(school.student, mine, {}, ground.id)).json().message).toBe(
      'This booking has no flight log: nothing is flown on it.',
    )
  })

  test('is read with the booking and its rows, and written with one statement a row', async ({ api, school, log }) => {
    const rows = [
      { orgUserId: school.student.orgUserId, dualReceived: 14 },
      { orgUserId: school.instructor.orgUserId, instruction: 14 },
    ]
    const { statements } = await countStatements(api, () => log(school.instructor, rows))
    const inside = statements.slice(statements.indexOf('begin') + 1, statements.indexOf('commit'))
    expect(inside.filter((text) => /^\s*(select|with page)/i.test(text))).toHaveLength(3)
    expect(inside.filter((text) => /insert into "flight_log"/i.test(text))).toHaveLength(2)
  })
})

describe('the log of an invoiced flight', () => {
  test('closes 7 days after ramp-in, and admins correct it with a reason', async ({ api, school, log }) => {
    await setRates(api, school)
    const flown = await closedOutFlight(api, school, { start: '2026-11-26T10:00:00Z', end: '2026-11-26T12:00:00Z' })
    await api.as(school.admin).post(`/reservations/${flown}/invoices`)
    const mine = [{ orgUserId: school.student.orgUserId, dualReceived: 14 }]
    expect((await log(school.student, mine, {}, flown)).statusCode).toBe(200)
    api.clock.now = new Date(api.clock.now.getTime() + 8 * 86_400_000)
    const late = [{ orgUserId: school.student.orgUserId, dualReceived: 13 }]
    const closed = await log(school.dispatcher, late, { reason: 'Misread' }, flown)
    expect([closed.statusCode, closed.json().code]).toEqual([409, 'LOG_CLOSED'])
    expect((await log(school.admin, late, {}, flown)).statusCode).toBe(400)
    expect((await log(school.admin, late, { reason: 'Misread' }, flown)).statusCode).toBe(200)
  })
})
