import { describe, expect } from 'vitest'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildPlane, buildSchool } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly, setRates } from '../../../support/flights.ts'

interface Rule {
  key: string
  fixed: boolean
  enforcement: string
  liftedWhenSupervised: boolean
  overridableBy: string[]
  currencyId?: number
}

const test = schoolTest()
  .extend(
    'listed',
    ({ api, school }) =>
      async (key: string) =>
        (await expectOk<Rule[]>(api, school.student, 'GET', '/rules')).find((rule) => rule.key === key),
  )
  .extend(
    'set',
    ({ api, school }) =>
      (key: string, body: object, who = school.admin) =>
        api.as(who).patch(`/rules/${key}`, body),
  )
  .extend(
    'medical',
    ({ api, school }) =>
      (more: object) =>
        expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', {
          name: 'Medical',
          kind: 'expiring',
          ...more,
        }),
  )

describe('the rules of an organization (interface §Booking rules)', () => {
  test('are read by every member: the fixed ones, those that it sets, and its currencies', async ({
    listed,
    medical,
  }) => {
    const { id } = await medical({ appliesTo: 'pic', liftedWhenSupervised: true })
    expect(await listed('resource_clash')).toMatchObject({ fixed: true, enforcement: 'block', overridableBy: [] })
    expect(await listed('opening_hours')).toMatchObject({
      fixed: false,
      enforcement: 'block',
      liftedWhenSupervised: false,
      overridableBy: ['owner', 'admin', 'dispatcher'],
    })
    expect(await listed(`currency:${id}`)).toMatchObject({
      fixed: false,
      enforcement: 'warn',
      liftedWhenSupervised: true,
      currencyId: id,
      title: 'Medical',
    })
  })

  test('are changed one by one by an admin, and of a currency the currency itself', async ({
    api,
    school,
    set,
    listed,
    medical,
  }) => {
    const { id } = await medical({})
    const [, changed] = await Promise.all([
      set('availability', { enforcement: 'off' }),
      set('opening_hours', { enforcement: 'warn', overridableBy: ['admin', 'admin'] }),
    ])
    expect(changed.json().data).toMatchObject({ key: 'opening_hours', enforcement: 'warn', overridableBy: ['admin'] })
    expect(await listed('availability')).toMatchObject({ enforcement: 'off', liftedWhenSupervised: false })
    expect((await set(`currency:${id}`, { enforcement: 'block' })).json().data).toMatchObject({ currencyId: id })
    expect(await expectOk(api, school.student, 'GET', '/currencies')).toMatchObject([{ id, blocking: true }])
    const entries = await expectOk<object[]>(api, school.admin, 'GET', '/audit?action=rule.changed')
    expect(entries).toContainEqual(
      expect.objectContaining({
        subject: { kind: 'organization', id: school.organizationId },
        before: expect.objectContaining({ key: 'availability', enforcement: 'block' }),
        after: expect.objectContaining({ key: 'availability', enforcement: 'off' }),
      }),
    )
  })

  test('are kept through a change of the organization’s settings, which cannot set them', async ({
    api,
    school,
    set,
    listed,
  }) => {
    await set('availability', { enforcement: 'warn' })
    const rules = { availability: { enforcement: 'off' } }
    const body = { settings: { cancellationNoticeHours: 12, rules } }
    const changed = await expectOk<{ settings: object }>(api, school.admin, 'PATCH', '/organizations', body)
    expect(changed.settings).not.toHaveProperty('rules')
    expect(await listed('availability')).toMatchObject({ enforcement: 'warn' })
  })

  test.for([
    ['a fixed one', 'person_clash', { enforcement: 'off' }, 409],
    ['an unknown one', 'phase_of_moon', {}, 404],
    ['what every object has', 'constructor', {}, 404],
    ['a currency that is not there', 'currency:2000000000', { enforcement: 'off' }, 404],
    ['a currency beyond every id', 'currency:9999999999', { enforcement: 'off' }, 404],
    ['an unknown enforcement', 'availability', { enforcement: 'stop' }, 400],
    ['a student who overrides', 'availability', { overridableBy: ['student'] }, 400],
  ] as const)('are not changed: %s', async ([_what, key, body, status], { set }) => {
    const response = await set(key, body)
    expect(response.statusCode).toBe(status)
    if (status === 409) expect(response.json().code).toBe('RULE_FIXED')
  })

  test('of another organization stay as they are', async ({ api, school, set, medical }) => {
    const elsewhere = await buildSchool(api)
    const { id } = await medical({})
    expect((await set(`currency:${id}`, { enforcement: 'block' }, elsewhere.admin)).statusCode).toBe(404)
    await set('availability', { enforcement: 'off' }, elsewhere.admin)
    const rules = await expectOk<Rule[]>(api, school.admin, 'GET', '/rules')
    expect(rules.find(({ key }) => key === 'availability')).toMatchObject({ enforcement: 'block' })
  })
})

