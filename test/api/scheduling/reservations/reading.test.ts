import { describe, expect } from 'vitest'
import { cents } from '../../../../src/shared/platform/kernel/units.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildLocation, buildMember, buildPlane, buildSchool, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, closedOutFlight, expectOk, fly } from '../../../support/flights.ts'

const test = sharedSchoolTest()
  .extend('elsewhere', { scope: 'file', auto: true }, ({ api }) => buildSchool(api))
  .extend('otherPlane', { scope: 'file', auto: true }, async ({ api, school }) => {
    const north = await buildLocation(api, school.organizationId, { name: 'North Field' })
    return buildPlane(api, { organizationId: school.organizationId, location: north }, { name: 'N900NF' })
  })
  .extend('ids', { scope: 'file', auto: true }, async ({ api, school, otherPlane }) => {
    const rental = bookingBody(school, 'rental', {
      title: 'Sunset tour',
      notes: 'The codeword is marmalade',
      start: '2026-11-24T20:00:00Z',
      end: '2026-11-24T22:00:00Z',
      resource: { id: otherPlane.id },
      personnel: seats({ renters: [school.renter] }),
    })
    return {
      past: await closedOutFlight(api, school, { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' }),
      ongoing: await bookDual(api, school, { start: '2026-11-21T11:00:00Z', end: '2026-11-21T13:00:00Z' }),
      lesson: await bookDual(api, school),
      rental: (await expectOk<{ id: number }>(api, school.renter, 'POST', '/reservations', rental)).id,
      cancelled: await bookDual(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' }),
    }
  })
  .extend(
    'listed',
    ({ api, school, ids }) =>
      async (query: string, who: Member = school.student, url = '/reservations'): Promise<string[]> => {
        const rows = await expectOk<{ id: number }[]>(api, who, 'GET', `${url}?${query}`)
        return rows.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? `another: ${id}`)
      },
  )

const WINDOW = 'startDate=2026-11-20T00:00:00Z&endDate=2026-11-30T00:00:00Z'

test.beforeAll(async ({ api, school, elsewhere, ids }) => {
  await bookDual(api, elsewhere)
  const body = { reason: 'Fog', category: 'weather' }
  await api.as(school.admin).delete(`/reservations/${ids.cancelled}`, body)
})

describe('the list of reservations (§Reservations, GET /reservations)', () => {
  test.for([
    ['status=signed_off', ['past']],
    ['status=booked', ['rental', 'lesson', 'ongoing']],
    ['status=signed_off,cancelled', ['cancelled', 'past']],
    ['status=invoiced,ramped_in,ramped_out', []],
    ['type=rental', ['rental']],
    ['type=rental,dual', ['rental', 'lesson', 'ongoing', 'past']],
    ['type=dual&status=booked&ongoing=false', ['lesson']],
    ['orgUserId=renter', ['rental']],
    ['orgUserId=renter,student', ['rental', 'lesson', 'ongoing', 'past']],
    ['instructorOrgUserId=instructor', ['lesson', 'ongoing', 'past']],
    ['instructorOrgUserId=student', []],
    ['instructorOrgUserId=instructor&orgUserId=renter', []],
  ] as const)('is narrowed by %s', async ([query, expected], { school, listed }) => {
    const named = query.replaceAll(/\b(renter|student|instructor)\b/g, (role) =>
      String(school[role as 'renter' | 'student' | 'instructor'].orgUserId),
    )
    expect(await listed(`${WINDOW}&${named}`, school.dispatcher)).toEqual(expected)
  })

  test('has what overlaps the window, the latest first, without cancelled bookings', async ({
    api,
    school,
    listed,
  }) => {
    const response = await api.as(school.student).get(`/reservations?${WINDOW}`)
    expect(response.headers['x-total-count']).toBe('4')
    expect(await listed(WINDOW)).toEqual(['rental', 'lesson', 'ongoing', 'past'])
  })

  const overlapping = (start: string, end: string) => `startDate=2026-11-23T${start}Z&endDate=2026-11-23T${end}Z`
  test.for<[string, string, string[]]>([
    ['a window that begins within a booking', overlapping('11:59:00', '15:00:00'), ['lesson']],
    ['a window that ends within it', overlapping('09:00:00', '10:00:01'), ['lesson']],
    ['a window within it', overlapping('10:30:00', '10:31:00'), ['lesson']],
    ['a window that begins as it ends', overlapping('12:00:00', '15:00:00'), []],
    ['a window that ends as it begins', overlapping('09:00:00', '10:00:00'), []],
    ['cancelled ones too', `${WINDOW}&includeCanceled=true`, ['cancelled', 'rental', 'lesson', 'ongoing', 'past']],
    ['not what is in progress', `${WINDOW}&ongoing=false`, ['rental', 'lesson', 'past']],
    ['only what ended before an instant', `${WINDOW}&endedBefore=2026-11-21T12:00:00Z`, ['past']],
    ['what ended before, to the moment', `${WINDOW}&endedBefore=2026-11-20T12:00:00Z`, []],
    ['the earliest first', `${WINDOW}&orderBy=asc`, ['past', 'ongoing', 'lesson', 'rental']],
    ['sorted by a path', `${WINDOW}&sort=title&order=desc`, ['rental', 'lesson', 'ongoing', 'past']],
    ['sorted by an instant', `${WINDOW}&sort=start`, ['past', 'ongoing', 'lesson', 'rental']],
    ['a page', `${WINDOW}&limit=2&offset=1`, ['lesson', 'ongoing']],
    ['a page beyond the end', `${WINDOW}&offset=10`, []],
    ['by title', `${WINDOW}&q=sunset`, ['rental']],
    ['by the aircraft', `${WINDOW}&q=n900n`, ['rental']],
    ['by what LIKE would take for a joker', `${WINDOW}&q=%25`, []],
  ])('is selected by %s', async ([_what, query, expected], { listed }) => {
    expect(await listed(query)).toEqual(expected)
  })

  test('is selected by a name of somebody on it', async ({ school, listed }) => {
    expect(await listed(`${WINDOW}&q=${encodeURIComponent(school.renter.name)}`)).toEqual(['rental'])
  })

  test('is selected by several resources and locations', async ({ school, elsewhere, otherPlane, listed }) => {
    expect(await listed(`${WINDOW}&resourceId=${otherPlane.id}`)).toEqual(['rental'])
    expect(await listed(`${WINDOW}&resourceId=${otherPlane.id},${school.plane.id}`)).toHaveLength(4)
    expect(await listed(`${WINDOW}&locationId=${school.location.id}`)).toEqual(['lesson', 'ongoing', 'past'])
    expect(await listed(`${WINDOW}&resourceId=${elsewhere.plane.id}`)).toEqual([])
  })

  test('takes 10,000 ids, huge ones among them', async ({ otherPlane, listed }) => {
    const many = [...Array.from({ length: 9_998 }, (_, at) => at + 100_000), 4_000_000_000, otherPlane.id].join(',')
    expect(await listed(`${WINDOW}&resourceId=${many}`)).toEqual(['rental'])
  })

  test('omits those that are invoiced with uninvoiced=true', async ({ api, school, ids, listed }) => {
    await api.core.database.db
      .insertInto('invoice')
      .values({
        organization_id: school.organizationId,
        reservation_id: ids.past,
        membership_id: school.student.orgUserId,
        status: 'open',
        total_cents: cents(33_600),
        currency: 'usd',
      })
      .execute()
    expect(await listed(`${WINDOW}&uninvoiced=true`, school.dispatcher)).toEqual(['rental', 'lesson', 'ongoing'])
    await api.core.database.pool.query("update invoice set status = 'void', voided_at = now()")
    expect(await listed(`${WINDOW}&uninvoiced=true`, school.dispatcher)).toHaveLength(4)
  })

  test.for([
    ['no window', ''],
    ['no end', 'startDate=2026-11-20T00:00:00Z'],
    ['a start that is none', 'startDate=yesterday&endDate=2026-11-30T00:00:00Z'],
    ['a local time', 'startDate=2026-11-20T00:00:00&endDate=2026-11-30T00:00:00Z'],
    ['an end before the start', 'startDate=2026-11-30T00:00:00Z&endDate=2026-11-20T00:00:00Z'],
    ['no length', 'startDate=2026-11-30T00:00:00Z&endDate=2026-11-30T00:00:00Z'],
    ['limit 0', `${WINDOW}&limit=0`],
    ['a negative offset', `${WINDOW}&offset=-1`],
    ['an order that is none', `${WINDOW}&order=up`],
    ['an orderBy that is none', `${WINDOW}&orderBy=start`],
    ['a flag that is none', `${WINDOW}&ongoing=maybe`],
    ['ids that are none', `${WINDOW}&resourceId=1;2`],
    ['an unknown status', `${WINDOW}&status=booked,flown`],
    ['an unknown type', `${WINDOW}&type=joyride`],
    ['a null character', `${WINDOW}&q=%00`],
  ])('refuses %s', async ([_what, query], { api, school }) => {
    const response = await api.as(school.student).get(`/reservations?${query}`)
    expect(response.statusCode).toBe(400)
  })

  test('cuts a limit above 1,000', async ({ listed }) => {
    expect(await listed(`${WINDOW}&limit=99999`)).toEqual(['rental', 'lesson', 'ongoing', 'past'])
  })
})

describe('a member who reads others’ bookings (§Reservation)', () => {
  test('sees who and when, not the notes, and cannot search in the notes', async ({ api, school, ids, listed }) => {
    const seen = (who: Member) => expectOk<{ notes: string | null }>(api, who, 'GET', `/reservations/${ids.rental}`)
    expect(await seen(school.student)).toMatchObject({
      notes: null,
      personnel: { renters: [{ name: school.renter.name }] },
    })
    for (const who of [school.renter, school.dispatcher, school.instructor]) {
      expect((await seen(who)).notes).toBe('The codeword is marmalade')
    }
    expect(await listed(`${WINDOW}&q=marmalade`, school.student)).toEqual([])
    expect(await listed(`${WINDOW}&q=marmalade`, school.renter)).toEqual(['rental'])
    expect(await listed(`${WINDOW}&q=marmalade`, school.admin)).toEqual(['rental'])
  })

  test('sees a guest’s address only as staff', async ({ api, school }) => {
    const body = bookingBody(school, 'guest', {
      start: '2026-12-01T10:00:00Z',
      end: '2026-12-01T11:00:00Z',
      resource: null,
      personnel: {
        ...seats({ instructors: [school.instructor] }),
        guests: [{ name: 'Gia Visitor', email: 'gia@example.com', phone: '+1 555 0100' }],
      },
    })
    const { id } = await expectOk<{ id: number }>(api, school.instructor, 'POST', '/reservations', body)
    const guests = async (who: Member) =>
      (await expectOk<{ personnel: { guests: object[] } }>(api, who, 'GET', `/reservations/${id}`)).personnel.guests
    const [forStaff] = await guests(school.dispatcher)
    expect(forStaff).toMatchObject({ name: 'Gia Visitor', email: 'gia@example.com', phone: '+1 555 0100' })
    expect(Object.keys((await guests(school.student))[0]!)).toEqual(['guestId', 'name'])
  })

  test('sees none of the money that is not their own', async ({ api, school, ids }) => {
    const seen = (who: Member) =>
      expectOk<{ invoiceTotals: { shares: object[] } | null }>(api, who, 'GET', `/reservations/${ids.past}`)
    expect((await seen(school.dispatcher)).invoiceTotals?.shares).toHaveLength(1)
    const stranger = await buildMember(api, school.organizationId, ['student'])
    expect((await seen(stranger)).invoiceTotals?.shares ?? []).toEqual([])
  })

  test.for(['abc', '1.5', '-1', '1e3'])('gets 400 for the malformed id %s', async (id, { api, school }) => {
    expect((await api.call('GET', `/reservations/${id}`, { token: school.admin.token })).statusCode).toBe(400)
  })
})

describe('the bookings of a resource and of a user (§Reservations)', () => {
  test('need no window and take half of one', async ({ school, listed }) => {
    const url = `/reservations/resource/${school.plane.id}`
    expect(await listed('', school.student, url)).toEqual(['lesson', 'ongoing', 'past'])
    expect(await listed('endDate=2026-11-21T12:00:00Z', school.student, url)).toEqual(['ongoing', 'past'])
    expect(await listed('startDate=2026-11-23T00:00:00Z&endDate=2026-11-24T00:00:00Z', school.student, url)).toEqual([
      'lesson',
    ])
    expect(
      await listed(
        'startDate=2026-11-25T00:00:00Z&endDate=2026-11-26T00:00:00Z&includeCanceled=true',
        school.student,
        url,
      ),
    ).toEqual(['cancelled'])
  })

  test('are, for a user, those on which the user is seated', async ({ school, listed }) => {
    const url = `/reservations/user/${school.renter.accountId}`
    expect(await listed('', school.student, url)).toEqual(['rental'])
    expect(await listed('endDate=2026-11-24T20:00:00Z', school.student, url)).toEqual([])
    expect(
      await listed('limit=1&orderBy=asc', school.renter, `/reservations/user/${school.student.accountId}`),
    ).toEqual(['lesson'])
    expect(
      await listed('includeCanceled=true', school.renter, `/reservations/user/${school.student.accountId}`),
    ).toEqual(['cancelled', 'lesson', 'ongoing', 'past'])
  })

  test('stay readable for a member who has left', async ({ api, school, listed }) => {
    const leaver = await buildMember(api, school.organizationId, ['student'])
    const id = await bookDual(api, school, {
      students: [leaver],
      start: '2026-11-20T14:00:00Z',
      end: '2026-11-20T15:00:00Z',
    })
    await api.as(school.admin).delete(`/orgUsers/${leaver.orgUserId}`)
    expect(await listed('', school.admin, `/reservations/user/${leaver.accountId}`)).toEqual([`another: ${id}`])
  })

  test('are 400 for a window that makes no sense', async ({ api, school }) => {
    const query = 'startDate=2026-11-25T00:00:00Z&endDate=2026-11-25T00:00:00Z'
    const response = await api.as(school.admin).get(`/reservations/user/${school.student.accountId}?${query}`)
    expect(response.statusCode).toBe(400)
  })
})

describe('the history of a booking', () => {
  test('is in the units of the interface', async ({ api, school }) => {
    const id = await bookDual(api, school, { start: '2026-12-02T10:00:00Z', end: '2026-12-02T12:00:00Z' })
    await fly(api, school, id)
    const history = await expectOk<object[]>(api, school.instructor, 'GET', `/reservations/${id}/history`)
    expect(history).toMatchObject([
      { action: 'ramped_out', after: { hobbsTimeOut: expect.any(Number), tachTimeOut: expect.any(Number) } },
      { action: 'ramped_in', after: { hobbsTimeIn: expect.any(Number) } },
    ])
    const url = `/reservations/${id}`
    const { orgUserId } = school.student
    const { hobbsTimeOut, hobbsTimeIn } = await expectOk<Record<'hobbsTimeOut' | 'hobbsTimeIn', number>>(
      api,
      school.admin,
      'GET',
      url,
    )
    const hobbs = { hobbsTimeOut, hobbsTimeIn: Number((hobbsTimeIn + 0.05).toFixed(2)) }
    await expectOk(api, school.admin, 'POST', `${url}/updateReviewTimes`, hobbs)
    await expectOk(api, school.admin, 'PUT', `${url}/payers`, { payers: [{ orgUserId, percentage: 12.5 }] })
    await expectOk(api, school.admin, 'PUT', `${url}/payers`, { payers: [{ orgUserId, ...hobbs }] })
    await expectOk(api, school.admin, 'PUT', `${url}/payers`, { payers: [{ orgUserId, waived: true }] })
    const payer = { orgUserId, guestId: null }
    expect((await expectOk<object[]>(api, school.instructor, 'GET', `${url}/history`)).slice(2)).toMatchObject([
      { action: 'corrected', before: { hobbsTimeOut, hobbsTimeIn }, after: hobbs },
      { action: 'payers_changed', before: { payers: [] }, after: { payers: [{ ...payer, percentage: 12.5 }] } },
      { action: 'payers_changed', after: { payers: [{ ...payer, ...hobbs }] } },
      {
        action: 'payers_changed',
        before: { payers: [{ ...payer, ...hobbs }] },
        after: { payers: [{ ...payer, waived: true }] },
      },
    ])
  })
})
