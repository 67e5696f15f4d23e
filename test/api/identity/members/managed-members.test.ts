import { describe, expect } from 'vitest'
import { assertHasRoomForMembers } from '../../../../src/shared/identity/profiles/create-managed-member.ts'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { buildAccount } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { buildManaged } from '../../../support/managed.ts'

const test = schoolTest().extend(
  'add',
  ({ api, school }) =>
    (body: object, who = school.admin) =>
      api.as(who).post('/orgUsers', body),
)

const mia = { name: ' Mia Managed ', email: 'Mia@Example.com', phone: '+1 555 0100', externalId: 'M-7', renter: true }

describe('a member without an account (§People)', () => {
  test('is added by an admin with what the school knows, and nobody is mailed', async ({ api, school, add }) => {
    const response = await add({ ...mia, profile: { birthDate: '1961-02-11' } })
    expect(response.statusCode).toBe(201)
    const { id, ...answered } = response.json().data
    expect(answered).toMatchObject({
      user: { id: null, name: 'Mia Managed', email: 'mia@example.com', phone: '+1 555 0100' },
      managed: true,
      externalId: 'M-7',
      billingMode: 'invoice',
      renter: true,
      student: false,
      owner: false,
    })
    expect(answered).not.toHaveProperty('profile')
    const profile = (await api.as(school.admin).get(`/orgUsers/${id}/profile`)).json().data
    expect(profile).toMatchObject({ birthDate: '1961-02-11', verified: ['birthDate'] })
    const jobs = await api.core.database.db.selectFrom('outbox').select('job').execute()
    expect(jobs.filter(({ job }) => job.includes('mail'))).toEqual([])
  })

  test('is a student when no flag is set', async ({ add }) => {
    expect((await add({ name: 'Max' })).json().data).toMatchObject({ student: true, renter: false })
  })

  test('is neither owner nor admin, by no endpoint', async ({ api, school, add }) => {
    const owner = await add({ name: 'Max', owner: true }, school.owner)
    const admin = await add({ name: 'Max', admin: true }, school.owner)
    expect([owner.statusCode, admin.statusCode]).toEqual([400, 400])
    expect(owner.json().message).toMatch(/^owner: a member without an account/)
    const { orgUserId } = await buildManaged(api, school)
    const changed = await api.as(school.owner).patch(`/orgUsers/${orgUserId}`, { admin: true })
    expect([changed.statusCode, changed.json().message]).toEqual([
      400,
      'admin: a member without an account is neither owner nor admin',
    ])
  })

  test('is refused whole when the profile does not fit', async ({ api, school, add }) => {
    expect((await add({ name: 'Max', profile: { birthDate: '2040-01-01' } })).statusCode).toBe(400)
    expect((await api.as(school.admin).get('/orgUsers?q=Max')).json().data).toEqual([])
  })

  test('shows address, phone number and key to those for whom they are', async ({ api, school, add }) => {
    const { id } = (await add(mia)).json().data
    const asSeenBy = async (who: typeof school.student) => (await api.as(who).get(`/orgUsers/${id}`)).json().data
    const hidden = { id: null, name: 'Mia Managed', email: null, phone: null }
    expect(await asSeenBy(school.student)).toMatchObject({ user: hidden, externalId: null, managed: true })
    expect(await asSeenBy(school.instructor)).toMatchObject({ user: { email: 'mia@example.com' }, externalId: null })
    const found = async (who: typeof school.student) =>
      (await api.as(who).get('/orgUsers?q=mia%40example')).json().data.length
    expect([await found(school.student), await found(school.dispatcher)]).toEqual([0, 1])
    const sorted = (await api.as(school.student).get('/orgUsers?sort=user.email&order=asc')).json().data
    expect(sorted.at(-1).id).toBe(id)
  })

  test('is in the list of members by name, and not in that of accounts', async ({ api, school, add }) => {
    const { id } = (await add(mia)).json().data
    const members = (await api.as(school.student).get('/orgUsers?q=mia')).json().data
    expect(members.map((row: { id: number }) => row.id)).toEqual([id])
    const users = (await api.as(school.student).get('/users')).json().data
    expect(users).toHaveLength(7)
    const hits = (await api.as(school.student).get('/search?q=mia')).json().data
    expect(hits).toMatchObject([{ kind: 'member', id, title: 'Mia Managed' }])
  })

  test('needs a verified admin when an address is given', async ({ api, school }) => {
    const { db } = api.core.database
    await db.updateTable('account').set({ email_verified_at: null }).where('id', '=', school.admin.accountId).execute()
    const refused = await api.as(school.admin).post('/orgUsers', mia)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
    expect((await api.as(school.admin).post('/orgUsers', { name: 'Mia' })).statusCode).toBe(201)
  })
})