describe('a rule that warns (interface §Booking rules)', () => {
  test('stands beside a booking, its move, a series, a check, an approval and an opening', async ({
    api,
    school,
    medical,
  }) => {
    const { id } = await medical({ appliesTo: 'pic' })
    const warning = { rule: `currency:${id}`, code: 'NOT_CURRENT', orgUserId: school.instructor.orgUserId }
    const { body: checked } = await api.as(school.dispatcher).post('/reservations/check', dualBody(school))
    expect(JSON.parse(checked).data).toMatchObject({ ok: true, problems: [], warnings: [warning] })
    const booked = await api.as(school.dispatcher).post('/reservations', dualBody(school))
    expect(booked.statusCode).toBe(201)
    expect(booked.json().warnings).toMatchObject([{ ...warning, field: 'personnel.instructors', overridable: false }])
    const url = `/reservations/${booked.json().data.id}`
    const moved = await api.as(school.dispatcher).patch(url, { end: '2026-11-23T13:00:00Z' })
    expect(moved.json().warnings).toMatchObject([warning])
    const renamed = await api.as(school.dispatcher).patch(url, { title: 'Stalls' })
    expect(renamed.json()).not.toHaveProperty('warnings')
    const weekly = { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' }
    const series = { ...weekly, extra: { recurrence: { frequency: 'weekly', count: 2 } } }
    const repeated = await api.as(school.dispatcher).post('/reservations', dualBody(school, series))
    expect(repeated.json().warnings).toMatchObject([
      { ...warning, start: '2026-11-25T10:00:00.000Z', message: expect.stringMatching(/^2026-11-25: /) },
      { ...warning, start: '2026-12-02T10:00:00.000Z', message: expect.stringMatching(/^2026-12-02: /) },
    ])
    const window = 'startDate=2026-11-27T10:00:00Z&endDate=2026-11-27T12:00:00Z&durationMinutes=120&type=dual'
    const openings = await expectOk<object[]>(api, school.student, 'GET', `/reservations/openings?${window}`)
    expect(openings).toMatchObject([{ warnings: [{ rule: 'eligibility', code: 'NOT_ELIGIBLE' }] }])
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { approvalRequired: { student: true } } })
    const personnel = seats({ instructors: [school.instructor], students: [school.student] })
    const times = { start: '2026-11-28T10:00:00Z', end: '2026-11-28T12:00:00Z' }
    const asked = bookingBody(school, 'dual', { personnel, ...times })
    const request = await expectOk<{ id: number }>(api, school.student, 'POST', '/booking-requests', asked)
    const approved = await api.as(school.dispatcher).post(`/booking-requests/${request.id}/approve`, {})
    expect(approved.json().warnings).toMatchObject([warning])
  })

  test('lets a lapsed renter book the flight with an instructor that cures it', async ({ api, school, medical }) => {
    await medical({ name: 'Flight review', roles: ['renter'], appliesTo: 'pic', enforcement: 'block' })
    const rental = (personnel: object) => bookingBody(school, 'rental', { personnel })
    const alone = await api.as(school.renter).post('/reservations', rental(seats({ renters: [school.renter] })))
    expect(alone.json()).toMatchObject({
      code: 'NOT_CURRENT',
      details: { problems: [{ fix: { action: 'book_with_instructor' } }] },
    })
    const both = seats({ instructors: [school.instructor], renters: [school.renter] })
    const booked = await api.as(school.renter).post('/reservations', rental(both))
    expect(booked.statusCode).toBe(201)
    // Without the instructor it is judged again.
    const left = await api.as(school.admin).patch(`/reservations/${booked.json().data.id}`, {
      personnel: seats({ instructors: [], renters: [school.renter] }),
    })
    expect([left.statusCode, left.json().code]).toEqual([400, 'NOT_CURRENT'])
  })
})

