import { describe, expect } from 'vitest'
import { buildMember, buildSchool } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk, setRates } from '../../../support/flights.ts'
import { buildPaid, buildSigned, type PayRunAnswer, resign, runPay } from '../../../support/pay-runs.ts'

const november = ['2026-11-01', '2026-11-30'] as const
const december = ['2026-12-01', '2026-12-31'] as const
const at = (time: string) => new Date(`2026-${time}:00Z`)

const test = schoolTest().extend('ana', ({ api, school }) =>
  buildPaid(api, school, { flight: 4_500, ground: 3_000, sim: 3_500 }),
)

const told = ({ rows }: PayRunAnswer) =>
  Object.fromEntries(
    rows.map((row) => [
      row.orgUserId,
      [row.flightDeciHours, row.groundDeciHours, row.simulatorDeciHours, row.amountCents],
    ]),
  )

describe('POST /payRuns (§Pay runs)', () => {
  test('pays the time of each instructor at the rates of now, and keeps them', async ({ api, school, ana }) => {
    const ben = await buildPaid(api, school, { flight: 5_000 })
    const flights = [
      await buildSigned(api, school, { endedAt: at('11-03T12:00'), instructor: ana, hobbs: 135, briefing: 3 }),
      await buildSigned(api, school, {
        endedAt: at('11-04T12:00'),
        instructor: ana,
        type: 'ground',
        resourceId: null,
        briefing: 15,
      }),
    ]
    await buildSigned(api, school, { endedAt: at('11-05T12:00'), instructor: ben, hobbs: 100, briefing: 5 })
    const run = await runPay(api, school, november)
    // Ana: 1.4 × $45.00 + 0.3 × $30.00 = $72.00, and 1.5 × $30.00 = $45.00. Ben: $50.00; his ground time is not paid.
    expect(told(run)).toEqual({
      [ana.orgUserId]: [14, 18, 0, 11_700],
      [ben.orgUserId]: [10, 5, 0, 5_000],
    })
    expect(run).toMatchObject({
      startDate: november[0],
      endDate: november[1],
      currency: 'usd',
      flights: 3,
      amountCents: 16_700,
      own: false,
      createdBy: { orgUserId: school.admin.orgUserId, name: school.admin.name },
    })
    const row = run.rows.find(({ orgUserId }) => orgUserId === ana.orgUserId)
    expect(row).toMatchObject({ payRates: { flight: 4_500, ground: 3_000, sim: 3_500 }, reservationIds: flights })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${ana.orgUserId}`, { payRates: { flight: 9_000 } })
    expect(await expectOk(api, school.owner, 'GET', `/payRuns/${run.id}`)).toEqual(run)
    const [listed] = await expectOk<PayRunAnswer[]>(api, school.owner, 'GET', '/payRuns')
    expect(listed).toEqual(run)
    const { data } = (await api.as(school.admin).get(`/audit?subject=pay_run:${run.id}`)).json()
    expect(data).toMatchObject([
      {
        action: 'pay_run.created',
        after: { startDate: november[0], endDate: november[1], amountCents: 16_700, own: false },
      },
    ])
  })

  test('pays what ended on the local days and is signed off, and a flight once, whatever periods overlap', async ({
    api,
    ana: _,
  }) => {
    // New York is five hours behind UTC in November.
    const school = await buildSchool(api, { timeZoneName: 'America/New_York' })
    const [ana, ben] = [
      await buildPaid(api, school, { ground: 1_000 }),
      await buildPaid(api, school, { ground: 1_000 }),
    ]
    const lesson = (instructor: typeof ana, endedAt: Date) =>
      buildSigned(api, school, {
        endedAt,
        instructor,
        student: undefined,
        type: 'ground',
        resourceId: null,
        briefing: 10,
      })
    await lesson(ben, new Date('2026-11-01T03:59:59.999Z'))
    const [first, last] = [
      await lesson(ana, at('11-01T04:00')),
      await lesson(ana, new Date('2026-12-01T04:59:59.999Z')),
    ]
    await lesson(ben, at('12-01T05:00'))
    const unsigned = await lesson(ana, at('11-10T12:00'))
    await api.core.database.pool.query('update reservation set signed_off_at = null where id = $1', [unsigned])
    const run = await runPay(api, school, november)
    expect(run.rows).toMatchObject([{ orgUserId: ana.orgUserId, reservationIds: [first, last], amountCents: 2_000 }])
    await resign(api, unsigned, at('12-02T12:00'))
    const again = await runPay(api, school, november)
    expect(again.rows[0]).toMatchObject({ reservationIds: [unsigned], amountCents: 1_000, adjustments: [] })
    const wider = await runPay(api, school, ['2026-10-01', '2026-12-31'])
    expect(wider.rows).toMatchObject([{ orgUserId: ben.orgUserId, amountCents: 2_000 }])
    const empty = await runPay(api, school, ['2026-10-01', '2026-12-31'])
    expect(empty).toMatchObject({ flights: 0, amountCents: 0, rows: [] })
  })

  test('pays a flight on the day of its ramp-in, which can be later than the booked end', async ({
    api,
    school,
    ana,
  }) => {
    const id = await buildSigned(api, school, { endedAt: at('11-30T12:00'), instructor: ana, hobbs: 100 })
    await api.core.database.pool.query('update reservation set ramped_in_at = $2 where id = $1', [
      id,
      at('12-01T12:00'),
    ])
    expect(await runPay(api, school, november)).toMatchObject({ flights: 0, rows: [] })
    // 1.0 × $45.00.
    expect(await runPay(api, school, december)).toMatchObject({ flights: 1, amountCents: 4_500 })
  })

  test('pays what a correction changes in the next run, at the rates of the first', async ({ api, school, ana }) => {
    const { student, admin } = school
    const url = `/orgUsers/${school.instructor.orgUserId}`
    await expectOk(api, admin, 'PATCH', url, { payRates: { flight: 4_500 } })
    const id = await closedOutFlight(api, school)
    const first = await runPay(api, school, november)
    // 1.4 × $45.00.
    expect(first).toMatchObject({ flights: 1, amountCents: 6_300 })
    await expectOk(api, admin, 'PATCH', url, { payRates: { flight: 9_000 } })
    const { hobbsTimeOut } = await expectOk<{ hobbsTimeOut: number }>(api, admin, 'GET', `/reservations/${id}`)
    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    await expectOk(api, admin, 'POST', `/reservations/${id}/updateReviewTimes`, {
      hobbsTimeOut,
      hobbsTimeIn: hobbsTimeOut + 1.2,
      confirmMeterAnomaly: true,
    })
    // Nobody has signed the new figures yet.
    expect(await runPay(api, school, december)).toMatchObject({ flights: 0, rows: [] })
    for (const who of [school.instructor, student])
      await expectOk(api, who, 'POST', `/reservations/${id}/confirmReview`)
    const next = await runPay(api, school, december)
    expect(next).toMatchObject({ flights: 0, amountCents: -900 })
    expect(next.rows).toMatchObject([
      {
        orgUserId: school.instructor.orgUserId,
        flightDeciHours: -2,
        amountCents: -900,
        payRates: null,
        adjustments: [{ reservationId: id, paidInRunId: first.id, flightDeciHours: -2, amountCents: -900 }],
      },
    ])
    expect(await runPay(api, school, december)).toMatchObject({ flights: 0, rows: [] })
    expect(await expectOk(api, admin, 'GET', `/payRuns/${first.id}`)).toEqual(first)
    expect(ana.orgUserId).not.toBe(school.instructor.orgUserId)
  })

  test('pays what a correction of a billed flight changes in the next run, though its signatures stand', async ({
    api,
    school,
  }) => {
    const { admin, instructor } = school
    await expectOk(api, admin, 'PATCH', `/orgUsers/${instructor.orgUserId}`, { payRates: { flight: 4_500 } })
    await setRates(api, school)
    const id = await closedOutFlight(api, school)
    await expectOk(api, admin, 'POST', `/reservations/${id}/invoices`)
    const correct = async (hours: number) => {
      // No job issues invoices here.
      await api.core.database.pool.query(
        `update invoice set status = 'open', number = id where reservation_id = $1 and status = 'pending'`,
        [id],
      )
      api.clock.now = new Date(api.clock.now.getTime() + 60_000)
      const { hobbsTimeOut } = await expectOk<{ hobbsTimeOut: number }>(api, admin, 'GET', `/reservations/${id}`)
      const readings = { hobbsTimeOut, hobbsTimeIn: Math.round((hobbsTimeOut + hours) * 100) / 100 }
      const body = { readings, reason: 'Read wrong', refund: 'none' }
      await expectOk(api, admin, 'POST', `/reservations/${id}/correct`, body)
    }
    // 1.4 × $45.00.
    const first = await runPay(api, school, november)
    expect(first).toMatchObject({ flights: 1, amountCents: 6_300, correctedAfterSigning: [] })
    await correct(1.1)
    const next = await runPay(api, school, december)
    expect(next).toMatchObject({
      flights: 0,
      amountCents: -1_350,
      rows: [{ adjustments: [{ reservationId: id, paidInRunId: first.id, flightDeciHours: -3, amountCents: -1_350 }] }],
      correctedAfterSigning: [{ reservationId: id, orgUserId: instructor.orgUserId }],
    })
    await correct(1)
    expect(await runPay(api, school, december)).toMatchObject({ amountCents: -450 })
    expect(await runPay(api, school, december)).toMatchObject({ flights: 0, rows: [] })
  })

  test('leaves flights without a rate for a run that has one', async ({ api, school }) => {
    const ben = await buildPaid(api, school, { sim: 4_000 })
    const id = await buildSigned(api, school, { endedAt: at('11-03T12:00'), instructor: ben, hobbs: 100, briefing: 5 })
    const make = async () => {
      const body = { startDate: november[0], endDate: november[1] }
      return (await api.as(school.admin).post('/payRuns', body)).json()
    }
    expect(await make()).toMatchObject({
      data: { flights: 0, rows: [] },
      warnings: [`${ben.name} has no pay rate: 1 flight left for a later run, once there is one.`],
    })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${ben.orgUserId}`, { payRates: { flight: 4_000 } })
    expect(await make()).toMatchObject({
      data: { rows: [{ reservationIds: [id], amountCents: 4_000 }] },
      warnings: [`${ben.name} has no pay rate for ground time: 0.5 h are not paid.`],
    })
    expect(await make()).not.toHaveProperty('warnings')
  })

  test('lists long briefings, and what the desk signed for somebody', async ({ api, school, ana }) => {
    const lesson = { instructor: ana, type: 'ground', resourceId: null } as const
    const long = await buildSigned(api, school, { ...lesson, endedAt: at('11-03T12:00'), briefing: 31 })
    await buildSigned(api, school, { ...lesson, endedAt: at('11-04T12:00'), briefing: 30 })
    const behalf = await buildSigned(api, school, { ...lesson, endedAt: at('11-05T12:00'), briefing: 10 })
    await api.core.database.pool.query(
      `insert into confirmation (organization_id, reservation_id, membership_id, side, confirmed_at, recorded_by)
       values ($1, $2, $3, 'students', now(), $4)`,
      [school.organizationId, behalf, school.student.orgUserId, school.dispatcher.orgUserId],
    )
    const run = await runPay(api, school, november)
    expect(run.longBriefings).toEqual([{ reservationId: long, orgUserId: ana.orgUserId }])
    expect(run.signedOnBehalf).toEqual([{ reservationId: behalf, orgUserId: ana.orgUserId }])
  })

  test('that pays who makes it is marked, and told to every owner', async ({ api, school }) => {
    const teaching = await buildMember(api, school.organizationId, ['admin', 'instructor'])
    await expectOk(api, school.owner, 'PATCH', `/orgUsers/${teaching.orgUserId}`, { payRates: { flight: 5_000 } })
    await buildSigned(api, school, { endedAt: at('11-03T12:00'), instructor: teaching, hobbs: 150 })
    const run = await runPay(api, school, november, teaching)
    expect(run).toMatchObject({ own: true, amountCents: 7_500 })
    const { rows } = await api.core.database.pool.query(
      `select payload from outbox where job = 'ledger.mail-own-money' and (payload ->> 'organizationId')::int = $1`,
      [school.organizationId],
    )
    expect(rows.map(({ payload }) => payload)).toEqual([
      {
        organizationId: school.organizationId,
        orgUserId: school.owner.orgUserId,
        by: teaching.orgUserId,
        what: 'pay_run',
        amountCents: 7_500,
        currency: 'usd',
      },
    ])
    const { data } = (await api.as(school.admin).get('/audit?action=pay_run.created')).json()
    expect(data[0].after.own).toBe(true)
  })

  test.for([
    ['2026-11-30', '2026-11-01', /./],
    ['2026-01-01', '2027-01-02', /^endDate: a pay run covers at most 366 days/],
    ['2026-02-30', '2026-03-01', /^startDate: /],
    [undefined, '2026-03-01', /^startDate: /],
  ] as const)('refuses %s to %s', async ([startDate, endDate, message], { api, school }) => {
    const response = await api.as(school.admin).post('/payRuns', { startDate, endDate })
    expect([response.statusCode, response.json().message]).toEqual([400, expect.stringMatching(message)])
  })

  test('pays no flight of another organization', async ({ api, school, ana }) => {
    await buildSigned(api, school, { endedAt: at('11-03T12:00'), instructor: ana, hobbs: 100 })
    const elsewhere = await buildSchool(api)
    expect(await runPay(api, elsewhere, november)).toMatchObject({ flights: 0 })
  })

  test('keeps the currency of the organization', async ({ api, school }) => {
    await runPay(api, school, november)
    const response = await api.as(school.owner).patch('/organizations', { settings: { currency: 'eur' } })
    expect([response.statusCode, response.json().code]).toEqual([409, 'CURRENCY_IN_USE'])
  })
})

