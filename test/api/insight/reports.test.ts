import { describe, expect } from 'vitest'
import { takePlace } from '../../../src/api/insight/reports/report-places.ts'
import { countReceivables } from '../../../src/shared/insight/reports/money.queries.ts'
import { readRows } from '../../../src/shared/platform/db/read-rows.ts'
import {
  buildMember,
  buildPlane,
  buildSchool,
  buildSimulator,
  type Member,
  type School,
} from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBooking, buildGuest } from '../../support/records.ts'
import { buildBill, buildFlight } from '../../support/reports.ts'
import { countStatements } from '../../support/statements.ts'

const test = apiTest()
  .extend('get', ({ api }) => (url: string, who: Pick<Member, 'token'> = school.admin) => {
    return api.call('GET', `/reports/${url}`, { token: who.token })
  })
  .extend('rowsOf', ({ api }) => (url: string, who: Pick<Member, 'token'> = school.admin): Promise<Row[]> => {
    return expectOk<Row[]>(api, who, 'GET', `/reports/${url}`)
  })
  .extend(
    'seen',
    ({ rowsOf }) =>
      async (url: string, who: Member) =>
        (await rowsOf(url, who)).map((row) => row['revenueCents' in row ? 'revenueCents' : 'totalCents']),
  )

let school: School

test.beforeEach(async ({ api }) => {
  school = await buildSchool(api, { settings: { flyingDayStartMinute: 480, flyingDayEndMinute: 1200 } })
})

const november = 'startDate=2026-11-01&endDate=2026-11-30'
const at = (text: string) => new Date(`2026-${text}Z`)
type Row = Record<string, string | number | boolean | null>

