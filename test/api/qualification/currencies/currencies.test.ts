import { describe, expect } from 'vitest'
import { book, refusedBooking } from '../../../support/booking.ts'
import { buildAccount, buildMember, buildPlane, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { closedOutFlight, dualBody, expectOk } from '../../../support/flights.ts'

const test = schoolTest()
  .extend(
    'add',
    ({ api, school }) =>
      (body: object) =>
        expectOk<Currency>(api, school.admin, 'POST', '/currencies', body),
  )
  .extend(
    'record',
    ({ api }) =>
      (who: Member, member: Member, { id }: Currency, body: object) =>
        api.as(who).put(`/orgUsers/${member.orgUserId}/currencies/${id}`, body),
  )

interface Currency {
  id: number
  name: string
}

interface Standing {
  currencyId: number
  status: string
  completedAt: string | null
  expiresAt: string | null
}

const lifted = {
  enforcement: 'warn',
  appliesTo: 'pic',
  liftedWhenSupervised: true,
  overridableBy: ['owner', 'admin'],
}

const medical = { name: 'Medical', kind: 'expiring', blocking: true, roles: ['student'] }

describe('a new organization', () => {
  test('starts with flight review and medical, asked of who would be pilot in command, neither blocking', async ({
    api,
  }) => {
    const { token } = await buildAccount(api)
    const body = {
      name: 'North Field Flying Club',
      details: { email: 'desk@north.example', phone: '+1 555 0100', address: {} },
      location: { name: 'North Field', address: {}, timeZoneName: 'America/New_York' },
    }
    const founded = (await api.call('POST', '/organizations', { token, body })).json().data
    expect(await expectOk(api, founded, 'GET', '/currencies')).toMatchObject([
      {
        name: 'Flight review',
        kind: 'flight_review',
        privilege: null,
        blocking: false,
        warnDays: 30,
        ...lifted,
        reservationTypes: ['rental', 'shared', 'dual', 'guest'],
      },
      {
        name: 'Medical',
        kind: 'medical',
        privilege: 'private',
        blocking: false,
        ...lifted,
        reservationTypes: ['solo', 'rental', 'shared', 'dual', 'guest'],
      },
    ])
  })
})

describe('a currency', () => {
  test('is added, changed in part and deleted by an admin, and read by every member', async ({ api, school, add }) => {
    const { id } = await add({
      name: 'Recency',
      kind: 'recent_flights',
      roles: ['renter', 'renter'],
      resourceIds: [school.plane.id],
      count: 3,
      days: 90,
    })
    const url = `/currencies/${id}`
    expect(await expectOk(api, school.admin, 'PATCH', url, { days: 60, blocking: true, id: 9 })).toMatchObject({
      id,
      name: 'Recency',
      kind: 'recent_flights',
      roles: ['renter'],
      reservationTypes: [],
      resourceIds: [school.plane.id],
      blocking: true,
      warnDays: 30,
      validCalendarMonths: null,
      count: 3,
      days: 60,
    })
    expect(await expectOk(api, school.student, 'GET', '/currencies')).toMatchObject([{ id, days: 60 }])
    expect((await api.call('DELETE', url, { token: school.owner.token })).statusCode).toBe(204)
    expect(await expectOk(api, school.student, 'GET', '/currencies')).toEqual([])
  })

  test.for([
    ['no name', { kind: 'expiring' }, /^name: /],
    ['an unknown enforcement', { name: 'X', kind: 'expiring', enforcement: 'stop' }, /^enforcement: must be one of/],
    ['two words that disagree', { name: 'X', kind: 'expiring', enforcement: 'off', blocking: true }, /^blocking: must/],
    ['a student who overrides it', { name: 'X', kind: 'expiring', overridableBy: ['student'] }, /^overridableBy\.0: /],
    ['an unknown kind', { name: 'X', kind: 'annual' }, /^kind: /],
    ['an unknown role', { name: 'X', kind: 'expiring', roles: ['pilot'] }, /^roles\.0: /],
    ['flights without a count', { name: 'X', kind: 'recent_flights', days: 90 }, /^count: is required/],
    ['flights without days', { name: 'X', kind: 'recent_flights', count: 3 }, /^days: is required/],
    [
      'flights with a period',
      { name: 'X', kind: 'recent_flights', count: 3, days: 90, validCalendarMonths: 2 },
      /^validCalendarMonths: /,
    ],
    ['a date with a privilege', { name: 'X', kind: 'expiring', privilege: 'private' }, /^privilege: is for medicals/],
    ['a date with a count', { name: 'X', kind: 'expiring', count: 3 }, /^count: is for recent flights/],
    ['a date with days', { name: 'X', kind: 'expiring', days: 3 }, /^days: is for recent flights/],
    [
      'a resource that is not there',
      { name: 'X', kind: 'expiring', resourceIds: [2_000_000_000] },
      /^resourceIds\.0: there is no such resource/,
    ],
  ] as const)('with %s is refused', async ([_what, body, message], { api, school }) => {
    const response = await api.as(school.admin).post('/currencies', body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(message)
  })

  test('keeps its kind', async ({ api, school, add }) => {
    const { id } = await add(medical)
    const change = (who: Member, body: object) => api.as(who).patch(`/currencies/${id}`, body)
    expect((await change(school.admin, { kind: 'recent_flights' })).json().message).toBe('kind: cannot be changed')
    expect((await change(school.admin, { kind: 'expiring' })).statusCode).toBe(200)
  })
})

describe('the date of a member', () => {
  test('is recorded by staff, readable by the member and staff, and replaced by a later one', async ({
    api,
    school,
    add,
    record,
  }) => {
    const currency = await add(medical)
    expect(await expectOk<Standing[]>(api, school.student, 'GET', '/currencies/me')).toMatchObject([
      { currencyId: currency.id, status: 'missing', completedAt: null, expiresAt: null, documentId: null },
    ])
    const dates = { completedAt: '2026-01-10T00:00:00Z', expiresAt: '2026-12-01T00:00:00Z' }
    const first = await record(school.instructor, school.student, currency, dates)
    expect(first.json().data).toMatchObject({
      orgUserId: school.student.orgUserId,
      currencyId: currency.id,
      currency: { name: 'Medical', kind: 'expiring', blocking: true },
      completedAt: '2026-01-10T00:00:00.000Z',
      expiresAt: '2026-12-01T00:00:00.000Z',
      status: 'expiring',
    })
    await record(school.dispatcher, school.student, currency, { ...dates, expiresAt: '2027-12-01T00:00:00Z' })
    const url = `/orgUsers/${school.student.orgUserId}/currencies`
    for (const who of [school.student, school.instructor]) {
      expect(await expectOk<Standing[]>(api, who, 'GET', url)).toMatchObject([
        { status: 'current', expiresAt: '2027-12-01T00:00:00.000Z' },
      ])
    }
    expect((await api.call('GET', url, { token: school.renter.token })).statusCode).toBe(403)
  })

  test('ends with the calendar months of the rule, unless an end is given', async ({ school, add, record }) => {
    const review = await add({ name: 'Flight review', kind: 'expiring', validCalendarMonths: 24 })
    const end = async (body: object) => (await record(school.admin, school.renter, review, body)).json().data.expiresAt
    expect(await end({ completedAt: '2026-06-10T00:00:00Z' })).toBe('2028-07-01T00:00:00.000Z')
    expect(await end({ completedAt: '2026-06-10T00:00:00Z', expiresAt: '2027-01-01T00:00:00Z' })).toBe(
      '2027-01-01T00:00:00.000Z',
    )
    expect(await end({ completedAt: '2026-06-10T00:00:00Z', expiresAt: null })).toBeNull()
  })

  test.for([
    ['no date', {}, /^completedAt: /],
    ['a local time', { completedAt: '2026-01-10T00:00:00' }, /^completedAt: /],
    ['a date to come', { completedAt: '2026-12-10T00:00:00Z', expiresAt: null }, /^completedAt: is in the future/],
    ['no end', { completedAt: '2026-01-10T00:00:00Z' }, /^expiresAt: is required/],
    [
      'an end before it',
      { completedAt: '2026-01-10T00:00:00Z', expiresAt: '2026-01-10T00:00:00Z' },
      /^expiresAt: must be after/,
    ],
  ] as const)('is refused with %s', async ([_what, body, message], { school, add, record }) => {
    const response = await record(school.admin, school.student, await add(medical), body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(message)
  })

  test('is not recorded for flights', async ({ school, add, record }) => {
    const flights = await add({ name: 'Recency', kind: 'recent_flights', count: 1, days: 90 })
    const date = { completedAt: '2026-01-10T00:00:00Z', expiresAt: null }
    expect((await record(school.admin, school.student, flights, date)).statusCode).toBe(400)
  })

  test('is deleted with its currency', async ({ api, school, add, record }) => {
    const currency = await add(medical)
    await record(school.admin, school.student, currency, { completedAt: '2026-01-10T00:00:00Z', expiresAt: null })
    await api.as(school.admin).delete(`/currencies/${currency.id}`)
    expect(await expectOk(api, school.student, 'GET', '/currencies/me')).toEqual([])
  })
})

describe('a currency that several admins edit at once', () => {
  interface Change {
    before: { days?: number } | null
    after: { days?: number } | null
  }

  test('is deleted once, and each change is in the audit log from what was there', async ({ api, school, add }) => {
    const { id } = await add({ name: 'Recency', kind: 'recent_flights', count: 1, days: 10 })
    const days = [20, 30, 40, 50, 60, 70, 80, 90]
    await Promise.all(days.map((one) => expectOk(api, school.admin, 'PATCH', `/currencies/${id}`, { days: one })))
    const deleted = await Promise.all(days.map(() => api.as(school.admin).delete(`/currencies/${id}`)))
    expect(deleted.map(({ statusCode }) => statusCode).sort()).toEqual([204, ...Array(7).fill(404)])
    const all = await expectOk<Change[]>(api, school.owner, 'GET', `/audit?action=rule.changed&subject=currency:${id}`)
    const changes = all.reverse()
    expect(changes).toHaveLength(2 + days.length)
    for (const [index, { before }] of changes.slice(1).entries()) expect(before).toEqual(changes[index]?.after)
  })
})

describe('a blocking currency at booking (§Reservations rule 6)', () => {
  const until = (expiresAt: string | null) => ({ completedAt: '2026-01-10T00:00:00Z', expiresAt })

  test('refuses the booking and names who fails, judged at the start of the booking', async ({
    api,
    school,
    add,
    record,
  }) => {
    const currency = await add(medical)
    expect(await refusedBooking(api, school.dispatcher, dualBody(school))).toEqual([
      {
        rule: `currency:${currency.id}`,
        code: 'NOT_CURRENT',
        overridable: false,
        field: 'personnel.students',
        fix: {
          action: 'record_currency',
          currencyId: currency.id,
          orgUserId: school.student.orgUserId,
          text: 'Record a newer date of Medical.',
        },
        message: `${school.student.name} is not current: Medical (nothing on record)`,
        orgUserId: school.student.orgUserId,
      },
    ])
    await record(school.admin, school.student, currency, until('2026-11-23T10:00:00Z'))
    expect(await refusedBooking(api, school.dispatcher, dualBody(school))).toMatchObject([
      { message: `${school.student.name} is not current: Medical (expired 2026-11-23)` },
    ])
    await record(school.admin, school.student, currency, until('2026-11-23T10:00:01Z'))
    expect((await book(api, school.dispatcher, dualBody(school))).statusCode).toBe(201)
  })

  test('applies only to its roles, types and aircraft', async ({ api, school, add }) => {
    await add({ ...medical, roles: ['renter'] })
    await add({ ...medical, reservationTypes: ['solo'] })
    const other = await buildPlane(api, school)
    await add({ ...medical, resourceIds: [other.id] })
    expect((await book(api, school.dispatcher, dualBody(school))).statusCode).toBe(201)
    const onOther = {
      start: '2026-11-24T10:00:00Z',
      end: '2026-11-24T12:00:00Z',
      extra: { resource: { id: other.id } },
    }
    expect(await refusedBooking(api, school.dispatcher, dualBody(school, onOther))).toHaveLength(1)
  })

  test('follows the older word for its enforcement, and answers both', async ({ api, school, add }) => {
    const { id } = await add({ name: 'X', kind: 'expiring' })
    const change = (body: object) => expectOk(api, school.admin, 'PATCH', `/currencies/${id}`, body)
    expect(await change({ blocking: true })).toMatchObject({
      enforcement: 'block',
      blocking: true,
      appliesTo: 'everyone',
    })
    expect(await change({ blocking: false })).toMatchObject({ enforcement: 'warn', blocking: false })
    expect(await change({ enforcement: 'off' })).toMatchObject({ enforcement: 'off', blocking: false })
    expect(await change({ blocking: false, liftedWhenSupervised: true, overridableBy: ['dispatcher'] })).toMatchObject({
      enforcement: 'off',
      liftedWhenSupervised: true,
      overridableBy: ['dispatcher'],
    })
  })

  test('refuses nothing once it does not block', async ({ api, school, add }) => {
    await add({ ...medical, blocking: false })
    expect((await book(api, school.dispatcher, dualBody(school))).statusCode).toBe(201)
  })

  test('refuses the bookings of a series that start after its end, naming their dates', async ({
    api,
    school,
    add,
    record,
  }) => {
    const currency = await add(medical)
    await record(school.admin, school.student, currency, until('2026-12-01T00:00:00Z'))
    const body = dualBody(school, { extra: { recurrence: { frequency: 'weekly', count: 3 } } })
    const problems = await refusedBooking(api, school.dispatcher, body)
    expect(problems).toMatchObject([{ code: 'NOT_CURRENT', index: 3, start: '2026-12-07T10:00:00.000Z' }])
  })

  test('counts signed flights, on its own aircraft when it names them', async ({ api, school, add }) => {
    await add({ name: 'Recency', kind: 'recent_flights', count: 1, days: 90, roles: ['student'], blocking: true })
    const pilot = await buildMember(api, school.organizationId, ['student'])
    const flight = { students: [pilot], start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }
    expect(await refusedBooking(api, school.dispatcher, dualBody(school, flight))).toMatchObject([
      { code: 'NOT_CURRENT', message: `${pilot.name} is not current: Recency (0 of 1 flight in the last 90 days)` },
    ])
    await api.core.database.pool.query("update currency set enforcement = 'warn' where name = 'Recency'")
    await closedOutFlight(api, school, {
      students: [pilot],
      start: '2026-11-20T10:00:00Z',
      end: '2026-11-20T12:00:00Z',
    })
    await api.core.database.pool.query("update currency set enforcement = 'block' where name = 'Recency'")
    expect((await book(api, school.dispatcher, dualBody(school, flight))).statusCode).toBe(201)
    const other = await buildPlane(api, school)
    await add({ name: 'On type', kind: 'recent_flights', count: 1, days: 90, resourceIds: [other.id], blocking: true })
    const next = {
      students: [pilot],
      start: '2026-11-25T10:00:00Z',
      end: '2026-11-25T12:00:00Z',
      extra: { resource: { id: other.id } },
    }
    expect(await refusedBooking(api, school.dispatcher, dualBody(school, next))).toMatchObject([
      { code: 'NOT_CURRENT', orgUserId: school.instructor.orgUserId },
      { code: 'NOT_CURRENT', orgUserId: pilot.orgUserId },
    ])
    const standing = await expectOk<Standing[]>(api, pilot, 'GET', '/currencies/me')
    expect(standing).toMatchObject([
      // Ninety days after the flight of 20 November, the day of 18 February is the last.
      { completedAt: '2026-11-20T10:00:00.000Z', expiresAt: '2027-02-19T00:00:00.000Z', status: 'current' },
      { completedAt: null, status: 'missing' },
    ])
  })
})
