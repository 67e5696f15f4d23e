import { describe, expect } from 'vitest'
import { buildSchool } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildPaid, buildSigned, resign, runPay } from '../../support/pay-runs.ts'

const test = apiTest()
const at = (time: string) => new Date(`2026-${time}:00Z`)
const november = '/reports/instructorPay?startDate=2026-11-01&endDate=2026-11-30'

describe('GET /reports/instructorPay (§Reports)', () => {
  test('adds up what is signed off by instructor at the rates of now, paid or not', async ({ api }) => {
    const school = await buildSchool(api)
    const { admin } = school
    const ana = await buildPaid(api, school, { flight: 4_505, sim: 3_500 })
    const flight = { instructor: ana, hobbs: 135 }
    await buildSigned(api, school, { ...flight, endedAt: at('11-01T02:00'), briefing: 3 })
    const corrected = await buildSigned(api, school, { ...flight, endedAt: at('11-30T23:59') })
    await buildSigned(api, school, { ...flight, endedAt: at('12-01T02:00') })
    const sim = { instructor: ana, type: 'sim', resourceId: null, endedAt: at('11-05T12:00'), briefing: 11 } as const
    await buildSigned(api, school, sim)
    const row = {
      orgUserId: ana.orgUserId,
      name: ana.name,
      flights: 3,
      flightDeciHours: 28,
      simulatorDeciHours: 11,
      groundDeciHours: 3,
      flightPayCents: 4_505,
      simPayCents: 3_500,
      groundPayCents: null,
      // Twice 1.4 × $45.05 = $63.07, and 1.1 × $35.00 = $38.50; his ground time has no rate.
      amountCents: 6_307 * 2 + 3_850,
    }
    expect(await expectOk(api, admin, 'GET', november)).toEqual([row])
    expect(await runPay(api, school, ['2026-11-01', '2026-11-30'])).toMatchObject({ amountCents: row.amountCents })
    expect(await expectOk(api, admin, 'GET', november)).toEqual([row])
    await resign(api, corrected, at('12-02T12:00'), { hobbs: 105 })
    // 1.1 × $45.05 = $49.555.
    expect(await expectOk(api, admin, 'GET', november)).toMatchObject([
      { flightDeciHours: 25, amountCents: 6_307 + 4_956 + 3_850 },
    ])
    const csv = await api.as(admin).get(`${november}&format=csv`)
    const [head, line] = csv.body.split('\r\n')
    expect(head).toContain('orgUserId,name,flights,flightDeciHours,simulatorDeciHours,groundDeciHours,flightPayCents')
    expect(line).toBe(`${ana.orgUserId},${ana.name},3,25,11,3,4505,3500,,15113`)
  })

  test('leaves out what nobody signed', async ({ api }) => {
    const school = await buildSchool(api)
    const ana = await buildPaid(api, school, { flight: 4_500 })
    const id = await buildSigned(api, school, { instructor: ana, hobbs: 100, endedAt: at('11-02T12:00') })
    await api.core.database.pool.query('update reservation set signed_off_at = null where id = $1', [id])
    expect(await expectOk(api, school.owner, 'GET', november)).toEqual([])
    for (const [query, message] of [
      ['startDate=2025-01-01&endDate=2026-11-30', /^endDate: must be at most 400 days/],
      ['startDate=2026-11-30&endDate=2026-11-01', /./],
      ['format=svg', /^format: /],
    ] as const) {
      const response = await api.as(school.admin).get(`/reports/instructorPay?${query}`)
      expect([response.statusCode, response.json().message]).toEqual([400, expect.stringMatching(message)])
    }
  })
})
