import { describe, expect } from 'vitest'
import { buildAccount } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'
import { runFanOut } from '../../../support/outbox.ts'

const test = schoolTest()
  .extend(
    'join',
    ({ api }) =>
      (token: string, orgCode = code) =>
        api.call('POST', `/organizations/join/${orgCode}`, { token }),
  )
  .extend(
    'closeDoor',
    ({ api, school }) =>
      () =>
        api.as(school.owner).patch('/organizations', { private: true }),
  )
  .extend(
    'requests',
    ({ api, school }) =>
      async (query = '') =>
        (await api.as(school.admin).get(`/organizations/joinRequests${query}`)).json().data,
  )
  .extend(
    'decide',
    ({ api, school }) =>
      (id: number, verb: string, body?: object, token = school.admin.token) =>
        api.call('POST', `/organizations/joinRequests/${id}/${verb}`, { token, body }),
  )

let code: string
test.beforeEach(async ({ api, school }) => {
  const own = await api.as(school.owner).get(`/organizations/${school.organizationId}`)
  code = own.json().data.code
})

describe('joining by code (§Organizations)', () => {
  test('makes the account a student of a public organization and answers a token for it', async ({
    api,
    school,
    join,
  }) => {
    const { token } = await buildAccount(api)
    const response = await join(token, code.toLowerCase())
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      user: { student: true, renter: false },
      organization: { id: school.organizationId },
    })
    const again = await join(response.json().data.token)
    expect(again.statusCode).toBe(400)
    expect(again.json().code).toBe('ALREADY_MEMBER')
  })

  test('makes one membership when ten requests come at once', async ({ api, join }) => {
    const { token, accountId } = await buildAccount(api)
    const answers = await Promise.all(Array.from({ length: 10 }, () => join(token)))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(9).fill(400)])
    const { rows } = await api.core.database.pool.query('select 1 from membership where account_id = $1', [accountId])
    expect(rows).toHaveLength(1)
  })

  test('needs an existing, well-formed code', async ({ api, join }) => {
    const { token } = await buildAccount(api)
    expect((await join(token, 'ZZZZZZ')).statusCode).toBe(404)
    expect((await join(token, 'ABC')).statusCode).toBe(400)
  })
})

describe('joining a private organization (§Other)', () => {
  test('creates one request, however often the person asks', async ({ api, join, closeDoor, requests }) => {
    await closeDoor()
    const { token, accountId, name, email } = await buildAccount(api)
    const answers = await Promise.all([join(token), join(token)])
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201])
    const [first, second] = answers.map((answer) => answer.json().data)
    expect(first.id).toBe(second.id)
    expect(await requests()).toMatchObject([
      {
        id: first.id,
        status: 'pending',
        user: { id: accountId, name, email },
        organization: { name: 'Bay Flight Academy' },
      },
    ])
    expect((await api.call('GET', '/organizations', { token })).json().data).toEqual([])
  })

  test('enqueues a message to the desk about the request and to the person about the decision', async ({
    api,
    school,
    join,
    closeDoor,
    decide,
  }) => {
    await closeDoor()
    const { token } = await buildAccount(api)
    const { id } = (await join(token)).json().data
    await decide(id, 'decline')
    await runFanOut(api)
    const { rows } = await api.core.database.pool.query(
      `select job, payload from outbox where organization_id = $1
        and payload ->> 'kind' is distinct from 'ledger_pays' order by created_at`,
      [school.organizationId],
    )
    expect(rows.map((row) => row.job)).toEqual([
      'organizations.mail-join-decision',
      'notifications.fan-out-notification',
    ])
    expect(rows[1].payload).toMatchObject({ kind: 'join_request', subjectId: id })
  })

  test('ends once with an approval that grants roles', async ({ api, school, join, closeDoor, requests, decide }) => {
    await closeDoor()
    const { token, accountId } = await buildAccount(api)
    const { id } = (await join(token)).json().data
    const answers = await Promise.all([
      decide(id, 'approve', { renter: true }),
      decide(id, 'approve', { renter: true }),
    ])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
    expect(answers.find((answer) => answer.statusCode === 409)?.json().code).toBe('NOT_PENDING')
    expect((await requests('?status=approved'))[0]).toMatchObject({ id, status: 'approved' })
    const user = await api.as(school.admin).get(`/users/${accountId}`)
    expect(user.json().data).toMatchObject({ renter: true, student: false })
    const switched = await api.call('POST', `/organizations/switch/${school.organizationId}`, { token })
    expect(switched.statusCode).toBe(200)
  })

  test('grants the student role when none is named, and a declined person may ask again', async ({
    api,
    school,
    join,
    closeDoor,
    decide,
  }) => {
    await closeDoor()
    const { token, accountId } = await buildAccount(api)
    const declined = (await join(token)).json().data.id
    expect((await decide(declined, 'decline')).json().data.status).toBe('declined')
    expect((await decide(declined, 'approve')).statusCode).toBe(409)
    const { id } = (await join(token)).json().data
    expect(id).not.toBe(declined)
    expect((await decide(id, 'approve')).statusCode).toBe(200)
    const user = await api.as(school.admin).get(`/users/${accountId}`)
    expect(user.json().data.student).toBe(true)
  })

  test('no longer waits once the person joined by an invitation', async ({
    api,
    school,
    join,
    closeDoor,
    requests,
    decide,
  }) => {
    await closeDoor()
    const { token, email } = await buildAccount(api)
    const { id } = (await join(token)).json().data
    await api.as(school.admin).post('/organizations/invite', { email, instructor: true })
    const body = { token: await mailedToken(api, email, 'invitation') }
    await api.call('POST', '/organizations/invitations/accept', { token, body })
    expect(await requests()).toEqual([])
    expect((await decide(id, 'approve')).json().code).toBe('NOT_PENDING')
  })
})
