import { describe, expect } from 'vitest'
import { buildMember, buildSchool, type Member, type School } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, closedOutFlight, dualBody, fly, must, setRates } from '../../support/flights.ts'

interface Given {
  school: School
  ana: Member
  ben: Member
}

const test = schoolTest({ env: { PROCESSOR_WAIT_MS: '0' } })
  .extend('ana', ({ school }) => school.student)
  .extend('ben', ({ api, school }) => buildMember(api, school.organizationId, ['student']))
  /** A dual with two students, who pay. */
  .extend('id', { auto: true }, async ({ api, school, ana, ben }) => {
    await setRates(api, school)
    return bookDual(api, school, { students: [ana, ben] })
  })
  .extend('put', ({ api, id }) => (who: Member, payers: unknown, reservation = id) => {
    return api.as(who).put(`/reservations/${reservation}/payers`, { payers })
  })

const of = ({ orgUserId }: Member) => ({ orgUserId })

describe('the stakes of a booking (§Reservations, PUT payers)', () => {
  test('are answered as they were sent, under both names, and replace the earlier set', async ({
    school,
    ana,
    ben,
    put,
  }) => {
    const first = await put(school.dispatcher, [
      { ...of(ana), percentage: 33.33 },
      { ...of(ben), percentage: 66.67 },
    ])
    expect(first.statusCode).toBe(200)
    const { payers, paymentOverrides } = first.json().data
    expect(payers).toEqual([
      { orgUserId: ana.orgUserId, guestId: null, name: ana.name, percentage: 33.33 },
      { orgUserId: ben.orgUserId, guestId: null, name: ben.name, percentage: 66.67 },
    ])
    expect(paymentOverrides).toEqual(payers)
    const second = await put(school.instructor, [{ ...of(ben), waived: true }])
    expect(second.json().data.payers).toEqual([
      { orgUserId: ben.orgUserId, guestId: null, name: ben.name, waived: true },
    ])
    expect((await put(school.admin, [])).json().data.payers).toEqual([])
  })

  test('may be own readings', async ({ api, school, ana, ben, id, put }) => {
    const readings = [
      { ...of(ana), hobbsTimeOut: 1000, hobbsTimeIn: 1000.8 },
      { ...of(ben), hobbsTimeOut: 1000.8, hobbsTimeIn: 1001.4, tachTimeOut: 900.6, tachTimeIn: 901.2 },
    ]
    expect((await put(ana, readings)).json().data.payers).toMatchObject([readings[0]])
    expect(await must(api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({ payers: readings })
  })

  test('need not add up before the flight is invoiced', async ({ api, school, ana, id, put }) => {
    expect((await put(ana, [{ ...of(ana), percentage: 40 }])).statusCode).toBe(200)
    await fly(api, school, id)
    await must(api, school.instructor, 'POST', `/reservations/${id}/confirmReview`)
    await must(api, ana, 'POST', `/reservations/${id}/confirmReview`)
    const refused = await api.as(school.admin).post(`/reservations/${id}/invoices`)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'payers: the percentages total 40.00, they must total 100',
    ])
  })

  test('of other members are hidden from a member', async ({ api, school, ana, ben, id, put }) => {
    await put(school.admin, [
      { ...of(ana), percentage: 40 },
      { ...of(ben), percentage: 60 },
    ])
    const seen = await must<{ payers: object[] }>(api, ben, 'GET', `/reservations/${id}`)
    expect(seen.payers).toMatchObject([{ orgUserId: ben.orgUserId, percentage: 60 }])
  })

  test('are kept in the history of the booking', async ({ api, ana, id, put }) => {
    await put(ana, [{ ...of(ana), waived: true }])
    const events = await api.core.database.db
      .selectFrom('event')
      .select(['membership_id', 'before', 'after'])
      .where('subject_id', '=', id)
      .where('kind', '=', 'reservation.payers_changed')
      .execute()
    expect(events).toMatchObject([
      { membership_id: ana.orgUserId, before: { payers: [] }, after: { payers: [{ kind: 'waived' }] } },
    ])
  })

  test('are given by guestId for a guest who flies', async ({ api, school, put }) => {
    const body = {
      ...dualBody(school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }),
      type: 'guest',
      personnel: {
        instructors: [of(school.instructor)],
        guests: [{ name: 'Gil Moss', email: 'gil@example.com' }],
      },
    }
    const made = await must<{ id: number; personnel: { guests: { guestId: number }[] } }>(
      api,
      school.dispatcher,
      'POST',
      '/reservations',
      body,
    )
    const guestId = made.personnel.guests[0]?.guestId
    const answer = await put(school.dispatcher, [{ guestId, percentage: 100 }], made.id)
    expect(answer.json().data.payers).toEqual([{ orgUserId: null, guestId, name: 'Gil Moss', percentage: 100 }])
  })
})

