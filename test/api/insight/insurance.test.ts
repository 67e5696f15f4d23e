import { describe, expect } from 'vitest'
import { buildMember } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBooking } from '../../support/records.ts'

interface Row {
  orgUserId: number
  medicalUntil: string | null
  models: object[]
}

const test = schoolTest().extend('flown', ({ api, school }) => async (daysAgo: number, tenths: number) => {
  const id = await buildBooking(api, school, {
    fromHour: -24 * daysAgo,
    seats: [{ side: 'renters', member: school.renter }],
    zone: 'UTC',
  })
  await api.core.database.pool.query(
    `update reservation set hobbs_out = 1000, hobbs_in = 1000 + $2 * 10, ramped_out_at = starts_at, ramped_in_at = ends_at
     where id = $1`,
    [id, tenths],
  )
})

describe('the report for an insurer (§Reports)', () => {
  test.beforeEach(async ({ api, school, flown }) => {
    const { pool } = api.core.database
    await pool.query(
      `update resource set make = 'Cessna', model = '172S', traits = traits || '{"complex": true}' where id = $1`,
      [school.plane.id],
    )
    const hours = [
      { makeAndModel: '172 S', picDeciHours: 40 },
      { makeAndModel: 'Piper PA-44', picDeciHours: 120 },
    ]
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.renter.orgUserId}/profile`, {
      priorExperience: { hours },
    })
    await flown(100, 12)
    await flown(10, 25)
  })

  test('has the hours of this school, and those elsewhere apart from them', async ({ api, school }) => {
    const rows = await expectOk<Row[]>(api, school.dispatcher, 'GET', '/reports/insurance')
    expect(rows.find(({ orgUserId }) => orgUserId === school.renter.orgUserId)).toMatchObject({
      name: school.renter.name,
      totalDeciHours: 37,
      last90DaysDeciHours: 25,
      complexDeciHours: 37,
      highPerformanceDeciHours: 0,
      tailwheelDeciHours: 0,
      priorPicDeciHours: 160,
      models: [
        { model: 'Cessna 172S', deciHours: 37, last90DaysDeciHours: 25, priorPicDeciHours: 40 },
        { model: 'Piper PA-44', deciHours: 0, last90DaysDeciHours: 0, priorPicDeciHours: 120 },
      ],
    })
    expect(rows.find(({ orgUserId }) => orgUserId === school.student.orgUserId)).toMatchObject({ models: [] })
  })

  test('has the last good day of a medical, and nothing else of it, nor a birth date', async ({ api, school }) => {
    const add = { name: 'Medical', kind: 'medical', roles: ['renter'] }
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', add)
    const url = `/orgUsers/${school.renter.orgUserId}`
    await expectOk(api, school.admin, 'PATCH', `${url}/profile`, { birthDate: '1990-02-03' })
    await expectOk(api, school.admin, 'PUT', `${url}/currencies/${id}`, {
      class: 'third',
      examinedAt: '2026-06-10T12:00:00Z',
    })
    const { body } = await api.as(school.admin).get('/reports/insurance')
    expect(body).toContain('"medicalUntil":"2031-06-30"')
    expect(body).not.toMatch(/third|1990|2026-06-10/)
  })

  test('is a file with a row per member and model', async ({ api, school }) => {
    const { body, headers } = await api.as(school.admin).get('/reports/insurance?format=csv')
    expect(headers['content-disposition']).toBe('attachment; filename="insurance.csv"')
    const lines = body.replace('\uFEFF', '').split('\r\n')
    expect(lines[0]).toMatch(/^orgUserId,name,.*model,modelDeciHours,modelLast90DaysDeciHours,modelPriorPicDeciHours$/)
    const own = lines.filter((line) => line.startsWith(`${school.renter.orgUserId},`))
    expect(own.map((line) => line.split(',').slice(-4).join())).toEqual(['Cessna 172S,37,25,40', 'Piper PA-44,0,0,120'])
  })

  test('shows an instructor the own students alone, and is in the audit log once a day', async ({ api, school }) => {
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    const rows = await expectOk<Row[]>(api, instructor, 'GET', '/reports/insurance')
    expect(rows.map(({ orgUserId }) => orgUserId)).toEqual([instructor.orgUserId])
    await expectOk(api, instructor, 'GET', '/reports/insurance')
    const read = await expectOk<object[]>(api, school.admin, 'GET', '/audit?action=insurance.read')
    expect(read).toHaveLength(1)
  })
})
