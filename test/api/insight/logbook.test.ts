import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../support/flights.ts'
import { countStatements } from '../../support/statements.ts'

interface Entry extends Record<string, unknown> {
  type: string
  totalDeciHours: number | null
}

const test = schoolTest()
  .extend('logbook', ({ api }) => async (who: Member, orgUserId = who.orgUserId, query = '') => {
    const answer = await api.as(who).get(`/orgUsers/${orgUserId}/logbook?${query}`)
    return answer.json() as { data: Entry[]; totals: Record<string, unknown>[] }
  })
  /** Books, ramps out and in by 1.4 hours. Answers the id. */
  .extend('flown', ({ api, school }) => async (day: string, body: object): Promise<number> => {
    const times = { start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z`, timeZoneName: 'UTC' }
    const resource = { id: school.plane.id }
    const made = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      title: 'Flight',
      resource,
      ...times,
      ...body,
    })
    return made.id
  })

const seats = (side: string, who: Member) => ({ [side]: [{ orgUserId: who.orgUserId }] })

describe('a flight that nobody logged', () => {
  test('counts as training for the only student, and as instruction for the instructor', async ({
    api,
    school,
    logbook,
  }) => {
    await fly(api, school, await bookDual(api, school))
    expect((await logbook(school.student)).data).toMatchObject([
      {
        type: 'dual',
        logged: false,
        totalDeciHours: 14,
        day: 14,
        dualReceived: 14,
        pic: 0,
        instruction: 0,
        dayLandings: 0,
      },
    ])
    expect((await logbook(school.instructor)).data).toMatchObject([
      { totalDeciHours: 14, instruction: 14, pic: 0, dualReceived: 0 },
    ])
  })

  test('counts as training for neither of two students', async ({ api, school, logbook }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    await fly(api, school, await bookDual(api, school, { students: [school.student, other] }))
    expect((await logbook(other)).data).toMatchObject([{ totalDeciHours: 14, dualReceived: 0 }])
  })

  test.for([
    ['solo', 'students', { pic: 14, solo: 14 }],
    ['rental', 'renters', { pic: 14, solo: 0 }],
  ] as const)(
    'counts as pilot in command for who flew a %s alone',
    async ([type, side, figures], { api, school, logbook, flown }) => {
      const who = type === 'solo' ? school.student : school.renter
      const id = await flown('2026-11-23', { type, personnel: seats(side, who) })
      const url = `/reservations/${id}`
      await expectOk(api, who, 'POST', `${url}/rampOut`, { hobbsTimeOut: 1000, tachTimeOut: 900 })
      await expectOk(api, who, 'POST', `${url}/rampIn`, { hobbsTimeIn: 1001.4, tachTimeIn: 901.2 })
      expect((await logbook(who)).data).toMatchObject([{ type, totalDeciHours: 14, dualReceived: 0, ...figures }])
    },
  )
})

describe('a logbook (14 CFR 61.51(b))', () => {
  test('has what was logged, with sums over all that the dates select', async ({ api, school, logbook }) => {
    const { student } = school
    for (const day of ['2026-11-23', '2026-11-24', '2026-11-25']) {
      const id = await bookDual(api, school, { start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z` })
      await fly(api, school, id)
      const approaches = [
        { kind: 'ILS 28R', count: 2, airport: 'KOAK' },
        { kind: 'VOR-A', count: 1 },
      ]
      const row = {
        orgUserId: student.orgUserId,
        dualReceived: 14,
        night: 4,
        nightLandings: 1,
        simulatedInstrument: 6,
        approaches,
      }
      await expectOk(api, student, 'PUT', `/reservations/${id}/log`, { rows: [row] })
    }
    const { data, totals } = await logbook(student, student.orgUserId, 'startDate=2026-11-24&limit=1')
    expect(data).toMatchObject([
      { date: '2026-11-25', logged: true, day: 10, night: 4, approachCount: 3, totalDeciHours: 14 },
    ])
    expect(totals).toMatchObject([
      {
        category: 'airplane',
        totalDeciHours: 28,
        dualReceived: 28,
        day: 20,
        night: 8,
        nightLandings: 2,
        simulatedInstrument: 12,
        approachCount: 6,
      },
    ])
  })

  test('counts a figure at most as the flight, whose meters were corrected since', async ({ api, school, logbook }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const rows = [{ orgUserId: school.student.orgUserId, dualReceived: 14 }]
    await expectOk(api, school.student, 'PUT', `/reservations/${id}/log`, { rows })
    const { hobbsTimeOut = 0 } = await expectOk<Record<string, number>>(
      api,
      school.student,
      'GET',
      `/reservations/${id}`,
    )
    const readings = { hobbsTimeOut, hobbsTimeIn: hobbsTimeOut + 1 }
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/updateReviewTimes`, readings)
    expect((await logbook(school.student)).data).toMatchObject([{ totalDeciHours: 10, dualReceived: 10 }])
  })

  test('gives simulator time and no total for a session in a device', async ({ api, school, logbook }) => {
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      title: 'Holds',
      type: 'sim',
      start: '2026-11-23T10:00:00Z',
      end: '2026-11-23T11:30:00Z',
      timeZoneName: 'UTC',
      personnel: seats('students', school.student),
    })
    api.clock.now = new Date('2026-11-23T12:00:00Z')
    await expectOk(api, school.student, 'POST', `/reservations/${id}/confirmReview`)
    const { data, totals } = await logbook(school.student)
    expect(data).toMatchObject([{ type: 'sim', totalDeciHours: null, simulator: 15, day: 0, groundReceived: 0 }])
    expect(totals).toMatchObject([{ totalDeciHours: 0, simulator: 15, make: null }])
  })

  test('is a file with hours that have a point', async ({ api, school }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const approaches = [{ kind: 'ILS 28R', count: 2, airport: 'KOAK' }]
    const rows = [{ orgUserId: school.student.orgUserId, dualReceived: 14, actualInstrument: 3, approaches }]
    await expectOk(api, school.student, 'PUT', `/reservations/${id}/log`, { rows })
    const file = await api.as(school.student).get(`/orgUsers/${school.student.orgUserId}/logbook?format=csv`)
    const [head = '', line = ''] = file.body.replace(/^\uFEFF/, '').split('\r\n')
    const cells = Object.fromEntries(head.split(',').map((column, index) => [column, line.split(',')[index]]))
    expect(cells).toMatchObject({
      date: '2026-11-23',
      type: 'dual',
      total: '1.4',
      dualReceived: '1.4',
      actualInstrument: '0.3',
      day: '1.4',
      approaches: '2 ILS 28R KOAK',
      approachCount: '2',
    })
  })

  test('is read with as many statements for one flight as for many', async ({ api, school, logbook }) => {
    const { statements } = await countStatements(api, () => logbook(school.student))
    expect(statements.filter((text) => /flight_log/.test(text))).toHaveLength(2)
  })
})