describe('an address and a key of the organization (§People)', () => {
  test('belong to one member each', async ({ school, add }) => {
    await add(mia)
    for (const body of [
      { name: 'Max', email: 'MIA@example.com' },
      { name: 'Max', email: school.student.email },
    ]) {
      const { json, statusCode } = await add(body)
      expect([statusCode, json()]).toEqual([
        409,
        { message: 'email: another member has this address', code: 'ALREADY_EXISTS' },
      ])
    }
    const key = await add({ name: 'Max', externalId: 'M-7' })
    expect([key.statusCode, key.json()]).toEqual([
      409,
      { message: 'externalId: another member has it', code: 'ALREADY_EXISTS' },
    ])
  })

  test('of two who are added at once belong to one of them', async ({ api, school, add }) => {
    for (let round = 0; round < 5; round++) {
      const email = `twin${round}@example.com`
      const answers = await Promise.all([
        add({ name: 'Left', email }),
        add({ name: 'Right', email }, school.owner),
        add({ name: 'Third', externalId: email }),
        add({ name: 'Fourth', externalId: email }, school.owner),
      ])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409])
    }
    const rows = await api.core.database.db
      .selectFrom('membership')
      .select('search_email')
      .where('organization_id', '=', school.organizationId)
      .where('search_email', 'like', 'twin%')
      .execute()
    expect(rows).toHaveLength(5)
  })

  test('may also be those of a person who joins with a code', async ({ api, school }) => {
    const { token, email, accountId } = await buildAccount(api)
    await buildManaged(api, school, { email })
    const { code } = (await api.as(school.owner).get('/organizations')).json().data[0]
    expect((await api.call('POST', `/organizations/join/${code}`, { token })).statusCode).toBe(200)
    const both = (await api.as(school.owner).get(`/orgUsers?q=${encodeURIComponent(email)}`)).json().data
    expect(both.map((row: { user: { id: number } }) => row.user.id).sort()).toEqual([accountId, null].sort())
  })
})

describe('PATCH /orgUsers/{id}', () => {
  test('changes name, address, phone number and key of a managed member, and roles of any', async ({ api, school }) => {
    const { orgUserId } = await buildManaged(api, school, mia)
    const body = { name: 'Mia New', email: null, phone: null, externalId: null, instructor: true }
    const changed = await api.as(school.admin).patch(`/orgUsers/${orgUserId}`, body)
    expect(changed.json().data).toMatchObject({
      user: { id: null, name: 'Mia New', email: null, phone: null },
      externalId: null,
      instructor: true,
      renter: true,
    })
    const same = await api.as(school.admin).patch(`/orgUsers/${orgUserId}`, { email: 'mia@example.com' })
    expect(same.statusCode).toBe(200)
    const student = await api.as(school.admin).patch(`/orgUsers/${school.student.orgUserId}`, { technician: true })
    expect(student.json().data).toMatchObject({ student: true, technician: true, managed: false })
  })

  test('leaves name, address and phone number of an account to the person', async ({ api, school }) => {
    const path = `/orgUsers/${school.student.orgUserId}`
    const refused = await api.as(school.admin).patch(path, { phone: '+1 555 0111' })
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'phone: only the member can change it, because they have an account',
    ])
    expect((await api.as(school.admin).patch(path, { externalId: 'S-1' })).json().data).toMatchObject({
      externalId: 'S-1',
    })
    await api.as(school.student).patch('/users', { name: 'Sam New', phone: '+1 555 0123' })
    expect((await api.as(school.renter).get(path)).json().data.user).toMatchObject({
      name: 'Sam New',
      phone: '+1 555 0123',
    })
  })

  test('makes and unmakes an owner for owners alone', async ({ api, school }) => {
    const path = `/orgUsers/${school.admin.orgUserId}`
    const refused = await api.as(school.admin).patch(path, { owner: true })
    expect(refused.statusCode).toBe(403)
    expect((await api.as(school.owner).patch(path, { owner: true })).json().data).toMatchObject({ owner: true })
    const last = await api.as(school.owner).patch(`/orgUsers/${school.owner.orgUserId}`, { admin: false })
    expect([last.statusCode, last.json().message]).toEqual([400, 'admin: an owner must also be an admin'])
  })
})

test('an organization that is full takes no further member without an account', async ({ api, school }) => {
  const { database, clock } = api.core
  const look = (factor: number) =>
    inTransaction(database, clock, (tx) => assertHasRoomForMembers(tx, school.organizationId, factor))
  await look(1)
  // A hundred thousandth of the limit is one member.
  await expect(look(0.00001)).rejects.toThrow('An organization has at most 100,000 members.')
})