describe('the papers and limits that rules ask for (interface §Booking rules)', () => {
  test('are read from endorsements, documents, maintenance items and the organization’s settings', async ({
    api,
    school,
  }) => {
    const asAdmin = (method: 'POST' | 'PATCH', url: string, body: object) =>
      expectOk(api, school.admin, method, url, body)
    const solo = (day: string) =>
      bookingBody(school, 'solo', {
        personnel: seats({ students: [school.student] }),
        start: `2026-11-${day}T10:00:00Z`,
        end: `2026-11-${day}T12:00:00Z`,
      })
    await asAdmin('PATCH', '/organizations', { settings: { requiredDocuments: { student: ['medical'] } } })
    const item = { resource: { id: school.plane.id }, name: 'Annual', basis: 'calendar', dueAt: '2026-11-20T12:00:00Z' }
    await asAdmin('POST', '/maintenance/reminders', item)
    const check = (day: string) =>
      expectOk<{ warnings: { code: string }[] }>(
        api,
        school.student,
        ...(['POST', '/reservations/check', solo(day)] as const),
      )
    const codesOf = async (day: string) => (await check(day)).warnings.map(({ code }) => code)
    expect(await codesOf('23')).toEqual(['ENDORSEMENT_MISSING', 'INSPECTION_DUE', 'DOCUMENT_MISSING'])
    for (const templateCode of ['A.3', 'A.4', 'A.6']) {
      const signed = { renderedText: 'May fly solo.', signerCertificateNumber: '3141592CFI' }
      const endorsement = { orgUserId: school.student.orgUserId, templateCode, ...signed }
      await expectOk(api, school.instructor, 'POST', '/training/endorsements', endorsement)
    }
    expect(await codesOf('23')).toEqual(['INSPECTION_DUE', 'DOCUMENT_MISSING'])
    await asAdmin('PATCH', '/organizations', { settings: { bookingLimits: { student: { maxOpenBookings: 1 } } } })
    expect((await api.as(school.student).post('/reservations', solo('23'))).statusCode).toBe(201)
    const more = await api.as(school.student).post('/reservations', solo('24'))
    expect(more.json()).toMatchObject({ code: 'BOOKING_LIMIT', details: { problems: [{ rule: 'booking_limits' }] } })
    await asAdmin('PATCH', '/organizations', { settings: { bookingLimits: { student: null } } })
    expect((await api.as(school.student).post('/reservations', solo('24'))).statusCode).toBe(201)
  })
})

