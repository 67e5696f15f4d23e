import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailCatcher, startMailCatcher } from '../../local/mail/mail-catcher.ts'
import { startTestApp, type TestApp, testEnvironment } from '../support/app.ts'
import { buildMember, buildSchool, type Member } from '../support/builders.ts'
import { bin, flightline } from '../support/command-line.ts'
import { SECRET_KEY, startSimulator, type TestSimulator } from '../support/stripe-simulator.ts'

let api: TestApp
let mail: MailCatcher
let simulator: TestSimulator
let env: Record<string, string>
let organizationId: number
let owner: Member
beforeAll(async () => {
  api = await startTestApp({ realTime: true })
  mail = await startMailCatcher({ smtpPort: 0, webPort: 0, host: '127.0.0.1' })
  simulator = await startSimulator()
  env = {
    ...(await testEnvironment(api.config.DATABASE_URL ?? '')),
    SMTP_URL: mail.smtpUrl,
    STRIPE_API_BASE: simulator.url,
    STRIPE_SECRET_KEY: SECRET_KEY,
  }
  organizationId = (await buildSchool(api)).organizationId
  owner = await buildMember(api, organizationId, ['owner', 'admin'])
})
afterAll(async () => {
  await Promise.all([mail.close(), simulator.close()])
  await api.close()
})

const rows = async (text: string) => (await api.core.database.pool.query(text)).rows

