import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { buildAccount, buildMember, buildSchool } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { startTestWorkers } from '../../support/workers.ts'

const PUBLIC_URL = 'https://fly.example/school'
const password = 'a long way to Tipperary'

/** The token of the link in both parts of a mail, which must be the same and lead to the page. */
function tokenOf(mail: { text: string; html: string }, page: string): string {
  const link = new RegExp(`${PUBLIC_URL}/${page}#token=([\\w-]+)`)
  const [inText, inHtml] = [link.exec(mail.text)?.[1], link.exec(mail.html)?.[1]]
  expect(inText).toBeDefined()
  expect(inHtml).toBe(inText)
  return inText as string
}

const test = apiTest({ env: { PUBLIC_URL } })
  .extend('workers', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const workers = await startTestWorkers(api)
    onCleanup(() => workers.stop())

    return workers
  })
  .extend('school', ({ api }) => buildSchool(api))

  /** The one mail that came to an address after what was just done. */
  .extend('mailTo', ({ workers }) => async (address: string, subject: RegExp) => {
    await workers.settled()
    const mails = workers.mails(address).filter((mail) => subject.test(mail.subject))
    expect(mails).toHaveLength(1)
    return mails[0]!
  })

  .extend(
    'post',
    ({ api }) =>
      (url: string, body: object, token?: string) =>
        api.call('POST', url, { body, token }),
  )

describe('signing up (§Authentication and accounts)', () => {
  test('mails a link that confirms the address, and again when asked to', async ({ post, mailTo, workers, api }) => {
    const email = 'ana@example.com'
    const { data } = (await post('/users', { name: 'Ana <b>Ruiz</b>', email, password })).json()
    const mail = await mailTo(email, /^Confirm your email address$/)
    expect(mail.to).toEqual([{ address: email, name: 'Ana <b>Ruiz</b>' }])
    expect(mail.text).toContain('Hello Ana <b>Ruiz</b>,')
    expect(mail.html).toContain('Hello Ana &lt;b&gt;Ruiz&lt;/b&gt;,')
    workers.mailCatcher.inbox.clear()

    await post('/auth/verify-email/resend', {}, data.token)
    const token = tokenOf(await mailTo(email, /^Confirm/), 'verify-email')
    expect((await post('/auth/verify-email', { token })).statusCode).toBe(204)
    expect((await api.call('GET', '/auth', { token: data.token })).json().data.user.emailVerified).toBe(true)
  })
})

