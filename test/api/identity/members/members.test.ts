import { describe, expect } from 'vitest'
import { buildAccount, buildMember, buildSchool, ownersOf } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'

const test = schoolTest()
  .extend(
    'put',
    ({ api, school }) =>
      (userId: number, body: object, token = school.owner.token) =>
        api.call('PATCH', `/users/${userId}/roles`, { token, body }),
  )
  .extend(
    'list',
    ({ api, school }) =>
      (query: string, token = school.student.token) =>
        api.call('GET', `/orgUsers?${query}`, { token }),
  )

const names = (response: { json(): { data: { name?: string; user?: { name: string } }[] } }) =>
  response.json().data.map((row) => row.user?.name ?? row.name)

describe('users (§Members)', () => {
  test('are the members of the organization, by name, with their roles', async ({ api, school }) => {
    const response = await api.as(school.student).get('/users')
    expect(response.json().data).toHaveLength(7)
    expect(names(response)).toEqual([...names(response)].sort())
    const { data } = (await api.as(school.renter).get(`/users/${school.owner.accountId}`)).json()
    expect(data).toMatchObject({
      id: school.owner.accountId,
      orgUserId: school.owner.orgUserId,
      email: school.owner.email,
      owner: true,
      admin: true,
      dispatcher: false,
    })
  })

  test('may change their own name and phone number and nothing else', async ({ api, school }) => {
    const body = { name: ' Zoë 🛩️ O’Brien ', phone: '+1 555 0199', email: 'new@example.com', owner: true, id: 1 }
    const response = await api.as(school.student).patch('/users', body)
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      id: school.student.accountId,
      name: 'Zoë 🛩️ O’Brien',
      phone: '+1 555 0199',
      email: school.student.email,
      owner: false,
      student: true,
    })
    const cleared = await api.as(school.student).patch('/users', { phone: null })
    expect(cleared.json().data).toMatchObject({ phone: null, name: 'Zoë 🛩️ O’Brien' })
  })

  test('cannot have an address of the web as a name', async ({ api, school }) => {
    const body = { name: 'Win at http://evil.example', email: 'new@example.com', password: 'a long way to Tipperary' }
    for (const response of [
      await api.as(school.student).patch('/users', body),
      await api.call('POST', '/users', { body }),
      await api.as(school.owner).patch('/organizations', { name: 'www.evil.example' }),
    ]) {
      expect([response.statusCode, response.json().message]).toEqual([400, 'name: must not contain a web address'])
    }
  })

  test('without an organization may also change themselves', async ({ api }) => {
    const { token } = await buildAccount(api)
    const response = await api.call('PATCH', '/users', { token, body: { name: 'Nia' } })
    expect(response.json().data).toMatchObject({ name: 'Nia', orgUserId: null })
    expect((await api.call('GET', '/users', { token })).statusCode).toBe(403)
  })
})

describe('roles (§Members)', () => {
  test('are replaced as a whole set and apply from the next request', async ({ api, school, put }) => {
    const { accountId, token } = school.dispatcher
    const response = await put(accountId, { admin: true, instructor: true })
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({ admin: true, instructor: true, dispatcher: false, owner: false })
    expect((await api.call('GET', `/users/${accountId}/roles`, { token })).json().data).toMatchObject({ admin: true })
    await put(accountId, {})
    expect((await api.call('GET', `/users/${accountId}/roles`, { token })).statusCode).toBe(403)
  })

  test('always leave an owner, who is always an admin', async ({ school, put }) => {
    const { accountId } = school.owner
    const noOwner = await put(accountId, { admin: true })
    const noAdmin = await put(accountId, { owner: true })
    expect([noOwner.statusCode, noAdmin.statusCode]).toEqual([400, 400])
    expect(noOwner.json().message).toMatch(/^owner: /)
    expect(noAdmin.json().message).toMatch(/^admin: /)
    await put(school.admin.accountId, { owner: true, admin: true })
    expect((await put(accountId, { student: true })).statusCode).toBe(200)
  })

  test('of two owners who demote each other at once leave one owner', async ({ api, put }) => {
    for (let round = 0; round < 5; round++) {
      const { organizationId, owner } = await buildSchool(api)
      const other = await buildMember(api, organizationId, ['owner', 'admin'])
      const answers = await Promise.all([
        put(other.accountId, { student: true }, owner.token),
        put(owner.accountId, { student: true }, other.token),
      ])
      expect(answers.map((answer) => answer.statusCode).sort()).not.toEqual([200, 200])
      expect(await ownersOf(api, organizationId)).toBe(1)
    }
  })

  test('of an owner are granted and taken by owners alone, and leaving the flag out takes it', async ({
    api,
    school,
    put,
  }) => {
    const { owner, admin } = school
    const other = await buildMember(api, school.organizationId, ['owner', 'admin'])
    for (const [userId, body] of [
      [admin.accountId, { owner: true, admin: true }],
      [school.student.accountId, { owner: true, admin: true }],
      [other.accountId, { admin: true }],
      [owner.accountId, {}],
    ] as const) {
      expect((await put(userId, body, admin.token)).statusCode, JSON.stringify(body)).toBe(403)
    }
    expect((await put(other.accountId, { owner: true, admin: true, dispatcher: true }, admin.token)).statusCode).toBe(
      200,
    )
    expect((await put(other.accountId, { admin: true })).statusCode).toBe(200)
    expect((await put(other.accountId, { owner: true, admin: true }, other.token)).statusCode).toBe(403)
    const last = await put(owner.accountId, { admin: true })
    expect(last.json()).toMatchObject({ code: 'LAST_OWNER', message: expect.stringMatching(/^owner: /) })
  })

  test('granted by an owner who loses the role at the same moment make nobody an owner', async ({
    api,
    school,
    put,
  }) => {
    for (let round = 0; round < 5; round++) {
      const { organizationId, owner, student } = await buildSchool(api)
      const leaving = await buildMember(api, organizationId, ['owner', 'admin'])
      const [taken, given] = await Promise.all([
        put(leaving.accountId, { admin: true }, owner.token),
        put(student.accountId, { owner: true, admin: true }, leaving.token),
      ])
      expect(taken.statusCode).toBe(200)
      expect(await ownersOf(api, organizationId)).toBe(given.statusCode === 200 ? 2 : 1)
      const afterwards = await put(school.renter.accountId, { owner: true, admin: true }, leaving.token)
      expect(afterwards.statusCode).not.toBe(200)
    }
  })
})