describe('flightline owner', () => {
  test('prints a link once with which an owner sets a password, records it and mails all owners', async () => {
    const said = await flightline(['owner', 'reset-password', '--email', owner.email], { env })
    const token = /reset-password#token=(\S+)/.exec(said.out)?.[1]
    const body = { token, password: 'clear-prop-runway-28' }
    expect((await api.call('POST', '/auth/reset-password', { body })).statusCode).toBeLessThan(300)
    const told = await rows("select payload from outbox where job = 'organizations.mail-operator-acted'")
    expect(told.map(({ payload }) => payload.command)).toContain('owner reset-password')
    expect(await rows("select actor_kind, after from event where kind = 'operator.acted'")).toEqual([
      { actor_kind: 'system', after: { command: 'owner reset-password' } },
    ])
  })

  test('says so when the link leads to this machine, and names the service where PUBLIC_URL does', async () => {
    const args = ['owner', 'reset-password', '--email', owner.email]
    expect((await flightline(args, { env })).out).toMatch(/http:\/\/localhost:3000\/\S+\nPUBLIC_URL is not set here: /)
    const named = await flightline(args, { env: { ...env, PUBLIC_URL: 'https://fly.example' } })
    expect(named.out).toMatch(/\nhttps:\/\/fly\.example\/reset-password#token=\S+\n$/)
  })

  test('founds an organization with an owner who is new, also where nobody signs up', async () => {
    const args = ['org', 'create', '--name', 'Petaluma Flyers', '--phone', '+1 707 555 0100']
    const closed = { ...env, SIGN_UP: 'closed' }
    const given = [...args, '--email', 'founder@example.com', '--time-zone', 'America/Los_Angeles']
    const made = await flightline(given, { env: closed })
    expect(made.out).toMatch(/^Petaluma Flyers is organization \d+; founder@example\.com owns it\.\nA new account\. /)
    const token = /#token=(\S+)/.exec(made.out)?.[1]
    const password = 'clear-prop-runway-28'
    expect((await api.call('POST', '/auth/reset-password', { body: { token, password } })).statusCode).toBeLessThan(300)
    const session = (await api.call('POST', '/auth', { body: { email: 'founder@example.com', password } })).json().data
    expect(session).toMatchObject({
      user: { owner: true, admin: true },
      organization: { name: 'Petaluma Flyers', timeZoneName: 'America/Los_Angeles' },
    })
    const told = await rows("select payload from outbox where job = 'organizations.mail-operator-acted'")
    expect(told.map(({ payload }) => payload.command)).toContain('org create')
    const wrong = await flightline([...args, '--email', 'a@example.com', '--time-zone', 'Mars/Olympus'], { env })
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('Mars/Olympus is not a time zone')])
  })

  test('ends without a trace when nobody reads on', async () => {
    const line = `"${process.execPath}" "${bin}" org list | true; "${process.execPath}" "${bin}" doctor | head -n 1`
    const { PATH } = process.env
    const ended = await promisify(execFile)('/bin/sh', ['-c', line], { env: { PATH, ...env } })
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toMatch(/^.*configuration.*\n$/)
  })

  test('makes a new person an owner, and signs one out everywhere', async () => {
    const email = 'new.owner@example.com'
    const made = await flightline(
      ['owner', 'create', '--organization', String(organizationId), '--email', email, '--name', 'Noor Haddad'],
      { env: { ...env, PUBLIC_URL: 'https://fly.example' } },
    )
    expect(made.out).toMatch(
      /^new\.owner@example\.com is an owner of organization \d+; .*\nA new account\. .*\n\S+#token=\S+\n$/,
    )
    const session = { body: { email: owner.email, password: 'clear-prop-runway-28' } }
    const { token } = (await api.call('POST', '/auth', session)).json().data
    expect((await api.call('GET', '/users', { token })).statusCode).toBe(200)
    expect((await flightline(['owner', 'sign-out', '--email', owner.email], { env })).code).toBe(0)
    expect((await api.call('GET', '/users', { token })).statusCode).toBe(401)
  })

  test('takes a password from standard input alone, and only a strong one', async () => {
    const password = 'slate-glider-hangar-61'
    const reset = ['owner', 'reset-password', '--email', owner.email, '--password-stdin']
    const weak = await flightline(reset, { env, input: 'password12\n' })
    expect([weak.code, weak.out]).toEqual([1, ''])
    expect(weak.err).toMatch(/^flightline: .*password/i)
    const said = await flightline(reset, { env, input: `${password}\n` })
    expect([said.code, said.out + said.err]).toEqual([0, expect.not.stringContaining(password)])
    const session = await api.call('POST', '/auth', { body: { email: owner.email, password } })
    expect(session.statusCode).toBe(200)

    const email = 'second.owner@example.com'
    const create = ['owner', 'create', '--organization', String(organizationId), '--email', email, '--password-stdin']
    expect((await flightline(create, { env, input: password })).out).toMatch(
      /is an owner of organization \d+; its owners are mailed\.\n$/,
    )
    expect((await api.call('POST', '/auth', { body: { email, password } })).statusCode).toBe(200)
    expect((await flightline(create, { env, input: password })).err).toContain('has an account with a password')
  })

  test('refuses people who own nothing', async () => {
    const { email } = await buildMember(api, organizationId, ['student'])
    const refused = await flightline(['owner', 'sign-out', '--email', email], { env })
    expect(refused).toEqual({ code: 1, out: '', err: `flightline: ${email} is no owner of an organization\n` })
  })
})