describe('two pay runs at once (§Pay runs)', () => {
  test('pay no flight twice: one waits for the other', async ({ api, school, ana }) => {
    const flights: number[] = []
    for (let round = 0; round < 8; round++) {
      for (const day of [1, 2, 3].map((one) => String(3 * round + one).padStart(2, '0'))) {
        flights.push(await buildSigned(api, school, { endedAt: at(`11-${day}T12:00`), instructor: ana, hobbs: 100 }))
      }
      const corrected = flights[3 * (round - 1)]
      if (corrected) await resign(api, corrected, at('12-01T12:00'), { hobbs: 100 + 10 * round })
      const runs = await Promise.all(
        [november, ['2026-11-01', '2026-12-31'], november].map(([start = '', end = '']) =>
          runPay(api, school, [start, end]),
        ),
      )
      expect(runs.map(({ flights: placed }) => placed).sort()).toEqual([0, 0, 3])
    }
    const { rows } = await api.core.database.pool.query(
      `select count(*) filter (where not adjustment)::int as places, count(distinct reservation_id)::int as flights,
         count(*) filter (where adjustment)::int as adjustments, sum(amount_cents)::int as paid
       from pay_line where organization_id = $1`,
      [school.organizationId],
    )
    // 24 hours at $45.00, and 0.1 to 0.7 hours more of seven flights: 2.8 hours.
    expect(rows).toEqual([{ places: 24, flights: 24, adjustments: 7, paid: 108_000 + 12_600 }])
  })

  test('pay no correction twice', async ({ api, school, ana }) => {
    const id = await buildSigned(api, school, { endedAt: at('11-03T12:00'), instructor: ana, hobbs: 100 })
    await runPay(api, school, november)
    for (let round = 1; round <= 8; round++) {
      await resign(api, id, at(`12-0${round}T12:00`), { hobbs: 100 + 10 * round })
      const runs = await Promise.all([december, november, december].map((period) => runPay(api, school, period)))
      // 0.1 h at $45.00.
      expect(runs.map(({ amountCents }) => amountCents).sort()).toEqual([0, 0, 450])
    }
  })
})