describe('the citizenship of a student (49 CFR 1552.7(a))', () => {
  test('is read from the profile, or from an endorsement A.14 in an instructor’s own name', async ({
    api,
    school,
    set,
  }) => {
    await set('citizenship', { enforcement: 'block' })
    const codes = async () => {
      const checked = await expectOk<{ problems: { code: string }[] }>(
        api,
        ...([school.dispatcher, 'POST', '/reservations/check', dualBody(school)] as const),
      )
      return checked.problems.map(({ code }) => code)
    }
    expect(await codes()).toEqual(['CITIZENSHIP_UNVERIFIED'])
    const profile = `/orgUsers/${school.student.orgUserId}/profile`
    await expectOk(api, school.admin, 'PATCH', profile, { citizenshipVerification: { kind: 'us_passport' } })
    expect(await codes()).toEqual([])
    await expectOk(api, school.admin, 'PATCH', profile, { citizenshipVerification: null })
    expect(await codes()).toEqual(['CITIZENSHIP_UNVERIFIED'])
    const signed = { renderedText: 'Showed a passport.', signerCertificateNumber: '3141592CFI' }
    const a14 = { orgUserId: school.student.orgUserId, templateCode: 'A.14', ...signed }
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', a14)
    expect(await codes()).toEqual([])
  })
})

describe('the balance of who pays (interface §Booking rules)', () => {
  test('is asked for by a booking, a series, a move, an approval and openings, and read from the ledger', async ({
    api,
    school,
    set,
  }) => {
    await setRates(api, school)
    const day = (date: string, until = '12') => ({
      start: `2026-11-${date}T10:00:00Z`,
      end: `2026-11-${date}T${until}:00:00Z`,
    })
    const book = (body: object) => api.as(school.dispatcher).post('/reservations', body)
    // Two hours cost 360.00 for the aircraft and 120.00 for the instructor.
    const paidIn = { kind: 'deposit', amountCents: 48_000, memo: 'Check' }
    await expectOk(api, school.admin, 'POST', `/orgUsers/${school.student.orgUserId}/ledger`, paidIn)
    await set('minimum_balance', { enforcement: 'block' })
    const { id } = (await book(dualBody(school, day('23')))).json().data
    const tooMuch = await api.as(school.dispatcher).patch(`/reservations/${id}`, day('23', '13'))
    expect(tooMuch.json()).toMatchObject({
      code: 'BALANCE_TOO_LOW',
      message: `${school.student.name} lacks $240.00 for this booking`,
      details: { problems: [{ rule: 'minimum_balance', fix: { action: 'add_funds', missingCents: 24_000 } }] },
    })
    await expectOk(api, school.owner, 'PATCH', '/organizations', {
      settings: { minimumBalanceCents: 1, approvalRequired: { student: true } },
    })
    const refused = async (body: object) => (await book(body)).json().code
    expect(await refused(dualBody(school, day('24')))).toBe('BALANCE_TOO_LOW')
    const recurrence = { frequency: 'weekly', count: 2 }
    expect(await refused(dualBody(school, { ...day('25'), extra: { recurrence } }))).toBe('BALANCE_TOO_LOW')
    const personnel = seats({ instructors: [school.instructor], students: [school.student] })
    const asked = bookingBody(school, 'dual', { personnel, ...day('26') })
    const request = await expectOk<{ id: number }>(api, school.student, 'POST', '/booking-requests', asked)
    const approved = await api.as(school.dispatcher).post(`/booking-requests/${request.id}/approve`, {})
    expect(approved.json().code).toBe('BALANCE_TOO_LOW')
    const window = 'startDate=2026-11-27T10:00:00Z&endDate=2026-11-27T12:00:00Z&durationMinutes=120&type=dual'
    const openings = () => expectOk<object[]>(api, school.student, 'GET', `/reservations/openings?${window}`)
    expect(await openings()).toEqual([])
    await set('minimum_balance', { enforcement: 'warn' })
    expect(await openings()).toMatchObject([{ warnings: [{ rule: 'minimum_balance' }] }])
  })

  test('is asked for with taxes, unless the member is exempt', async ({ api, school, set }) => {
    await setRates(api, school)
    const paidIn = { kind: 'deposit', amountCents: 48_000, memo: 'Check' }
    await expectOk(api, school.admin, 'POST', `/orgUsers/${school.student.orgUserId}/ledger`, paidIn)
    await set('minimum_balance', { enforcement: 'block' })
    const taxRates = [{ name: 'Sales tax', basisPoints: 725, appliesTo: ['aircraft'] }]
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { taxRates } })
    const dual = dualBody(school, { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' })
    const book = () => api.as(school.dispatcher).post('/reservations', dual)
    // Two hours cost 360.00 for the aircraft and 120.00 for the instructor; 36,000 × 7.25 % = 2,610.
    const lacks = { rule: 'minimum_balance', fix: { missingCents: 2_610 } }
    expect((await book()).json()).toMatchObject({ code: 'BALANCE_TOO_LOW', details: { problems: [lacks] } })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { taxExempt: true })
    expect((await book()).statusCode).toBe(201)
  })
})