describe('flightline org, jobs, mail and doctor', () => {
  test('list and show organizations', async () => {
    const [list, one] = await Promise.all([
      flightline(['org', 'list'], { env }),
      flightline(['org', 'show', String(organizationId)], { env }),
    ])
    expect(list.out).toMatch(new RegExp(`^id .*\\n(.*\\n)*${organizationId} `))
    expect(one.out).toMatch(/^members +\d+$/m)
    expect((await flightline(['org', 'show', '999999'], { env })).err).toContain('there is no such organization')
  })

  test('list organizations that were deleted, with who did it and what they had', async () => {
    const { owner: leaving, organizationId: gone } = await buildSchool(api)
    expect((await api.call('DELETE', '/organizations', { token: leaving.token })).statusCode).toBe(204)
    const { out } = await flightline(['org', 'list', '--deleted'], { env })
    expect(out).toMatch(/^id +name +members +resources +bookings +invoices +since +deleted +by\n/)
    expect(out).toMatch(new RegExp(`\\n${gone} .* 7 +1 +0 +0 .*\\(account ${leaving.accountId}\\)\\n`))
    expect((await flightline(['org', 'list'], { env })).out).not.toMatch(new RegExp(`^${gone} `, 'm'))
  })

  test('list jobs that were given up and make them due again', async () => {
    const id = '00000000-0000-4000-8000-000000000001'
    await api.core.database.pool.query(
      `insert into outbox (id, job, organization_id, payload, failed_at) values ($1, 'notifications.mail-notification', $2, '{}', now())`,
      [id, organizationId],
    )
    expect((await flightline(['jobs', 'failed'], { env })).out).toContain(`${id}  notifications.mail-notification`)
    expect((await flightline(['jobs', 'retry', id], { env })).out).toBe(
      `${id} notifications.mail-notification: due again\n`,
    )
    expect(await rows(`select failed_at from outbox where id = '${id}'`)).toEqual([{ failed_at: null }])
    expect(await flightline(['jobs', 'retry', id], { env })).toMatchObject({ code: 1 })
  })

  test('make all named jobs due again, also when nobody reads on', async () => {
    const ids = [3, 4, 5].map((last) => `00000000-0000-4000-8000-00000000000${last}`)
    await api.core.database.pool.query(
      `insert into outbox (id, job, organization_id, payload, failed_at)
       select id, 'notifications.mail-notification', $2, '{}', now() from unnest($1::uuid[]) id`,
      [ids, organizationId],
    )
    const line = `"${process.execPath}" "${bin}" jobs retry ${ids.join(' ')} | true`
    const { PATH } = process.env
    expect((await promisify(execFile)('/bin/sh', ['-c', line], { env: { PATH, ...env } })).stderr).toBe('')
    expect(await rows('select count(*)::int as failed from outbox where failed_at is not null')).toEqual([
      { failed: 0 },
    ])
  })

  test('look at the replicas', async () => {
    const doctor = async (url: string) =>
      (await flightline(['doctor'], { env: { ...env, DATABASE_READ_URL: url } })).out
    expect(await doctor('')).toMatch(/^ok +replicas +none$/m)
    expect(await doctor(env.DATABASE_URL!)).toMatch(/^ok +replicas +\S+ accepts writes and is left out$/m)
    expect(await doctor('postgresql://127.0.0.1:9/flightline')).toMatch(
      /^wrong replicas +127\.0\.0\.1:9: .*ECONNREFUSED/m,
    )
  })

  test('list jobs that are stuck, with the reason; doctor says so too', async () => {
    const id = '00000000-0000-4000-8000-000000000002'
    await api.core.database.pool.query(
      `insert into outbox (id, job, organization_id, payload, failures, last_failure, last_failed_at)
       values ($1, 'notifications.mail-notification', $2, '{}', 4, 'the mail server is away: ECONNREFUSED', now())`,
      [id, organizationId],
    )
    expect((await flightline(['jobs', 'stuck'], { env })).out).toMatch(
      /^job +stuck +due since +failures +last reason\n(.*\n)*notifications\.mail-notification +\d+ +\S+ +4 +the mail server is away: ECONNREFUSED/,
    )
    expect((await flightline(['doctor'], { env })).out).toMatch(/^wrong jobs +.* stuck .*see flightline jobs stuck$/m)
    // No worker runs in this test.
    await api.core.database.pool.query('delete from outbox')
    expect((await flightline(['jobs', 'stuck'], { env })).out).toBe('No job is stuck.\n')
  })

  test('send a mail, and say that all is well or what is not', async () => {
    expect((await flightline(['mail', 'test', 'ops@example.com'], { env })).out).toContain(
      'took the mail to ops@example.com',
    )
    expect(mail.inbox.all().map(({ subject }) => subject)).toEqual(['A test of Flightline'])
    const well = await flightline(['doctor'], { env })
    expect([well.code, well.out.split('\n').filter((line) => line && !line.startsWith('ok '))]).toEqual([0, []])
    const ill = await flightline(['doctor'], { env: { ...env, SMTP_URL: 'smtp://127.0.0.1:9', OPS_USER: '' } })
    expect(ill.code).toBe(1)
    expect(ill.out).toMatch(/^wrong configuration +OPS_USER is not set$/m)
    expect(ill.out).toMatch(/^wrong mail +127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)$/m)
    expect(well.out + ill.out).not.toContain(SECRET_KEY)
  })
})