describe('memberships (§Members)', () => {
  test('are listed by name and narrowed by text and by any of the roles', async ({ school, list }) => {
    expect((await list('')).headers['x-total-count']).toBe('7')
    expect(
      (await list('instructor=true&renter=true'))
        .json()
        .data.map((row: { id: number }) => row.id)
        .sort(),
    ).toEqual([school.instructor.orgUserId, school.renter.orgUserId].sort())
    expect(names(await list(`q=${encodeURIComponent(school.renter.email)}`))).toEqual([school.renter.name])
    expect(names(await list('student=false&limit=2&offset=6'))).toHaveLength(1)
    expect(names(await list('sort=user.name&order=desc'))).toEqual([...names(await list(''))].reverse())
    for (const wrong of ['limit=0', 'offset=-1', 'order=up', 'student=1', 'groupId=x']) {
      expect((await list(wrong)).statusCode).toBe(400)
    }
  })

  test('show rates to the member and admins, and the reason of a grounding to the desk too', async ({
    api,
    school,
    list,
  }) => {
    const { orgUserId, token } = school.instructor
    const body = {
      billingMode: 'ledger',
      instructionRates: { flight: 6500, ground: 5000 },
      grounded: true,
      groundedReason: 'medical expired',
    }
    const changed = await api.as(school.admin).patch(`/orgUsers/${orgUserId}`, body)
    expect(changed.statusCode).toBe(200)
    const seen = async (reader: string) =>
      (await api.call('GET', `/orgUsers/${orgUserId}`, { token: reader })).json().data
    const rates = { flight: 6500, ground: 5000, sim: null }
    expect(await seen(token)).toMatchObject({ instructionRates: rates, groundedReason: 'medical expired' })
    expect(await seen(school.owner.token)).toMatchObject({ instructionRates: rates, billingMode: 'ledger' })
    expect(await seen(school.dispatcher.token)).toMatchObject({
      instructionRates: null,
      grounded: true,
      groundedReason: 'medical expired',
    })
    const colleague = await buildMember(api, school.organizationId, ['instructor'])
    for (const reader of [school.student, school.technician, colleague]) {
      const hidden = { instructionRates: null, grounded: true, groundedReason: null }
      expect(await seen(reader.token)).toMatchObject(hidden)
      const listed = (await list('sort=groundedReason&order=desc', reader.token)).json().data
      expect(listed.find((row: { id: number }) => row.id === orgUserId)).toMatchObject(hidden)
      expect((await list('q=medical', reader.token)).json().data).toEqual([])
    }
  })

  test('change key by key: ending a grounding clears its reason, and a reason needs a grounding', async ({
    api,
    school,
  }) => {
    const patch = (body: object) => api.as(school.admin).patch(`/orgUsers/${school.instructor.orgUserId}`, body)
    await patch({ instructionRates: { flight: 100, sim: 300 }, grounded: true, groundedReason: 'x' })
    expect((await patch({ instructionRates: { flight: null } })).json().data.instructionRates).toEqual({
      flight: null,
      ground: null,
      sim: 300,
    })
    expect((await patch({ grounded: false })).json().data).toMatchObject({ grounded: false, groundedReason: null })
    for (const [field, body] of [
      ['groundedReason', { groundedReason: 'still' }],
      ['instructionRates.flight', { instructionRates: { flight: -1 } }],
      ['instructionRates.flight', { instructionRates: { flight: 1e21 } }],
      ['billingMode', { billingMode: 'barter' }],
    ] as const) {
      const response = await patch(body)
      expect(response.statusCode).toBe(400)
      expect(response.json().message.startsWith(`${field}: `)).toBe(true)
    }
  })
})

describe('guests', () => {
  test('are listed to staff by name and narrowed by text', async ({ api, school }) => {
    await api.core.database.db
      .insertInto('guest')
      .values([
        { organization_id: school.organizationId, name: 'Gus Ode', email: 'gus@example.com', phone: null },
        { organization_id: school.organizationId, name: 'Eve Low', email: null, phone: '+1 555' },
      ])
      .execute()
    const list = (q: string, token: string) => api.call('GET', `/guests?q=${encodeURIComponent(q)}`, { token })
    expect(names(await list('', school.instructor.token))).toEqual(['Eve Low', 'Gus Ode'])
    expect(names(await list('GUS', school.dispatcher.token))).toEqual(['Gus Ode'])
    expect(names(await list('+1', school.dispatcher.token))).toEqual(['Eve Low'])
  })
})