describe('saving stakes is refused', () => {
  test.for<[string, (given: Given) => unknown[], string]>([
    ['a stake for nobody', () => [{ percentage: 100 }], 'payers.0'],
    ['a stake for two at once', ({ ana }) => [{ ...of(ana), guestId: 1, percentage: 100 }], 'payers.0'],
    ['somebody who is not on the booking', ({ school }) => [{ ...of(school.renter), waived: true }], 'payers.0'],
    ['the instructor, who does not pay', ({ school }) => [{ ...of(school.instructor), waived: true }], 'payers.0'],
    ['somebody who is nowhere', () => [{ orgUserId: 2_147_483_647, waived: true }], 'payers.0'],
    [
      'one person twice',
      ({ ana }) => [
        { ...of(ana), percentage: 50 },
        { ...of(ana), percentage: 50 },
      ],
      'payers.1',
    ],
    [
      'two kinds',
      ({ ana, ben }) => [
        { ...of(ana), percentage: 50 },
        { ...of(ben), hobbsTimeOut: 1, hobbsTimeIn: 2 },
      ],
      'payers.1',
    ],
    ['two kinds in one', ({ ana }) => [{ ...of(ana), percentage: 50, waived: true }], 'payers.0'],
    ['no kind', ({ ana }) => [{ ...of(ana), waived: false }], 'payers.0'],
    ['a reading that runs backwards', ({ ana }) => [{ ...of(ana), hobbsTimeOut: 5, hobbsTimeIn: 4.9 }], 'payers.0'],
    ['half a meter', ({ ana }) => [{ ...of(ana), tachTimeOut: 5 }], 'payers.0'],
    ['more than everything', ({ ana }) => [{ ...of(ana), percentage: 100.01 }], 'payers.0.percentage'],
    ['three decimals', ({ ana }) => [{ ...of(ana), percentage: 33.333 }], 'payers.0.percentage'],
    ['no list', () => 'all' as unknown as unknown[], 'payers'],
  ])('when the body has an error: %s', async ([_, payers, field], { school, ana, ben, put }) => {
    const refused = await put(school.admin, payers({ school, ana, ben }))
    expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, field])
  })

  test('for somebody who is neither staff nor on the booking', async ({ api, school, ana, put }) => {
    const stakes = [{ ...of(ana), waived: true }]
    for (const who of [school.renter, school.technician]) expect((await put(who, stakes)).statusCode).toBe(403)
    for (const who of [ana, school.instructor, school.dispatcher, school.owner]) {
      expect((await put(who, stakes)).statusCode).toBe(200)
    }
    const elsewhere = await buildSchool(api)
    expect((await put(elsewhere.admin, stakes)).statusCode).toBe(404)
  })

  test('when the booking is invoiced or cancelled', async ({ api, school, ana, id, put }) => {
    const billed = await closedOutFlight(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    await must(api, school.admin, 'POST', `/reservations/${billed}/invoices`)
    const refused = await put(school.admin, [{ ...of(ana), waived: true }], billed)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'The booking is invoiced already; its payers can no longer change.',
    ])
    await api.core.database.db
      .updateTable('reservation')
      .set({ live: false, cancelled_at: api.clock.now })
      .where('id', '=', id)
      .execute()
    expect((await put(school.admin, [])).json().message).toBe('The booking is cancelled.')
  })
})
