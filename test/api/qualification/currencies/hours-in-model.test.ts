import { describe, expect } from 'vitest'
import { judgeSoFar } from '../../../support/at-risk.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildBooking } from '../../../support/records.ts'
import { countStatements } from '../../../support/statements.ts'

const clause = { name: 'Insurer', kind: 'hours_in_model', deciHours: 50, enforcement: 'block', roles: ['renter'] }

const test = schoolTest()
  .extend(
    'add',
    ({ api, school }) =>
      (body: object) =>
        expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', body),
  )
  .extend('flown', ({ api, school }) => async (daysAgo: number, tenths: number, resourceId = school.plane.id) => {
    const id = await buildBooking(api, school, {
      fromHour: -24 * daysAgo,
      seats: [{ side: 'renters', member: school.renter }],
      zone: 'UTC',
    })
    await api.core.database.pool.query(
      `update reservation set hobbs_out = 1000, hobbs_in = 1000 + $2 * 10, resource_id = $3, ramped_out_at = starts_at,
         ramped_in_at = ends_at where id = $1`,
      [id, tenths, resourceId],
    )
    return id
  })
  .extend('refused', ({ api, school }) => async (extra: object = {}) => {
    const body = bookingBody(school, 'rental', { personnel: seats({ renters: [school.renter] }), ...extra })
    type Told = { problems: { message: string; rule: string }[] }
    const { problems } = await expectOk<Told>(
      api,
      ...([school.dispatcher, 'POST', '/reservations/check', body] as const),
    )
    return problems
      .filter(({ rule }) => rule.startsWith('currency:'))
      .map(({ message }) => message.replace(/^.*\((.*)\)$/, '$1'))
  })
  .extend(
    'other',
    ({ api, school }) =>
      (model: string, more: object = {}) =>
        expectOk<{ id: number }>(api, school.admin, 'POST', '/resources', {
          name: `N-${model}`,
          location: { id: school.location.id },
          make: 'Cessna',
          model,
          type: { plane: { class: 'single_engine_land' } },
          ...more,
        }),
  )

test.beforeEach(async ({ api, school }) => {
  await api.core.database.pool.query(
    `update resource set make = 'Cessna', model = '172S', traits = traits || '{"class": "single_engine_land"}' where id = $1`,
    [school.plane.id],
  )
})

describe('a currency of hours in aircraft (§Currencies)', () => {
  test('counts the flights in the make and model, ever', async ({ add, flown, other, refused }) => {
    await add(clause)
    expect(await refused()).toEqual(['0.0 of 5.0 hours in a Cessna 172S'])
    const sister = await other('172N')
    const stranger = await other('182T')
    await flown(400, 20)
    await flown(300, 15, sister.id)
    await flown(200, 90, stranger.id)
    expect(await refused()).toEqual(['3.5 of 5.0 hours in a Cessna 172S'])
    await flown(3, 15)
    expect(await refused()).toEqual([])
    expect(await refused({ resource: { id: stranger.id } })).toEqual([])
  })

  test('counts within its days, to the end of the last one', async ({ add, flown, refused }) => {
    await add({ ...clause, days: 90, deciHours: 20 })
    // Flown on 11 September: the 90th day after it is 10 December.
    await flown(71, 20)
    const on = (day: string) => refused({ start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z` })
    const last = new Date(Date.parse('2026-12-10T00:00:00Z'))
    const day = (offset: number) => new Date(last.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
    expect(await on(day(-1))).toEqual([])
    expect(await on(day(2))).toEqual(['0.0 of 2.0 hours in a Cessna 172S in the last 90 days'])
  })

  test('counts the class, or any aircraft', async ({ add, flown, other, refused }) => {
    const { id: anotherModel } = await other('182T')
    await flown(30, 50, anotherModel)
    const { id: twin } = await other('310', { type: { plane: { class: 'multi_engine_land' } } })
    await add({ ...clause, scope: 'class' })
    expect([await refused(), await refused({ resource: { id: twin } })]).toEqual([[], ['0.0 of 5.0 hours']])
    await add({ ...clause, name: 'Any', scope: 'any', deciHours: 60 })
    await flown(20, 10, twin)
    expect(await refused()).toEqual([])
    expect(await refused({ resource: { id: twin } })).toEqual(['1.0 of 5.0 hours'])
  })

  test('is not asked of aircraft that the rule leaves out, nor of one without make and model', async ({
    api,
    school,
    add,
    other,
    refused,
  }) => {
    const { id } = await other('182T')
    await add({ ...clause, resourceIds: [id] })
    expect([await refused(), await refused({ resource: { id } })]).toEqual([[], ['0.0 of 5.0 hours in a Cessna 182T']])
    await api.core.database.pool.query('update resource set make = null, model = null where id = $1', [id])
    expect(await refused({ resource: { id } })).toEqual([])
    expect(school.plane.id).not.toBe(id)
  })

  test('has one row of the standing per model flown', async ({ api, school, add, flown, other }) => {
    await add({ ...clause, days: 90 })
    const sister = await other('172N')
    const stranger = await other('182T')
    await flown(30, 20)
    await flown(20, 30, sister.id)
    await flown(10, 10, stranger.id)
    const rows = await expectOk<{ scope: { model: string }; status: string; validUntil: string; needs: object[] }[]>(
      api,
      ...([school.renter, 'GET', `/orgUsers/${school.renter.orgUserId}/currencies`] as const),
    )
    expect(rows.map(({ scope, status }) => [scope.model, status])).toEqual([
      ['Cessna 172N', 'current'],
      ['Cessna 182T', 'expired'],
    ])
    expect(rows[1]!.needs).toEqual([{ action: 'hours', count: 40, by: null }])
  })

  test('puts bookings at risk, and costs no statement', async ({ api, school, add, flown }) => {
    const flight = await flown(2, 60)
    const body = bookingBody(school, 'rental', { personnel: seats({ renters: [school.renter] }) })
    const book = (start: string, end: string) =>
      countStatements(api, () =>
        expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', { ...body, start, end }),
      )
    await book('2026-11-25T10:00:00Z', '2026-11-25T12:00:00Z')
    const before = await book('2026-11-22T10:00:00Z', '2026-11-22T12:00:00Z')
    await add(clause)
    const after = await book('2026-11-24T10:00:00Z', '2026-11-24T12:00:00Z')
    expect(after.statements.length).toBe(before.statements.length)
    const atRisk = async () => {
      await judgeSoFar(api, school.organizationId)
      const window = 'startDate=2026-11-01T00:00:00Z&endDate=2027-01-01T00:00:00Z'
      return (await expectOk<object[]>(api, school.dispatcher, 'GET', `/reservations/atRisk?${window}`)).length
    }
    expect(await atRisk()).toBe(0)
    await api.core.database.pool.query('update reservation set hobbs_in = hobbs_out + 10 where id = $1', [flight])
    expect(await atRisk()).toBe(3)
  })

  test.for([
    ['hours', { deciHours: undefined }, /^deciHours: is required/],
    ['an amount above 0', { deciHours: 0 }, /^deciHours/],
    ['no count of flights', { count: 3 }, /^count: is for recent flights/],
    ['a known scope', { scope: 'type' }, /^scope/],
    ['hours alone', { kind: 'expiring' }, /^deciHours: is for hours/],
    ['a scope with hours', { kind: 'expiring', deciHours: null, scope: 'any' }, /^scope: is for hours/],
  ] as const)('needs %s', async ([, over, message], { api, school }) => {
    const refused = await api.as(school.admin).post('/currencies', { ...clause, ...over })
    expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringMatching(message)])
  })
})
