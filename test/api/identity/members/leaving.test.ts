import { describe, expect } from 'vitest'
import { buildMember, type Member, ownersOf } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'

const test = schoolTest()
  /** A booking on the first days of December 2026, or on the given one, without an aircraft. */
  .extend(
    'book',
    ({ api, school }) =>
      async (type: string, seats: Seats, given: { day?: string; rampedOut?: boolean } = {}): Promise<number> => {
        const { day = '2026-12-01' } = given
        const { pool } = api.core.database
        const { rows } = await pool.query(
          `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by, ramped_out_at)
     values ($1, $2, $3, $4, $5, 'UTC', $6, $7) returning id`,
          [
            school.organizationId,
            `${type} ${day}`,
            type,
            `${day}T10:00Z`,
            `${day}T12:00Z`,
            school.dispatcher.orgUserId,
            given.rampedOut ? `${day}T10:00Z` : null,
          ],
        )
        for (const [side, members] of Object.entries(seats)) {
          for (const [position, member] of members.entries()) {
            await pool.query(
              `insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
              [school.organizationId, rows[0].id, side, position, member.orgUserId, `${day}T10:00Z`, `${day}T12:00Z`],
            )
          }
        }
        return rows[0].id
      },
  )
  .extend('bookingOf', ({ api }) => async (id: number) => {
    const { rows } = await api.core.database.pool.query(
      `select live, cancellation_category as category, cancelled_by as by,
       (select array_agg(membership_id order by id) from seat where reservation_id = r.id) as seats,
       (select array_agg(live) from seat where reservation_id = r.id) as seats_live,
       (select array_agg(kind) from event where subject_kind = 'reservation' and subject_id = r.id
          and kind <> 'reservation.created') as events
     from reservation r where id = $1`,
      [id],
    )
    return rows[0]
  })
  .extend(
    'remove',
    ({ api, school }) =>
      (member: Member, query = '', token = school.admin.token) =>
        api.call('DELETE', `/orgUsers/${member.orgUserId}${query}`, { token }),
  )
  .extend(
    'deleteAccount',
    ({ api }) =>
      (member: Pick<Member, 'token'>) =>
        api.as(member).delete('/users'),
  )

type Seats = Record<string, Member[]>

describe('removing a member (§Members, DELETE)', () => {
  test('ends the membership and its tokens, and the person may join again as a new member', async ({
    api,
    school,
    remove,
  }) => {
    expect((await remove(school.student)).statusCode).toBe(204)
    expect((await api.call('GET', '/auth/session', { token: school.student.token })).statusCode).toBe(401)
    expect(
      (await api.call('GET', `/orgUsers/${school.student.orgUserId}`, { token: school.admin.token })).statusCode,
    ).toBe(404)
    expect((await remove(school.student)).statusCode).toBe(404)
    const { code } = (await api.as(school.admin).get(`/organizations/${school.organizationId}`)).json().data
    const { token } = await api.core.tokens.issue(
      { accountId: school.student.accountId, organizationId: null, membershipId: null },
      api.clock.now,
    )
    const joined = await api.call('POST', `/organizations/join/${code}`, { token })
    expect(joined.json().data.user.orgUserId).not.toBe(school.student.orgUserId)
  })

  test('is refused for the last owner, also when two owners remove themselves at once', async ({
    api,
    school,
    remove,
  }) => {
    const { owner, organizationId } = school
    const refused = await remove(owner, '', owner.token)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().code).toBe('LAST_OWNER')
    const other = await buildMember(api, organizationId, ['owner', 'admin'])
    const answers = await Promise.all([remove(owner, '', owner.token), remove(other, '', other.token)])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, 409])
  })

  test('who is an owner is allowed to owners, and one stays of two owners who remove each other at once', async ({
    api,
    school,
    remove,
  }) => {
    const { owner, organizationId } = school
    const other = await buildMember(api, organizationId, ['owner', 'admin'])
    expect((await remove(other)).statusCode).toBe(403)
    const answers = await Promise.all([remove(other, '', owner.token), remove(owner, '', other.token)])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([
      204,
      expect.toSatisfy((s) => [401, 403].includes(s)),
    ])
    expect(await ownersOf(api, organizationId)).toBe(1)
  })

  test('answers the future bookings that prevent it', async ({ api, school, book, remove }) => {
    await book('solo', { students: [school.student] }, { day: '2026-11-20' })
    const ahead = await book('solo', { students: [school.student] })
    const response = await remove(school.student)
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      code: 'HAS_BOOKINGS',
      details: { reservations: [{ id: ahead, title: 'solo 2026-12-01', start: '2026-12-01T10:00:00.000Z' }] },
    })
    expect((await api.call('GET', '/auth/session', { token: school.student.token })).statusCode).toBe(200)
  })

  test('is refused while the person is out on a flight', async ({ api, school, book, remove }) => {
    const flying = await book('solo', { students: [school.student] }, { day: '2026-11-20', rampedOut: true })
    const response = await remove(school.student, '?cancelBookings=true')
    expect([response.statusCode, response.json()]).toMatchObject([
      409,
      { code: 'MEMBER_OUT', details: { reservations: [{ id: flying, title: 'solo 2026-11-20' }] } },
    ])
    await api.core.database.pool.query('update reservation set ramped_in_at = ramped_out_at where id = $1', [flying])
    expect((await remove(school.student)).statusCode).toBe(204)
  })

  test('cancels the bookings that need the person and frees other seats when asked to, and leaves the past', async ({
    api,
    school,
    book,
    bookingOf,
    remove,
  }) => {
    const { student } = school
    const second = await buildMember(api, school.organizationId, ['student'])
    const past = await book('solo', { students: [student] }, { day: '2026-11-20' })
    const solo = await book('solo', { students: [student] }, { day: '2026-12-01' })
    const shared = { instructors: [school.instructor], students: [student, second] }
    const dual = await book('dual', shared, { day: '2026-12-02' })
    await api.core.database.pool.query(
      "insert into payer_stake (organization_id, reservation_id, position, membership_id, kind) values ($1, $2, 0, $3, 'waived')",
      [school.organizationId, dual, student.orgUserId],
    )

    expect((await remove(student, '?cancelBookings=true')).statusCode).toBe(204)
    expect(await bookingOf(past)).toMatchObject({ live: true, events: null })
    expect(await bookingOf(solo)).toMatchObject({
      live: false,
      category: 'administrative',
      by: school.admin.orgUserId,
      seats: [student.orgUserId],
      seats_live: [false],
      events: ['reservation.cancelled'],
    })
    expect(await bookingOf(dual)).toMatchObject({
      live: true,
      seats: [school.instructor.orgUserId, second.orgUserId],
      events: ['reservation.seat_freed'],
    })
    const stakes = await api.core.database.pool.query('select 1 from payer_stake where reservation_id = $1', [dual])
    expect(stakes.rows).toEqual([])
  })

  test('leaves the stakes of the others, so that whoever leaves puts nothing on them', async ({
    api,
    school,
    book,
    remove,
  }) => {
    const { student } = school
    const [second, third] = [
      await buildMember(api, school.organizationId, ['student']),
      await buildMember(api, school.organizationId, ['student']),
    ]
    const students = [second, student, third]
    const dual = await book('dual', { instructors: [school.instructor], students }, { day: '2026-12-03' })
    const { pool } = api.core.database
    for (const [position, bps] of [0, 0, 10_000].entries()) {
      await pool.query(
        `insert into payer_stake (organization_id, reservation_id, position, membership_id, kind, percentage_bps)
         values ($1, $2, $3, $4, 'percentage', $5)`,
        [school.organizationId, dual, position, students[position]!.orgUserId, bps],
      )
    }
    expect((await remove(student, '?cancelBookings=true')).statusCode).toBe(204)
    const { rows } = await pool.query(
      'select membership_id, percentage_bps from payer_stake where reservation_id = $1 order by position',
      [dual],
    )
    expect(rows).toEqual([
      { membership_id: second.orgUserId, percentage_bps: 0 },
      { membership_id: third.orgUserId, percentage_bps: 10_000 },
    ])
  })

  test('takes the person out of groups and approvals', async ({ api, school, remove }) => {
    const { student, admin } = school
    const body = { name: 'Class', orgUserIds: [student.orgUserId] }
    const { data } = (await api.as(admin).post('/groups', body)).json()
    await remove(student)
    expect((await api.call('GET', `/groups/${data.id}`, { token: admin.token })).json().data.orgUserIds).toEqual([])
  })
})

describe('deleting an account (§Authentication and accounts)', () => {
  test('ends tokens, memberships, links and devices, cancels or frees bookings, and past ones keep the name', async ({
    api,
    school,
    book,
    bookingOf,
    deleteAccount,
  }) => {
    const { student, dispatcher } = school
    const solo = await book('solo', { students: [student] })
    const past = await book('solo', { students: [student] }, { day: '2026-11-20' })
    const { pool } = api.core.database
    await pool.query('insert into push_device (account_id, token) values ($1, $2)', [
      student.accountId,
      `device ${student.accountId}`,
    ])
    expect((await deleteAccount(student)).statusCode).toBe(204)
    expect((await api.call('GET', '/auth/session', { token: student.token })).statusCode).toBe(401)
    expect(await bookingOf(solo)).toMatchObject({ live: false, category: 'administrative', by: student.orgUserId })
    expect(await bookingOf(past)).toMatchObject({ live: true, seats: [student.orgUserId] })
    const { rows } = await pool.query(
      `select a.name, a.password_hash, (select count(*)::int from push_device where account_id = a.id) as devices
         from account a where id = $1`,
      [student.accountId],
    )
    expect(rows).toEqual([{ name: student.name, password_hash: '', devices: 0 }])
    const users = (await api.as(dispatcher).get('/users')).json().data
    expect(users.map((user: { id: number }) => user.id)).not.toContain(student.accountId)
  })

  test('frees the address and ends its sign-in', async ({ api, deleteAccount }) => {
    const body = { name: 'Kim', email: 'kim@example.com', password: 'a long way to Tipperary' }
    const { token } = (await api.call('POST', '/users', { body })).json().data
    expect((await deleteAccount({ token })).statusCode).toBe(204)
    expect((await api.call('POST', '/auth', { body })).statusCode).toBe(401)
    expect((await api.call('POST', '/auth/forgot-password', { body })).statusCode).toBe(204)
    const again = await api.call('POST', '/users', { body })
    expect(again.statusCode).toBe(201)
    expect((await api.call('POST', '/auth', { body })).json().data.user.id).toBe(again.json().data.user.id)
  })

  test('is refused until every organization has another owner', async ({ api, school, deleteAccount }) => {
    const refused = await deleteAccount(school.owner)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({
      code: 'LAST_OWNER',
      details: { organization: { id: school.organizationId } },
    })
    await api.as(school.owner).patch(`/users/${school.admin.accountId}/roles`, { owner: true, admin: true })
    const answers = await Promise.all([deleteAccount(school.owner), deleteAccount(school.admin)])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, 409])
  })
})
