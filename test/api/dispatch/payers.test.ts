import { describe, expect } from 'vitest'
import { buildMember, type Member, type School } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, fly, setRates, sign } from '../../support/flights.ts'

interface Given {
  school: School
  ana: Member
  ben: Member
}

const test = schoolTest()
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

interface Reviewed {
  review: { needs: string[]; confirmations: object[]; signedOffAt: string | null }
}

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

  test('may be own readings', async ({ api, school, ana, ben, id }) => {
    const readings = [
      { ...of(ana), hobbsTimeOut: 1000, hobbsTimeIn: 1000.8 },
      { ...of(ben), hobbsTimeOut: 1000.8, hobbsTimeIn: 1001.4, tachTimeOut: 900.6, tachTimeIn: 901.2 },
    ]
    await expectOk(api, school.dispatcher, 'PUT', `/reservations/${id}/payers`, { payers: readings })
    expect(await expectOk(api, ana, 'GET', `/reservations/${id}`)).toMatchObject({ payers: [readings[0]] })
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({ payers: readings })
  })

  test('need not add up before the flight is invoiced', async ({ api, school, ana, id, put }) => {
    expect((await put(ana, [{ ...of(ana), percentage: 40 }])).statusCode).toBe(200)
    await fly(api, school, id)
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/confirmReview`)
    await expectOk(api, ana, 'POST', `/reservations/${id}/confirmReview`)
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
    const seen = await expectOk<{ payers: object[] }>(api, ben, 'GET', `/reservations/${id}`)
    expect(seen.payers).toMatchObject([{ orgUserId: ben.orgUserId, percentage: 60 }])
  })

  test('are kept in the history of the booking', async ({ api, ana, id, put }) => {
    await put(ana, [{ ...of(ana), percentage: 100 }])
    const events = await api.core.database.db
      .selectFrom('event')
      .select(['membership_id', 'before', 'after'])
      .where('subject_id', '=', id)
      .where('kind', '=', 'reservation.payers_changed')
      .execute()
    expect(events).toMatchObject([
      { membership_id: ana.orgUserId, before: { payers: [] }, after: { payers: [{ kind: 'percentage' }] } },
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
    const made = await expectOk<{ id: number; personnel: { guests: { guestId: number }[] } }>(
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

/** The stakes of two payers in percent. */
const shares = (ana: Member, ben: Member, [first, second]: [number, number]) => [
  { ...of(ana), percentage: first },
  { ...of(ben), percentage: second },
]

describe('a larger share', () => {
  test('is taken by who pays it, and put on nobody else by a payer', async ({ school, ana, ben, put }) => {
    // By default the first student pays everything.
    const refused = await put(ana, shares(ana, ben, [50, 50]))
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'You cannot raise the share of another payer. Only that payer or the desk can.',
    ])
    expect((await put(ana, [{ ...of(ana), waived: true }])).statusCode).toBe(403)
    expect((await put(ben, shares(ana, ben, [50, 50]))).statusCode).toBe(200)
    expect((await put(ana, shares(ana, ben, [49.99, 50.01]))).statusCode).toBe(403)
    expect((await put(ana, shares(ana, ben, [60, 40]))).statusCode).toBe(200)
    expect((await put(ben, [])).statusCode).toBe(403)
    expect((await put(school.instructor, [])).statusCode).toBe(200)
    expect((await put(school.dispatcher, shares(ana, ben, [0, 100]))).statusCode).toBe(200)
  })

  test('by readings counts as one by percentages does', async ({ ana, ben, put }) => {
    const readings = (hours: [number, number]) =>
      [ana, ben].map((who, index) => ({ ...of(who), hobbsTimeOut: 0, hobbsTimeIn: hours[index] }))
    expect((await put(ben, readings([3, 1]))).statusCode).toBe(200)
    expect((await put(ana, readings([2.9, 1.1]))).statusCode).toBe(403)
    expect((await put(ana, shares(ana, ben, [74, 26]))).statusCode).toBe(403)
    expect((await put(ana, shares(ana, ben, [75, 25]))).statusCode).toBe(200)
  })

  test('clears the signatures, which a payer may not do for others; the same shares write nothing', async ({
    api,
    school,
    ana,
    ben,
    id,
    put,
  }) => {
    const signed = async () => {
      const { review } = await expectOk<Reviewed>(api, school.admin, 'GET', `/reservations/${id}`)
      return [review.confirmations.length, review.signedOffAt !== null]
    }
    await put(ana, shares(ana, ben, [100, 0]))
    await fly(api, school, id)
    await expectOk(api, ben, 'POST', `/reservations/${id}/confirmReview`)
    expect((await put(ben, shares(ana, ben, [90, 10]))).statusCode).toBe(200)
    expect(await signed()).toEqual([0, false])
    await sign(api, school, id, ben)
    expect(await signed()).toEqual([2, true])
    for (const who of [ana, school.admin]) {
      expect((await put(who, shares(ana, ben, [90, 10]).reverse())).statusCode).toBe(200)
    }
    expect(await signed()).toEqual([2, true])
    expect((await put(ben, shares(ana, ben, [80, 20]))).statusCode).toBe(403)
    expect((await put(ana, shares(ana, ben, [95, 5]))).statusCode).toBe(403)
    expect(await signed()).toEqual([2, true])
    expect((await put(school.dispatcher, shares(ana, ben, [0, 100]))).statusCode).toBe(200)
    expect(await signed()).toEqual([0, false])
    const unsigned = await api.as(school.admin).post(`/reservations/${id}/invoices`)
    expect([unsigned.statusCode, unsigned.json().message]).toEqual([
      400,
      expect.stringContaining('The flight is not closed out'),
    ])
  })

  test('is not put on a pilot who stays by another order of seats, or by an instructor who pays', async ({
    api,
    school,
    put,
  }) => {
    const { pool } = api.core.database
    const [rae, kit] = [school.renter, school.instructor]
    await pool.query('update membership set renter = true where id = $1', [kit.orgUserId])
    const shared = async (day: number, pilots: Member[]) => {
      const hours = { start: `2026-12-0${day}T10:00:00Z`, end: `2026-12-0${day}T12:00:00Z` }
      const personnel = { pilots: pilots.map(of) }
      return (
        await expectOk<{ id: number }>(api, pilots[0]!, 'POST', '/reservations', {
          ...dualBody(school, hours),
          type: 'shared',
          personnel,
        })
      ).id
    }
    const id = await shared(1, [rae, kit])
    const reorder = (who: Member, pilots: Member[]) =>
      api.as(who).patch(`/reservations/${id}`, { personnel: { pilots: pilots.map(of) } })
    expect((await reorder(rae, [kit, rae])).statusCode).toBe(403)
    expect((await put(kit, [{ ...of(rae), percentage: 100 }], id)).statusCode).toBe(200)
    const second = await shared(2, [kit, rae])
    expect((await put(kit, [{ ...of(rae), percentage: 100 }], second)).statusCode).toBe(403)
    expect((await reorder(school.dispatcher, [kit, rae])).statusCode).toBe(200)
  })
})

describe('what the desk divides', () => {
  test('stands when a pilot changes who is on the booking, in steps', async ({ api, school, put }) => {
    const [rae, vic, nia] = [
      school.renter,
      await buildMember(api, school.organizationId, ['renter']),
      await buildMember(api, school.organizationId, ['renter']),
    ]
    const hours = { start: '2026-12-08T10:00:00Z', end: '2026-12-08T12:00:00Z' }
    const body = { ...dualBody(school, hours), type: 'shared', personnel: { pilots: [vic, rae].map(of) } }
    const { id } = await expectOk<{ id: number }>(api, rae, 'POST', '/reservations', body)
    const seat = async (who: Member, pilots: Member[]) => {
      const answer = await api.as(who).patch(`/reservations/${id}`, { personnel: { pilots: pilots.map(of) } })
      return [answer.statusCode, answer.json().message]
    }
    await expectOk(api, school.dispatcher, 'PUT', `/reservations/${id}/payers`, { payers: shares(rae, vic, [100, 0]) })
    expect(await seat(rae, [rae, nia])).toEqual([
      403,
      'The shares of the booking are set, so you cannot take another payer off it. Only that payer or the desk can.',
    ])
    expect((await put(rae, [], id)).statusCode).toBe(403)
    expect((await seat(rae, [vic, rae, nia]))[0]).toBe(200)
    expect((await put(rae, [], id)).statusCode).toBe(403)
    // Who leaves themself, or is taken off by the desk, takes their stake along.
    expect((await seat(school.dispatcher, [rae, nia]))[0]).toBe(200)
    expect((await put(rae, [], id)).statusCode).toBe(200)
    // Whoever comes leads only when the desk says so.
    expect((await seat(rae, [vic, rae, nia]))[0]).toBe(403)
    expect((await seat(rae, [rae, nia, vic]))[0]).toBe(200)
    expect((await seat(school.dispatcher, [vic, rae, nia]))[0]).toBe(200)
  })
})

describe('figures that look like a typo, of a flight of several payers', () => {
  test('are signed by every payer when one of them confirms them, until staff do', async ({ api, school }) => {
    const [rae, kit] = [school.renter, await buildMember(api, school.organizationId, ['renter'])]
    const hours = { start: '2026-12-05T10:00:00Z', end: '2026-12-05T11:00:00Z' }
    const body = { ...dualBody(school, hours), type: 'rental', personnel: { renters: [kit, rae].map(of) } }
    const url = `/reservations/${(await expectOk<{ id: number }>(api, rae, 'POST', '/reservations', body)).id}`
    const review = async () => (await expectOk<Reviewed>(api, school.admin, 'GET', url)).review
    const sign = (who: Member) => expectOk(api, who, 'POST', `${url}/confirmReview`)
    const todo = async (who: Member) =>
      (await expectOk<{ kind: string }[]>(api, who, 'GET', '/todo/me')).filter(({ kind }) => kind === 'confirm_review')
        .length
    const { rows } = await api.core.database.pool.query(
      'select hobbs_hundredths / 100.0 as hobbs, tach_hundredths / 100.0 as tach from resource where id = $1',
      [school.plane.id],
    )
    const [hobbs, tach] = [Number(rows[0].hobbs), Number(rows[0].tach)]
    await expectOk(api, rae, 'POST', `${url}/rampOut`, { hobbsTimeOut: hobbs, tachTimeOut: tach })
    // An hour was booked, so more than three hours are odd.
    const odd = { hobbsTimeIn: hobbs + 5, tachTimeIn: tach + 1 }
    expect((await api.as(rae).post(`${url}/rampIn`, odd)).statusCode).toBe(409)
    await expectOk(api, rae, 'POST', `${url}/rampIn`, { ...odd, confirmMeterAnomaly: true })
    await sign(rae)
    expect(await review()).toMatchObject({ needs: ['renters'], signedOffAt: null })
    api.clock.now = new Date(hours.end)
    expect([await todo(rae), await todo(kit)]).toEqual([0, 1])
    await sign(kit)
    expect(await review()).toMatchObject({ needs: [], signedOffAt: expect.any(String) })
    // The same figures, confirmed by the desk: one signature is enough.
    const same = { hobbsTimeOut: hobbs, hobbsTimeIn: hobbs + 5, confirmMeterAnomaly: true }
    expect((await api.as(school.dispatcher).post(`${url}/updateReviewTimes`, same)).json().noChanges).toBeUndefined()
    await sign(rae)
    expect((await review()).signedOffAt).not.toBeNull()
    // A payer corrects another meter: the odd one is theirs again.
    const tachs = { tachTimeOut: tach, tachTimeIn: tach + 1.1 }
    expect((await api.as(rae).post(`${url}/updateReviewTimes`, tachs)).statusCode).toBe(200)
    await sign(rae)
    expect((await review()).signedOffAt).toBeNull()
    const plain = { hobbsTimeOut: hobbs, hobbsTimeIn: hobbs + 1 }
    expect((await api.as(rae).post(`${url}/updateReviewTimes`, plain)).statusCode).toBe(200)
    await sign(kit)
    expect((await review()).signedOffAt).not.toBeNull()
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

  test('when the booking is invoiced or cancelled', async ({ api, school, ana, id, put }) => {
    const billed = await closedOutFlight(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    await expectOk(api, school.admin, 'POST', `/reservations/${billed}/invoices`)
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