describe('figures', () => {
  test('utilization adds up the meters, payments and booked minutes of each resource in the window', async ({
    api,
    rowsOf,
  }) => {
    const { instructor, student, plane } = school
    const idle = await buildPlane(api, school, { name: 'A idle' })
    const first = await buildFlight(api, school, {
      endedAt: at('11-03T12:00'),
      instructor,
      student,
      hobbs: 125,
      tach: 110,
    })
    await buildFlight(api, school, { endedAt: at('11-04T12:00'), hobbs: 125, tach: 100 })
    await buildFlight(api, school, { endedAt: at('10-31T12:00'), hobbs: 900 })
    const lines = [
      { kind: 'aircraft', amountCents: 22_500 },
      { kind: 'flight_instruction', amountCents: 7_500 },
    ]
    await buildBill(api, school, { payer: student, flight: first, lines, paidAt: at('11-20T00:00') })
    const rows = await rowsOf(`utilization?${november}`)
    expect(rows).toEqual([
      {
        resourceId: idle.id,
        name: 'A idle',
        flights: 0,
        hobbsDeciHours: 0,
        tachDeciHours: 0,
        revenueCents: 0,
        bookedMinutes: 0,
        availableMinutes: 30 * 720,
      },
      {
        resourceId: plane.id,
        name: plane.name,
        flights: 2,
        hobbsDeciHours: 25,
        tachDeciHours: 21,
        revenueCents: 22_500,
        bookedMinutes: 240,
        availableMinutes: 30 * 720,
      },
    ])
  })

  test('a flight that is recorded later belongs to the day on which it was booked to end', async ({ api, rowsOf }) => {
    const flight = await buildFlight(api, school, { endedAt: at('10-20T12:00'), hobbs: 100 })
    const late = { ramped_in_at: at('11-02T09:00') }
    await api.core.database.db.updateTable('reservation').set(late).where('id', '=', flight).execute()
    const flown = async (window: string) => (await rowsOf(`utilization?${window}`))[0]?.flights
    expect([await flown(november), await flown('startDate=2026-10-01&endDate=2026-10-31')]).toEqual([0, 1])
  })

  test('instructors have flight, sim and ground time, distinct students and the paid instruction', async ({
    api,
    rowsOf,
  }) => {
    const { instructor, student } = school
    const simulator = await buildSimulator(api, school)
    const other = await buildMember(api, school.organizationId, ['student'])
    const flight = await buildFlight(api, school, { endedAt: at('11-03T12:00'), instructor, student, hobbs: 140 })
    await buildFlight(api, school, { endedAt: at('11-04T12:00'), instructor, student: other, hobbs: 100, briefing: 5 })
    const sim = { endedAt: at('11-05T12:00'), type: 'sim' as const, resourceId: simulator.id, hobbs: 80 }
    await buildFlight(api, school, { ...sim, instructor, student })
    const ground = { endedAt: at('11-06T12:00'), type: 'ground' as const, resourceId: null, briefing: 20 }
    await buildFlight(api, school, { ...ground, instructor, student })
    const lines = [
      { kind: 'aircraft', amountCents: 25_200 },
      { kind: 'flight_instruction', amountCents: 8_400 },
    ]
    const refunded = { at: at('11-20T00:00'), cents: 16_800 }
    await buildBill(api, school, { payer: student, flight, lines, paidAt: at('11-10T00:00'), refunded })
    expect(await rowsOf(`instructors?${november}`)).toEqual([
      {
        orgUserId: instructor.orgUserId,
        name: instructor.name,
        lessons: 4,
        students: 2,
        flightDeciHours: 24,
        simulatorDeciHours: 8,
        groundDeciHours: 25,
        revenueCents: 4_200,
      },
    ])
  })

  test('students have their lessons, the days since their last flight and their progress against the target', async ({
    api,
    rowsOf,
  }) => {
    const { student, instructor } = school
    await buildFlight(api, school, { endedAt: at('11-18T12:00'), instructor, student, hobbs: 140 })
    const [row] = await rowsOf(`students?${november}`)
    expect(row).toMatchObject({ orgUserId: student.orgUserId, lessons: 1, flightDeciHours: 14, daysSinceLastFlight: 3 })
    expect(row).toMatchObject({ course: null, daysEnrolled: null, daysAhead: null })
  })

  test('revenue is on the local day of the payment, and a refund on its own', async ({ api, rowsOf }) => {
    school = await buildSchool(api, { timeZoneName: 'America/New_York' })
    const lines = [{ kind: 'aircraft', amountCents: 20_000 }]
    // Three in the morning in UTC is the evening before in New York.
    const refunded = { at: at('11-20T03:00'), cents: 5_000 }
    await buildBill(api, school, { payer: school.student, lines, paidAt: at('11-01T03:00'), refunded })
    await buildBill(api, school, { payer: school.renter, lines, paidAt: at('11-04T17:00') })
    expect(await rowsOf(`revenue?startDate=2026-10-31&endDate=2026-11-30&groupBy=day`)).toEqual([
      { period: '2026-10-31', groupBy: 'day', kind: 'aircraft', revenueCents: 20_000 },
      { period: '2026-11-04', groupBy: 'day', kind: 'aircraft', revenueCents: 20_000 },
      { period: '2026-11-19', groupBy: 'day', kind: 'refund', revenueCents: -5_000 },
    ])
    expect(await rowsOf(`revenue?startDate=2026-10-31&endDate=2026-11-30&groupBy=week`)).toEqual([
      { period: '2026-10-26', groupBy: 'week', kind: 'aircraft', revenueCents: 20_000 },
      { period: '2026-11-02', groupBy: 'week', kind: 'aircraft', revenueCents: 20_000 },
      { period: '2026-11-16', groupBy: 'week', kind: 'refund', revenueCents: -5_000 },
    ])
  })

  test('receivables are aged by the days since they were due, or else raised', async ({ api, rowsOf }) => {
    const { student } = school
    const guestId = await buildGuest(api, school, 'gia@example.com')
    const bill = (amountCents: number, more: object) =>
      buildBill(api, school, { payer: student, lines: [{ kind: 'other', amountCents }], ...more })
    await bill(1, { dueAt: at('12-05T12:00') })
    await bill(20, { dueAt: at('10-22T12:00') })
    await bill(300, { dueAt: at('10-21T12:00') })
    await bill(4_000, { createdAt: at('09-10T12:00') })
    await bill(50_000, { dueAt: at('08-01T12:00'), status: 'pending' })
    await bill(600_000, { status: 'void' })
    await bill(600_000, { paidAt: at('11-01T12:00') })
    await bill(700, { payer: { guestId } })
    const none = { days0to30Cents: 0, days31to60Cents: 0, days61to90Cents: 0, over90Cents: 0 }
    expect(await rowsOf('receivables')).toEqual([
      {
        orgUserId: student.orgUserId,
        guestId: null,
        name: student.name,
        days0to30Cents: 21,
        days31to60Cents: 300,
        days61to90Cents: 4_000,
        over90Cents: 50_000,
        totalCents: 54_321,
      },
      { ...none, orgUserId: null, guestId, name: 'Gia Visitor', days0to30Cents: 700, totalCents: 700 },
    ])
  })

  test('receivables are too many by their payers, not by their invoices', async ({ api }) => {
    const guestId = await buildGuest(api, school, 'gia@example.com')
    for (const payer of [school.student, school.student, school.student, { guestId }]) {
      await buildBill(api, school, { payer, lines: [{ kind: 'other', amountCents: 1 }] })
    }
    const counted = (most: number) =>
      readRows(api.core.database, countReceivables({ organizationId: school.organizationId, window: {} }, most))
    expect([await counted(4), await counted(3), await counted(1)]).toEqual([
      [{ rows: 4 }],
      [{ rows: 2 }],
      [{ rows: 2 }],
    ])
  })

  test('cancellations are counted by category and notice', async ({ api, rowsOf }) => {
    const { student } = school
    const seats = [{ side: 'students' as const, member: student }]
    for (const fromHour of [10, 48, 100]) await buildBooking(api, school, { seats, fromHour, cancelled: true })
    expect(await rowsOf(`cancellations?${november}`)).toEqual([
      {
        category: 'weather',
        label: 'Weather',
        cancellations: 3,
        under24Hours: 1,
        from24To72Hours: 1,
        over72Hours: 1,
        averageNoticeMinutes: ((10 + 48 + 100) / 3) * 60,
        feesProposed: 0,
        feesWaived: 0,
        feesCharged: 0,
        chargedCents: 0,
      },
    ])
  })

  test('maintenance lists what is due, the most urgent first', async ({ api, rowsOf }) => {
    const item = (name: string, more: object) =>
      expectOk(api, school.admin, 'POST', '/maintenance/reminders', {
        resource: { id: school.plane.id },
        name,
        ...more,
      })
    await item('100-hour', { basis: 'hobbs', intervalHours: 100, dueReading: 1003.5, warnHours: 10 })
    await item('Annual', { basis: 'calendar', intervalMonths: 12, dueAt: '2026-11-19T12:00:00Z' })
    expect(await rowsOf('maintenance')).toMatchObject([
      { name: 'Annual', status: 'overdue', daysLeft: -2, hoursLeft: null },
      {
        name: '100-hour',
        status: 'due_soon',
        daysLeft: null,
        dueReading: 1003.5,
        currentReading: 1000,
        hoursLeft: 3.5,
      },
    ])
    expect(await rowsOf('maintenance?endDate=2026-11-01')).toHaveLength(1)
  })
})

