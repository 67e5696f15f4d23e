import { describe, expect } from 'vitest'
import type { JobPayload } from '../../../../src/shared/platform/contracts/define-job.ts'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { eraseDocuments } from '../../../../src/shared/workflows/merge-members.ts'
import type { eraseLeftDocuments } from '../../../../src/shared/workflows/workflows.jobs.ts'
import type { TestApp } from '../../../support/app.ts'
import { buildAccount, buildMember, buildPlane, type Member, type School } from '../../../support/builders.ts'
import { buildCurrency } from '../../../support/currencies.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'
import { buildManaged } from '../../../support/managed.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

const test = schoolTest().extend(
  'merge',
  ({ api, school }) =>
    (from: number, body: object, who = school.admin) =>
      api.as(who).post(`/orgUsers/${from}/merge`, body),
)

const as = (person: { orgUserId: number }) => person as Member
const endorsement = { title: 'Solo', renderedText: 'May fly alone', certificateNumber: '3141592CFI' }

async function deposit(api: TestApp, { admin }: School, orgUserId: number, amountCents: number) {
  await expectOk(api, admin, 'POST', `/orgUsers/${orgUserId}/ledger`, { kind: 'deposit', amountCents })
}

async function join(api: TestApp, { owner }: School) {
  const account = await buildAccount(api)
  const [{ code }] = await expectOk<[{ code: string }]>(api, owner, 'GET', '/organizations')
  const { user, token } = await expectOk<{ user: { orgUserId: number }; token: string }>(
    ...([api, account, 'POST', `/organizations/join/${code}`] as const),
  )
  return { ...account, orgUserId: user.orgUserId, token }
}

