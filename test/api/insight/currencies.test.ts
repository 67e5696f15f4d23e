import { describe, expect } from 'vitest'
import { buildMember } from '../../support/builders.ts'
import { buildLoggedFlight } from '../../support/currencies.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBooking } from '../../support/records.ts'
import { countStatements } from '../../support/statements.ts'

const test = schoolTest()

describe('the report of currencies (§Reports)', () => {
  test.beforeEach(async ({ api, school }) => {
    const add = (body: object) => expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', body)
    const { id } = await add({ name: '=Medical', kind: 'medical', roles: ['student'] })
    await add({ name: 'Passengers', kind: 'passenger_day', roles: ['renter'] })
    const medical = { class: 'third', examinedAt: '2024-11-10T12:00:00Z' }
    await expectOk(api, school.admin, 'PUT', `/orgUsers/${school.student.orgUserId}/currencies/${id}`, medical)
    await buildLoggedFlight(api, school, { pilot: school.renter, daysAgo: 20, day_takeoffs: 3, day_landings: 3 })
  })

  test('has every currency that is asked of each member', async ({ api, school }) => {
    const { student, renter } = school
    const rows = await expectOk<{ orgUserId: number }[]>(api, school.dispatcher, 'GET', '/reports/currencies')
    // Without a verified birth date the shorter term of the medical holds: 24 calendar months.
    const medical = { currency: '=Medical', scope: null, status: 'expiring', validUntil: '2026-11-30' }
    const passengers = { currency: 'Passengers', status: 'current', validUntil: '2027-01-30' }
    expect(rows.toSorted((a, b) => a.orgUserId - b.orgUserId)).toMatchObject([
      { orgUserId: student.orgUserId, name: student.name, ...medical },
      { orgUserId: renter.orgUserId, scope: 'airplane single_engine_land', ...passengers },
    ])
  })

  test('is a file with a row a member and a column a currency, whose names are no formulas', async ({
    api,
    school,
  }) => {
    const { student, renter } = school
    const { statusCode, body, headers } = await api.as(school.admin).get('/reports/currencies?format=csv')
    expect([statusCode, headers['content-disposition']]).toEqual([200, 'attachment; filename="currencies.csv"'])
    const lines = body.replace('\uFEFF', '').split('\r\n')
    expect(lines[0]).toBe("orgUserId,name,'=Medical,Passengers")
    expect(lines).toContain(`${student.orgUserId},${student.name},expiring 2026-11-30,`)
    expect(lines).toContain(`${renter.orgUserId},${renter.name},,airplane single_engine_land current 2027-01-30`)
  })

  test('shows instructors their own students, and takes as many statements for many members', async ({
    api,
    school,
  }) => {
    const { instructor, student } = school
    const read = () => expectOk<{ orgUserId: number }[]>(api, instructor, 'GET', '/reports/currencies')
    expect(await read()).toEqual([])
    await buildBooking(api, school, {
      seats: [
        { side: 'instructors', member: instructor },
        { side: 'students', member: student },
      ],
    })
    expect((await read()).map(({ orgUserId }) => orgUserId)).toEqual([student.orgUserId])
    const count = async () =>
      (await countStatements(api, () => expectOk(api, school.admin, 'GET', '/reports/currencies'))).statements.length
    const few = await count()
    for (let more = 0; more < 5; more++) await buildMember(api, school.organizationId, ['student', 'renter'])
    expect(await count()).toBe(few)
  })
})