describe('who sees what', () => {
  test('money is for owners and admins, receivables for dispatchers too, null for instructors', async ({
    api,
    get,
    seen,
  }) => {
    const { student, owner, admin, dispatcher, instructor } = school
    const lines = [{ kind: 'aircraft', amountCents: 20_000 }]
    const flight = await buildFlight(api, school, { endedAt: at('11-03T12:00'), instructor, student, hobbs: 140 })
    await buildBill(api, school, { payer: student, flight, lines, paidAt: at('11-10T00:00') })
    await buildBill(api, school, { payer: student, lines })
    for (const report of ['utilization', 'revenue']) {
      for (const who of [owner, admin]) expect(await seen(`${report}?${november}`, who)).toEqual([20_000])
      for (const who of [dispatcher, instructor]) expect(await seen(`${report}?${november}`, who)).toEqual([null])
    }
    for (const who of [owner, admin, dispatcher]) expect(await seen('receivables', who)).toEqual([20_000])
    expect(await seen('receivables', instructor)).toEqual([null])
    const file = await get(`utilization?${november}&format=csv`, instructor)
    expect(file.body.split('\r\n')[1]).toBe(`${school.plane.id},${school.plane.name},1,14,0,,120,21600`)
    expect((await get(`revenue?${november}&format=svg`, dispatcher)).statusCode).toBe(403)
  })

  test('another school’s figures are in no report', async ({ api, rowsOf }) => {
    const other = await buildSchool(api)
    const flight = await buildFlight(api, school, { endedAt: at('11-03T12:00'), student: school.student, hobbs: 140 })
    const lines = [{ kind: 'aircraft', amountCents: 20_000 }]
    await buildBill(api, school, { payer: school.student, flight, lines, paidAt: at('11-10T00:00') })
    await buildBill(api, school, { payer: school.student, lines })
    expect(await rowsOf(`utilization?${november}`, other.admin)).toMatchObject([{ flights: 0, revenueCents: 0 }])
    expect(await rowsOf(`students?${november}`, other.admin)).toMatchObject([{ lessons: 0, lastFlightAt: null }])
    for (const report of ['revenue', 'receivables'])
      expect(await rowsOf(`${report}?${november}`, other.admin)).toEqual([])
  })
})

