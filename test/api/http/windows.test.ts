import { describe, expect } from 'vitest'
import { buildSchool, type Member } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

/** A school in Los Angeles, UTC−8 in November 2026 and UTC−7 until the first of that month. */
const test = sharedSchoolTest()
  .extend('western', { scope: 'file', auto: true }, ({ api }) =>
    buildSchool(api, { timeZoneName: 'America/Los_Angeles' }),
  )
  .extend('away', { scope: 'file', auto: true }, async ({ api, western }) => {
    const add = (start: string, end: string) =>
      expectOk<{ id: number }>(api, western.instructor, 'POST', '/availability/timeOff', { start, end })
    // 23 November 23:30 to 24 November 00:30 local, and 25 November 00:00 to 01:00 local.
    const late = await add('2026-11-24T07:30:00Z', '2026-11-24T08:30:00Z')
    const early = await add('2026-11-25T08:00:00Z', '2026-11-25T09:00:00Z')
    return new Map([
      [late.id, 'late'],
      [early.id, 'early'],
    ])
  })
  .extend('listed', ({ api, away, western }) => async (query: string, who: Member = western.student) => {
    const rows = await expectOk<{ id: number }[]>(api, who, 'GET', `/availability/timeOff?${query}`)
    return rows.map(({ id }) => away.get(id))
  })

describe('a window of a list', () => {
  test.for([
    ['startDate=2026-11-23&endDate=2026-11-23', ['late']],
    ['startDate=2026-11-24&endDate=2026-11-24', ['late']],
    ['startDate=2026-11-25&endDate=2026-11-25', ['early']],
    ['startDate=2026-11-24&endDate=2026-11-25', ['late', 'early']],
    ['endDate=2026-11-22', []],
    ['startDate=2026-11-26', []],
    ['startDate=2026-11-24&endDate=2026-11-25T08:00:00Z', ['late']],
    ['startDate=2026-11-24T08:30:00Z&endDate=2026-11-25', ['early']],
  ] as const)(
    'is of days of the organization’s zone, the last one included: %s',
    async ([query, found], { listed }) => {
      expect(await listed(query)).toEqual(found)
    },
  )

  test.for([
    ['startDate=2026-11-25&endDate=2026-11-24', 'endDate: must be after startDate'],
    ['startDate=2026-11-24T08:00:00Z&endDate=2026-11-23', 'endDate: must be after startDate'],
    ['startDate=2026-11-31', 'startDate: must be a day, YYYY-MM-DD, or a date and time'],
    ['startDate=2026-11-24T08:00', 'startDate: must carry a UTC offset or Z'],
    ['endDate=2526-01-01', 'endDate: must lie in the years 1970 to 2199'],
    ['endDate=yesterday', 'endDate: must be a day, YYYY-MM-DD, or a date and time'],
  ] as const)('is refused when it is none: %s', async ([query, message], { api, western }) => {
    for (const list of ['/availability/timeOff', '/closures', '/audit', '/invoices', '/training/endorsements']) {
      const answer = await api.as(western.admin).get(`${list}?${query}`)
      expect([list, answer.statusCode, answer.json().message]).toEqual([list, 400, message])
    }
  })

  test('may be of 31 days where that is the most, also of those with a clock change', async ({ api, western }) => {
    const ask = async (window: string) => {
      const query = `type=dual&durationMinutes=60&${window}`
      return (await api.as(western.student).get(`/reservations/openings?${query}`)).statusCode
    }
    expect(await ask('startDate=2027-10-15&endDate=2027-11-14')).toBe(200)
    expect(await ask('startDate=2027-10-15&endDate=2027-11-15')).toBe(400)
  })
})