describe('what a booking carries and how it is flown (14 CFR 61.57)', () => {
  const rental = { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' }

  test('is asked when it is booked, changed, and requested and approved', async ({ api, school, medical }) => {
    await medical({ kind: 'passenger_day', appliesTo: 'pic', enforcement: 'block' })
    const personnel = seats({ renters: [school.renter] })
    const booked = await expectOk<{ id: number }>(
      api,
      ...([school.renter, 'POST', '/reservations', bookingBody(school, 'rental', { personnel })] as const),
    )
    const changed = await api.as(school.renter).patch(`/reservations/${booked.id}`, { passengers: 1 })
    expect(changed.json()).toMatchObject({ code: 'NOT_CURRENT' })
    const ifr = await expectOk(api, school.renter, 'PATCH', `/reservations/${booked.id}`, { ifr: true })
    expect(ifr).toMatchObject({ ifr: true, passengers: 0 })
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { approvalRequired: { renter: true } } })
    const asked = bookingBody(school, 'rental', { personnel, ...rental, passengers: 2 })
    const request = await expectOk<{ id: number }>(api, school.renter, 'POST', '/booking-requests', asked)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${booked.id}`, { end: '2026-11-23T10:30:00Z' })
    const approved = await api.as(school.dispatcher).post(`/booking-requests/${request.id}/approve`, {
      resource: { id: school.plane.id },
    })
    expect(approved.json().details.problems).toContainEqual(expect.objectContaining({ code: 'NOT_CURRENT' }))
  })
})

describe('the hours of an instructor (14 CFR 61.195(a))', () => {
  test('are those that were flown by the Hobbs, and the others as they are booked', async ({ api, school }) => {
    // Booked for two hours, and flown for 1.4.
    await fly(api, school, await bookDual(api, school))
    const lasting = async (end: string) => {
      const body = dualBody(school, { start: '2026-11-23T13:00:00Z', end: `2026-11-23T${end}:00Z` })
      const asked = await expectOk<{ warnings: { code: string }[] }>(
        api,
        ...([school.dispatcher, 'POST', '/reservations/check', body] as const),
      )
      return asked.warnings.map(({ code }) => code)
    }
    expect(await lasting('19:30')).toEqual([])
    expect(await lasting('19:37')).toEqual(['DUTY_LIMIT'])
  })
})

describe('a refusal', () => {
  test('names other aircraft for the time, or the next time for the aircraft and people', async ({ api, school }) => {
    await bookDual(api, school)
    const alone = bookingBody(school, 'rental', { personnel: seats({ renters: [school.renter] }) })
    const problems = async (body: object) =>
      (await expectOk<{ problems: { fix?: object }[] }>(api, school.renter, 'POST', '/reservations/check', body))
        .problems
    expect((await problems(alone))[0]).not.toHaveProperty('fix')
    const other = await buildPlane(api, school)
    expect(await problems(alone)).toMatchObject([{ fix: { action: 'choose_resource', resourceIds: [other.id] } }])
    const taken = await api.as(school.dispatcher).post('/reservations', dualBody(school))
    const next = { action: 'choose_time', start: '2026-11-23T12:00:00.000Z', end: '2026-11-23T14:00:00.000Z' }
    expect(taken.json().details.problems).toMatchObject([{ fix: next }, { fix: next }, { fix: next }])
  })
})