describe('CSV', () => {
  test('has a header, CRLF, quotes and no formula', async ({ api, get }) => {
    const payer = async (name: string) => {
      const member = await buildMember(api, school.organizationId, ['student'])
      await api.core.database.db.updateTable('account').set({ name }).where('id', '=', member.accountId).execute()
      await buildBill(api, school, { payer: member, lines: [{ kind: 'other', amountCents: 100 }] })
      return member.orgUserId
    }
    const [formula, quoted] = [await payer('=cmd|"/c calc"'), await payer('Ruiz, "Ana"')]
    const response = await get('receivables?format=csv')
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(response.headers['content-disposition']).toBe('attachment; filename="receivables.csv"')
    const header = '\uFEFForgUserId,guestId,name,days0to30Cents,days31to60Cents,days61to90Cents,over90Cents,totalCents'
    expect(response.body.split('\r\n').sort()).toEqual(
      ['', header, `${formula},,"'=cmd|""/c calc""",100,0,0,0,100`, `${quoted},,"Ruiz, ""Ana""",100,0,0,0,100`].sort(),
    )
  })

  test('negative numbers stay numbers, and a report without rows is its header', async ({ api, get }) => {
    const refunded = { at: at('11-20T12:00'), cents: 500 }
    const lines = [{ kind: 'other', amountCents: 500 }]
    await buildBill(api, school, { payer: school.student, lines, paidAt: at('10-10T12:00'), refunded })
    expect((await get(`revenue?${november}&format=csv`)).body).toBe(
      '\uFEFFperiod,groupBy,kind,revenueCents\r\n2026-11-20,day,refund,-500\r\n',
    )
    const empty = await get('revenue?startDate=2026-01-01&endDate=2026-01-31&format=csv')
    expect(empty.body).toBe('\uFEFFperiod,groupBy,kind,revenueCents\r\n')
  })
})

describe('charts', () => {
  test('are SVG without scripts, in the reader’s colours or a fixed theme, with names as text', async ({
    api,
    get,
  }) => {
    await buildFlight(api, school, { endedAt: at('11-03T12:00'), hobbs: 140 })
    const named = { name: '<script>alert(1)</script>' }
    await api.core.database.db.updateTable('resource').set(named).where('id', '=', school.plane.id).execute()
    const response = await get(`utilization?${november}&format=svg`)
    expect(response.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(response.headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.body).toMatch(/^<svg .*role="img"/)
    expect(textOf(response.body)).not.toMatch(/[<>]/)
    expect(response.body).toContain('<title id="title">Utilization, Nov 1, 2026 to Nov 30, 2026</title>')
    expect(response.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;: 2 hours booked, 1.4 hours flown.')
    expect(response.body).not.toMatch(/<script|href=|url\(/)
    expect(response.body).toContain('prefers-color-scheme:dark')
    expect((await get(`utilization?${november}&format=svg&theme=dark`)).body).not.toContain('prefers-color-scheme')
  })

  test('are kept for a minute, by organization', async ({ api }) => {
    const url = `/reports/revenue?${november}&format=svg`
    const ask = (who: Member) => countStatements(api, () => api.call('GET', url, { token: who.token }))
    const [first, second] = [await ask(school.admin), await ask(school.owner)]
    const reads = ({ statements }: typeof first) => statements.filter((text) => text.startsWith('declare')).length
    const other = await ask((await buildSchool(api)).admin)
    expect([reads(first), reads(second), reads(other)]).toEqual([1, 0, 1])
    expect(second.result.body).toBe(first.result.body)
  })

  test('have at most 60 bars', async ({ get }) => {
    const long = 'startDate=2026-01-01&endDate=2026-12-31&format=svg'
    expect((await get(`revenue?${long}`)).body).toContain('Revenue by week')
    const refused = await get(`revenue?${long}&groupBy=day`)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toBe('groupBy: a chart has at most 60 bars; choose a longer period than day')
  })
})

describe('the limits of a report (§Reports)', () => {
  test.for([
    ['startDate=2026-11-10&endDate=2026-11-09', 'endDate: must be after startDate'],
    ['startDate=2025-01-01&endDate=2026-11-30', 'endDate: must be at most 400 days after startDate'],
    ['startDate=2026-02-30', 'startDate: must be a day, YYYY-MM-DD, or a date and time'],
    ['startDate=2026-11-01T00:00:00', 'startDate: must carry a UTC offset or Z'],
    ['format=pdf', 'format: must be one of json, csv'],
    ['format=svg', 'format: must be one of json, csv'],
  ])('%s is refused', async ([query, message], { get }) => {
    const response = await get(`students?${query}`)
    expect([response.statusCode, response.json().message]).toEqual([400, message])
  })

  test('a third report at once of an organization is 429, and others have their own places', async ({ api, get }) => {
    const other = await buildSchool(api)
    const release = [takePlace(school.organizationId), takePlace(school.organizationId)]
    const refused = await get('maintenance?format=csv')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5'])
    expect((await get('maintenance', other.admin)).statusCode).toBe(200)
    release[0]?.()
    expect((await get('maintenance?format=csv')).statusCode).toBe(200)
    expect((await get('maintenance')).statusCode).toBe(200)
    release[1]?.()
  })
})

/** The text of an XML document; a tag that is not well-formed stays in it. */
function textOf(document: string): string {
  return document.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '').replace(/<\/?\w+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '')
}