describe('a forgotten password (§Authentication and accounts)', () => {
  test('mails a link that sets a new one, to registered addresses only', async ({ post, mailTo, workers }) => {
    const email = 'ben@example.com'
    await post('/users', { name: 'Ben', email, password })
    await post('/auth/forgot-password', { email })
    await post('/auth/forgot-password', { email: 'nobody@example.com' })
    const token = tokenOf(await mailTo(email, /^Set a new password$/), 'reset-password')
    expect(workers.mails('nobody@example.com')).toEqual([])
    expect((await post('/auth/reset-password', { token, password: 'another long way home' })).statusCode).toBe(204)
    expect((await post('/auth', { email, password: 'another long way home' })).statusCode).toBe(200)
    const told = await mailTo(email, /^Your password was changed$/)
    expect(told.text).toContain('2026-11-21 12:00 UTC')
    expect(told.text).not.toMatch(/#token=/)
  })
})

describe('an invitation (§Organizations)', () => {
  test('mails who invites as what, with a link that lets a new account in', async ({
    post,
    school,
    mailTo,
    workers,
  }) => {
    const email = 'cy@example.com'
    await post('/organizations/invite', { email, name: 'Cy', instructor: true, student: true }, school.admin.token)
    const mail = await mailTo(email, /^You are invited to Bay Flight Academy$/)
    expect(mail.text).toContain('as instructor and student')
    expect(mail.text).toContain('Please do not forward this mail')
    const invitationToken = tokenOf(mail, 'invitation')
    const joined = await post('/users', { name: 'Cy', email, password, invitationToken })
    expect(joined.json().data.user).toMatchObject({ instructor: true, student: true, emailVerified: true })
    await workers.settled()
    expect(workers.mails(email).map((sent) => sent.subject)).toEqual([
      'You are invited to Bay Flight Academy',
      'An account was created with your address',
    ])
  })

  test('withdrawn before its mail goes out is not mailed', async ({ workers, api, school }) => {
    const email = 'dee@example.com'
    await workers.settled()
    const { pool } = api.core.database
    const { rows } = await pool.query(
      `insert into invitation (organization_id, email, seed, token_hash, invited_by, expires_at)
       values ($1, $2, 'seed', 'hash', $3, '2026-12-01') returning id`,
      [school.organizationId, email, school.admin.orgUserId],
    )
    await api.call('DELETE', `/organizations/invitations/${rows[0].id}`, { token: school.admin.token })
    await pool.query(
      `insert into outbox (id, job, organization_id, payload, created_at) values
       (gen_random_uuid(), 'organizations.send-invitation', $1, $2, now() - interval '1 minute')`,
      [school.organizationId, JSON.stringify({ organizationId: school.organizationId, invitationId: rows[0].id })],
    )
    await workers.settled()
    expect(workers.mails(email)).toEqual([])
  })
})

describe('a join request', () => {
  test('mails the person what became of it', async ({ api, school, post, mailTo }) => {
    await api.call('PATCH', '/organizations', { token: school.owner.token, body: { private: true } })
    const own = await api.call('GET', `/organizations/${school.organizationId}`, { token: school.owner.token })
    const decisions = [
      ['approve', /^You are a member of Bay Flight Academy$/],
      ['decline', /^Your request to join Bay Flight Academy$/],
    ] as const
    for (const [verb, subject] of decisions) {
      const person = await buildAccount(api)
      const { data } = (await post(`/organizations/join/${own.json().data.code}`, {}, person.token)).json()
      await post(`/organizations/joinRequests/${data.id}/${verb}`, {}, school.admin.token)
      const mail = await mailTo(person.email, subject)
      expect(mail.html).toContain('Bay Flight Academy')
    }
  })
})

describe('deleting an organization', () => {
  test('is told to all its owners, and to nobody else', async ({ school, api, mailTo, workers }) => {
    const { organizationId, owner, admin } = school
    const second = await buildMember(api, organizationId, ['owner', 'admin'])
    await api.core.database.pool.query("update organization set name = 'Bay Flight Academy' where id = $1", [
      organizationId,
    ])
    await api.call('DELETE', '/organizations', { token: owner.token })
    for (const { email } of [owner, second]) {
      const { text } = await mailTo(email, /^Bay Flight Academy was deleted$/)
      expect(text).toContain(
        `${owner.name} deleted Bay Flight Academy with every record in it on 2026-11-21 12:00 UTC.`,
      )
    }
    expect(workers.mails(admin.email)).toEqual([])
  })

  test('takes its waiting jobs out of the queues, and no others', async ({ api, workers, school }) => {
    const stays = await buildSchool(api)
    await workers.settled()
    const queue = api.core.queues.queue('reminders')
    // Each job has an id, as jobs from the outbox do: to number one, the queues' schema makes a sequence for the queue.
    const add = (name: string, organizationId: number) =>
      queue.add(name, { organizationId }, { delay: 3_600_000, jobId: randomUUID() })
    for (const { organizationId } of [school, stays]) {
      await add('one', organizationId)
      await add('two', organizationId)
    }
    await api.call('DELETE', '/organizations', { token: school.owner.token })
    await workers.settled()
    const left = await queue.getJobs(['delayed', 'waiting', 'prioritized'])
    // The schedules wait in the same queue; they are of no organization.
    const ofSchools = left.map((job) => job.data.organizationId).filter((id) => id !== undefined)
    expect(ofSchools).toEqual([stays.organizationId, stays.organizationId])
  })
})
