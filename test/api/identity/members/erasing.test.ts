import { describe, expect } from 'vitest'
import type { Member } from '../../../support/builders.ts'
import { buildCurrency } from '../../../support/currencies.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk } from '../../../support/flights.ts'
import { buildManaged } from '../../../support/managed.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

const test = schoolTest().extend('erase', ({ api, school }) => (id: number) => {
  return api.as(school.owner).post(`/orgUsers/${id}/erase`, { reason: 'Asked for it' })
})

const YEAR_MS = 365.25 * 86_400_000

describe('the erasure of a former member (§People)', () => {
  test('deletes what is the person’s own, and keeps bookings, money and training under another name', async ({
    api,
    school,
    erase,
  }) => {
    const { student, owner } = school
    const read = (path: string) => expectOk(api, owner, 'GET', path)
    await expectOk(api, owner, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, {
      birthDate: '1990-01-01',
      citizenshipVerification: { kind: 'passport' },
    })
    await buildCurrency(api, school, { holder: student })
    const booking = await closedOutFlight(api, school)
    await expectOk(api, owner, 'POST', `/orgUsers/${student.orgUserId}/ledger`, { kind: 'deposit', amountCents: 500 })
    await enrol(api, school, await buildTraining(api, school), student)
    await api.core.database.pool.query(
      `insert into notification (organization_id, membership_id, kind, title, body, dedupe_key)
       values ($1, $2, 'squawk_opened', 'A defect', $3, 'a')`,
      [school.organizationId, owner.orgUserId, `${student.name} wrote from ${student.email}. ${student.name}s stay.`],
    )
    const group = await api.call('POST', '/groups', {
      token: owner.token,
      body: { name: `For ${student.name}`, memberIds: [] },
      headers: { 'idempotency-key': 'names-the-person' },
    })
    expect(group.statusCode).toBe(201)
    expect((await erase(student.orgUserId)).json().code).toBe('NOT_REMOVED')
    expect((await api.as(owner).delete(`/orgUsers/${student.orgUserId}?cancelBookings=true`)).statusCode).toBe(204)

    const done = await erase(student.orgUserId)
    const name = `Former member ${student.orgUserId}`
    const { erased, kept, ...rest } = done.json().data
    expect([done.statusCode, rest]).toEqual([200, { name, erasedAt: api.clock.now.toISOString() }])
    expect(erased).toEqual(expect.arrayContaining(['contacts', 'profile']))
    expect(kept).toEqual(
      expect.arrayContaining([
        { kind: 'bookings', count: 1, reason: expect.stringMatching('others'), until: null },
        { kind: 'ledger_entries', count: 1, reason: expect.stringMatching('books'), until: null },
        { kind: 'enrollments', count: 1, reason: expect.stringMatching('14 CFR 61.189'), until: null },
        {
          kind: 'currencies',
          count: 1,
          reason: expect.stringMatching('49 CFR 1552.15'),
          until: '2027-11-21T12:00:00.000Z',
        },
        { kind: 'profile', count: 1, reason: expect.stringMatching('49 CFR 1552.15'), until: expect.any(String) },
      ]),
    )
    const until = kept.find(({ kind }: { kind: string }) => kind === 'profile').until
    expect((Date.parse(until) - api.clock.now.getTime()) / YEAR_MS).toBeCloseTo(5, 1)
    const { rows } = await api.core.database.pool.query('select facts from member_profile where membership_id = $1', [
      student.orgUserId,
    ])
    expect(rows).toEqual([{ facts: { citizenshipVerification: expect.any(Object) } }])
    expect(await read(`/reservations/${booking}`)).toMatchObject({ personnel: { students: [{ name }] } })
    expect(await read('/notifications')).toMatchObject([{ body: `${name} wrote from ${name}. ${student.name}s stay.` }])
    expect(JSON.stringify(await read('/audit'))).toContain(student.name)
    const stored = await api.core.database.pool.query(
      "select answer from idempotency_key where key = 'names-the-person'",
    )
    expect(stored.rows).toEqual([{ answer: expect.stringContaining(`"For ${name}"`) }])
    expect(await read('/orgUsers?removed=true')).toMatchObject([
      { id: student.orgUserId, user: { id: null, name, email: null, phone: null } },
    ])
    expect((await erase(student.orgUserId)).json().code).toBe('ALREADY_ERASED')
    const account = await api.core.database.pool.query('select name from account where id = $1', [student.accountId])
    expect(account.rows).toEqual([{ name: student.name }])
  })

  test.for([
    ['open invoices', "'open', null, null"],
    ['open disputes', "'paid', now(), 'open'"],
  ] as const)('waits for %s', async ([, state], { api, school, erase }) => {
    const { orgUserId } = await buildManaged(api, school, { email: 'mia@example.com', renter: true })
    await api.core.database.pool.query(
      `insert into invoice (organization_id, membership_id, status, paid_at, dispute_status, currency, total_cents)
       values ($1, $2, ${state}, 'usd', 100)`,
      [school.organizationId, orgUserId],
    )
    await api.as(school.owner).delete(`/orgUsers/${orgUserId}`)
    const refused = await erase(orgUserId)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'STILL_NEEDED', details: { invoices: [expect.any(Number)] } },
    ])
  })

  test('takes the name of an account that was deleted with its last membership', async ({ api, school, erase }) => {
    const { renter } = school
    await api.as(renter).delete('/users')
    const nameOf = async ({ accountId }: Member) =>
      (await api.core.database.pool.query('select name from account where id = $1', [accountId])).rows[0]?.name
    expect(await nameOf(renter)).toBe(renter.name)
    expect((await erase(renter.orgUserId)).statusCode).toBe(200)
    expect(await nameOf(renter)).toBe(`Former member ${renter.orgUserId}`)
  })
})