describe('a merge of a managed member into another (§People)', () => {
  test('moves bookings, money, papers and roles, and the member is gone', async ({ api, school, merge }) => {
    const from = await buildManaged(api, school, {
      renter: true,
      student: true,
      externalId: 'M-1',
      profile: { weightPounds: 150 },
    })
    const into = await buildManaged(api, school, { name: 'Mia Kept', email: 'kept@example.com', student: true })
    const booking = await bookDual(api, school, { students: [as(from)] })
    await deposit(api, school, from.orgUserId, 5_000)
    await deposit(api, school, into.orgUserId, 700)
    await deposit(api, school, from.orgUserId, 1_000)
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
      orgUserId: from.orgUserId,
      ...endorsement,
    })
    const approve = ({ orgUserId }: { orgUserId: number }, model: string) =>
      expectOk(api, school.admin, 'POST', '/approvals', { orgUserId, make: 'Cessna', model })
    await approve(from, '172S')
    await approve(from, '182T')
    await approve(into, '182t')
    await buildCurrency(api, school, { holder: as(from) })
    const enrollment = await enrol(api, school, await buildTraining(api, school), as(from))
    await expectOk(api, school.admin, 'POST', '/documents', {
      title: 'Medical',
      category: 'medical',
      orgUserId: from.orgUserId,
      fileName: 'medical.pdf',
    })
    const moved = expect.arrayContaining([
      { kind: 'bookings', count: 1 },
      { kind: 'ledger_entries', count: 2 },
      { kind: 'endorsements', count: 1 },
      { kind: 'enrollments', count: 1 },
      { kind: 'documents', count: 1 },
      { kind: 'currencies', count: 1 },
      { kind: 'profile', count: 1 },
    ])
    const body = { intoOrgUserId: into.orgUserId }
    const dry = await merge(from.orgUserId, { ...body, dryRun: true })
    expect(dry.json().data).toMatchObject({ moved, conflicts: [], orgUser: { id: into.orgUserId, renter: false } })
    const done = await merge(from.orgUserId, body)
    expect([done.statusCode, done.json().data]).toMatchObject([
      200,
      { moved, conflicts: [], orgUser: { id: into.orgUserId, renter: true, externalId: 'M-1', owner: false } },
    ])
    expect((await api.as(school.admin).get(`/orgUsers/${from.orgUserId}`)).statusCode).toBe(404)
    const read = <T = never>(path: string) => expectOk<T>(api, school.admin, 'GET', path)
    expect(JSON.stringify(await read(`/reservations/${booking}`))).toContain('Mia Kept')
    const ledger = await read<{ amountCents: number; balanceCents: number }[]>(
      `/orgUsers/${into.orgUserId}/ledger?sort=id&order=asc`,
    )
    expect(ledger.map(({ amountCents, balanceCents }) => [amountCents, balanceCents])).toEqual([
      [5_000, 5_000],
      [700, 5_700],
      [1_000, 6_700],
    ])
    const mergedFrom = { orgUserId: from.orgUserId, name: 'Mia Managed' }
    expect(await read(`/training/endorsements?orgUserId=${into.orgUserId}`)).toMatchObject([{ mergedFrom }])
    expect(await read(`/training/enrollments/${enrollment}`)).toMatchObject({
      student: { name: 'Mia Kept' },
      mergedFrom,
    })
    expect(await read(`/orgUsers/${into.orgUserId}/profile`)).toMatchObject({ weightPounds: 150 })
    const approvals = await read<{ model: string }[]>(`/approvals?orgUserId=${into.orgUserId}`)
    expect(approvals.map(({ model }) => model).sort()).toEqual(['172S', '182t'])
    const currencies = await read<{ currency: { name: string } }[]>(`/orgUsers/${into.orgUserId}/currencies`)
    expect(currencies.find(({ currency }) => currency.name === 'Medical')).toMatchObject({ mergedFrom })
    const [event] = await read<{ after: object }[]>('/audit?action=member.merged')
    expect(event).toMatchObject({ after: { fromOrgUserId: from.orgUserId, moved: { enrollments: [enrollment] } } })
    const changes = await read<{ before: object; after: object }[]>('/audit?action=member.roles_changed')
    expect(changes).toMatchObject([{ before: { roles: ['student'] }, after: { roles: ['student', 'renter'] } }])
  })

  test('is refused whole while the two have what one person cannot have twice', async ({ api, school, merge }) => {
    const from = await buildManaged(api, school)
    const into = await buildManaged(api, school, { name: 'Mia Kept' })
    const course = await buildTraining(api, school)
    for (const member of [from, into]) await enrol(api, school, course, as(member))
    const booking = await bookDual(api, school, { students: [as(from), as(into)] })
    const body = { intoOrgUserId: into.orgUserId }
    const conflicts = [
      { kind: 'booking', id: booking, message: 'Both are on Lesson 4: stalls.' },
      { kind: 'enrollment', message: 'Both are enrolled in Private pilot.' },
    ]
    const dry = await merge(from.orgUserId, { ...body, dryRun: true })
    expect([dry.statusCode, dry.json().data.conflicts]).toMatchObject([200, conflicts])
    const refused = await merge(from.orgUserId, body)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'MERGE_CONFLICT', details: { conflicts } },
    ])
    expect((await api.as(school.admin).get(`/orgUsers/${from.orgUserId}`)).statusCode).toBe(200)
  })

  test('is refused while the two are booked at the same time, or have different dates of a currency', async ({
    api,
    school,
    merge,
  }) => {
    const from = await buildManaged(api, school)
    const into = await buildManaged(api, school, { name: 'Mia Kept' })
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const plane = await buildPlane(api, school)
    const booking = await bookDual(api, school, { students: [as(from)] })
    await bookDual(api, { ...school, plane, instructor: other }, { students: [as(into)] })
    const { recordId } = await buildCurrency(api, school, { holder: as(from) })
    await api.core.database.pool.query(
      `insert into currency_record (organization_id, currency_id, membership_id, completed_at, expires_at, recorded_by)
       select organization_id, currency_id, $2, completed_at, expires_at + interval '1 day', recorded_by
       from currency_record where id = $1`,
      [recordId, into.orgUserId],
    )
    const refused = await merge(from.orgUserId, { intoOrgUserId: into.orgUserId })
    expect(refused.statusCode).toBe(409)
    expect(refused.json().details.conflicts).toEqual([
      { kind: 'booking', id: booking, message: 'Lesson 4: stalls and Lesson 4: stalls are at the same time.' },
      { kind: 'currency', id: recordId, message: 'Both have a date for Medical, and the dates differ.' },
    ])
  })

  test('is refused while a currency was ended for one of the two alone', async ({ api, school, merge }) => {
    const [from, into] = [await buildManaged(api, school), await buildManaged(api, school, { name: 'Mia Kept' })]
    const { recordId } = await buildCurrency(api, school, { holder: as(from) })
    await api.core.database.pool.query(
      `insert into currency_record (organization_id, currency_id, membership_id, completed_at, expires_at, recorded_by)
       select organization_id, currency_id, $2, completed_at, expires_at, recorded_by from currency_record where id = $1`,
      [recordId, into.orgUserId],
    )
    await api.core.database.pool.query(
      'update currency_record set ended_on = $2, ended_by = recorded_by where id = $1',
      [recordId, '2026-11-20'],
    )
    const refused = await merge(from.orgUserId, { intoOrgUserId: into.orgUserId })
    expect(refused.json().details.conflicts).toMatchObject([{ kind: 'currency', id: recordId }])
  })

  test('moves all into an account with the same verified address', async ({ api, school, merge }) => {
    const account = await join(api, school)
    const from = await buildManaged(api, school, { name: 'Mia Managed', profile: { weightPounds: 150 } })
    await api.core.database.db
      .updateTable('membership')
      .set({ search_email: account.email })
      .where('id', '=', from.orgUserId)
      .execute()
    const done = await merge(from.orgUserId, { intoOrgUserId: account.orgUserId })
    expect(done.json().data.moved).toEqual([{ kind: 'profile', count: 1 }])
  })

  test('moves bookings and money alone into another account, until its owner takes over the rest', async ({
    api,
    school,
    merge,
  }) => {
    const account = await join(api, school)
    const from = await buildManaged(api, school, { profile: { weightPounds: 150, birthDate: '1990-01-01' } })
    await deposit(api, school, from.orgUserId, 5_000)
    await expectOk(api, account, 'PATCH', `/orgUsers/${account.orgUserId}/profile`, { weightPounds: 160 })
    const done = await merge(from.orgUserId, { intoOrgUserId: account.orgUserId })
    expect(done.json().data.moved).toEqual([{ kind: 'ledger_entries', count: 1 }])
    const accept = (who: { token: string }) =>
      api.call('POST', `/orgUsers/${from.orgUserId}/merge/accept`, { token: who.token })
    expect((await accept(school.student)).statusCode).toBe(404)
    expect((await accept(account)).json().data.moved).toEqual([{ kind: 'profile', count: 1 }])
    const profile = await expectOk(api, account, 'GET', `/orgUsers/${account.orgUserId}/profile`)
    expect(profile).toMatchObject({ weightPounds: 160, birthDate: '1990-01-01' })
    api.clock.now = new Date(api.clock.now.getTime() + 8 * 86_400_000)
    expect((await accept(account)).statusCode).toBe(404)
  })

  test('erases the papers that nobody takes over within seven days, and keeps training records', async ({
    api,
    school,
    merge,
  }) => {
    const account = await join(api, school)
    const from = await buildManaged(api, school, { profile: { weightPounds: 150 } })
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
      orgUserId: from.orgUserId,
      ...endorsement,
    })
    await buildCurrency(api, school, { holder: as(from) })
    await merge(from.orgUserId, { intoOrgUserId: account.orgUserId })
    const { pool } = api.core.database
    const { rows } = await pool.query<{ payload: JobPayload<typeof eraseLeftDocuments>; days: number }>(
      `select payload, extract(day from available_at - $1::timestamptz)::int as days from outbox
       where job = 'members.erase-left-documents' and organization_id = $2`,
      [api.clock.now, school.organizationId],
    )
    expect(rows).toEqual([{ payload: { organizationId: school.organizationId, orgUserId: from.orgUserId }, days: 7 }])
    await inTransaction(api.core.database, api.core.clock, (tx) => eraseDocuments(tx, rows[0]!.payload))
    const count = async (table: string) =>
      (await pool.query(`select from ${table} where membership_id = $1`, [from.orgUserId])).rowCount
    // The dates of a currency stay for a year, as at an erasure (49 CFR 1552.15(b)).
    expect([await count('member_profile'), await count('currency_record'), await count('endorsement')]).toEqual([
      0, 1, 1,
    ])
  })

  test('and another merge of the same member, or its claim, at the same time: one of them succeeds', async ({
    api,
    school,
    merge,
  }) => {
    const into = await buildManaged(api, school, { name: 'Mia Kept' })
    const twice = await buildManaged(api, school)
    await deposit(api, school, twice.orgUserId, 5_000)
    const merges = await Promise.all([1, 2].map(() => merge(twice.orgUserId, { intoOrgUserId: into.orgUserId })))
    expect(merges.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
    const ledger = await expectOk<object[]>(api, school.admin, 'GET', `/orgUsers/${into.orgUserId}/ledger`)
    expect(ledger).toHaveLength(1)

    const account = await buildAccount(api)
    const claimed = await buildManaged(api, school, { email: account.email })
    await expectOk(api, school.admin, 'POST', '/organizations/invite', { orgUserId: claimed.orgUserId })
    const token = await mailedToken(api, account.email, 'invitation')
    const [merged, accepted] = await Promise.all([
      merge(claimed.orgUserId, { intoOrgUserId: into.orgUserId }),
      api.call('POST', '/organizations/invitations/accept', { token: account.token, body: { token } }),
    ])
    const both = [merged.statusCode, accepted.statusCode]
    expect([
      [200, 400],
      [400, 200],
    ]).toContainEqual(both)
    const { rows } = await api.core.database.pool.query(
      'select account_id is not null as claimed, removed_at is not null as gone from membership where id = $1',
      [claimed.orgUserId],
    )
    expect(rows).toEqual([{ claimed: accepted.statusCode === 200, gone: merged.statusCode === 200 }])
  })

  test('is of members without an account, into another member', async ({ api, school, merge }) => {
    const from = await buildManaged(api, school)
    const tries = [
      await merge(school.student.orgUserId, { intoOrgUserId: from.orgUserId }),
      await merge(from.orgUserId, { intoOrgUserId: from.orgUserId }),
      await merge(from.orgUserId, { intoOrgUserId: 999_999_999 }),
      await merge(999_999_999, { intoOrgUserId: from.orgUserId }),
    ]
    expect(tries.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 404])
  })
})
