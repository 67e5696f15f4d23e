import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../local/servers/ports.ts'
import { flightline } from '../support/command-line.ts'
import { fastestFolder } from '../support/fastest-folder.ts'

const root = join(import.meta.dirname, '../..')

interface Run {
  child: ChildProcess
  output(): string
  ended: Promise<number | null>
}

/** Runs a command of the command line as a process of its own, with these variables and few others. */
function run(command: string, variables: Record<string, string>): Run {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(root, 'bin/flightline.mjs'), command], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, output: () => text, ended: once(child, 'close').then(([code]) => code as number | null) }
}

/** Waits until it says that it is ready. @throws Error with what it printed when it ends instead. */
async function untilReady({ child, output, ended }: Run): Promise<void> {
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => output().includes('is ready') && resolve())
  })
  const refused = ended.then((code) => {
    throw new Error(`ended with ${code}: ${output()}`)
  })
  await Promise.race([ready, refused])
}

async function freshVariables(): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(await fastestFolder(), 'flightline-all-in-one-'))
  // When root runs the tests, PostgreSQL's own user must get in.
  await chmod(dataDir, 0o755)
  const names = ['PORT', 'MAIL_WEB_PORT', 'MAIL_SMTP_PORT', 'STRIPE_SIMULATOR_PORT', 'WEBHOOK_RECEIVER_PORT']
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const))
  const WEBHOOK_ALLOWED_NETWORKS = `127.0.0.1/32:${await freePort()}`
  return { DATA_DIR: dataDir, WEBHOOK_ALLOWED_NETWORKS, ...Object.fromEntries(ports) }
}

/**
 * Breaks off requests to a port and sends others with a wrong signature until a program has ended. Returns how many it
 * refused with 401.
 */
async function disturb(port: number, program: Promise<unknown>): Promise<number> {
  let [isOver, refused] = [false, 0]
  const end = () => {
    isOver = true
  }
  program.then(end, end)
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
  while (!isOver) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{', () => socket.destroy())
    })
    socket.on('error', () => {})
    await once(socket, 'close').catch(() => {})
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' }).catch(() => null)
    if (answer?.status === 401) refused += 1
    await pause(20)
  }
  return refused
}

/** Leaves out what differs from run to run: the member's number, and the time that is free. */
function withoutFigures(printed: string): string {
  return printed.replace(/member \d+/, 'member').replace(/free at \S+/, 'free')
}

/** Asks for the health again and again; answers what the first sign-in after it says. */
async function untilHealthy(variables: Record<string, string>, { child }: Run): Promise<number> {
  const health = () =>
    fetch(`http://127.0.0.1:${variables.PORT}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (child.exitCode === null && !(await health())) await new Promise((resolve) => setTimeout(resolve, 20))
  return (await trySignIn(variables, 'olivia@bayflight.example')).status
}

function trySignIn(variables: Record<string, string>, email: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${variables.PORT}/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'clear-prop-runway-28' }),
  })
}

async function read<T>(variables: Record<string, string>, path: string, token: string): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${variables.PORT}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { data: T }).data
}

async function signIn(variables: Record<string, string>, email: string): Promise<string> {
  const response = await trySignIn(variables, email)
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: { token: string } }).data.token
}

describe('npm start', () => {
  let variables: Record<string, string>
  let started: Run
  let signInWhenHealthy: number

  beforeAll(async () => {
    variables = await freshVariables()
    started = run('start', variables)
    const healthy = untilHealthy(variables, started)
    await untilReady(started)
    signInWhenHealthy = await healthy
  }, 120_000)

  test('is not healthy before everybody of the demo school can sign in', () => {
    expect(signInWhenHealthy).toBe(200)
  })

  afterAll(async () => {
    started.child.kill('SIGKILL')
    await rm(variables.DATA_DIR!, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  test('is reached by the commands, and its database is backed up and restored into an empty directory', async () => {
    const { DATA_DIR = '' } = variables
    expect((await flightline(['doctor'], { env: variables })).out).not.toContain('wrong')
    const backup = join(DATA_DIR, 'backup')
    expect((await flightline(['backup', backup, '--with-keys'], { env: variables })).code).toBe(0)
    const elsewhere = join(DATA_DIR, 'restored')
    const keys = join(backup, 'auth-keys.json')
    const said = await flightline(['restore', backup], { env: { DATA_DIR: elsewhere, AUTH_KEYS_FILE: keys } })
    expect([said.code, said.err]).toEqual([0, ''])
    expect(said.out).toMatch(/^restored \d{4,} rows of \d+ tables and [1-9]\d* uploads /m)
    const secrets = JSON.parse(await readFile(join(elsewhere, 'secrets.json'), 'utf8'))
    expect(secrets.authKeys).toBe((await readFile(keys, 'utf8')).trim())
  }, 60_000)

  test('prints the pages to open and a sign-in for every role', () => {
    const printed = started.output()
    for (const page of ['/docs', '/ops/queues', variables.MAIL_WEB_PORT!]) expect(printed).toContain(page)
    for (const role of ['owner', 'admin', 'dispatcher', 'instructor', 'student', 'renter', 'technician']) {
      expect(printed).toMatch(new RegExp(`${role} +\\S+@bayflight.example`))
    }
  })

  test('offers to sign in as somebody of the school, to a visitor of this machine alone', async () => {
    const base = `http://127.0.0.1:${variables.PORT}`
    const front = async (headers: Record<string, string> = {}) =>
      (await fetch(`${base}/`, { headers: { accept: 'text/html', ...headers } })).text()
    expect(await front()).toMatch(/Sign in as.*value="olivia@bayflight\.example"/s)
    expect(await front()).toContain(`:${variables.MAIL_WEB_PORT}`)
    expect(await front({ 'x-forwarded-for': '203.0.113.7' })).not.toMatch(/sign in as|inbox/i)
    const signInAs = (email: string, headers: Record<string, string> = {}) =>
      fetch(`${base}/demo/sign-in`, { method: 'POST', headers, body: new URLSearchParams({ email }) })
    const page = await (await signInAs('sam@bayflight.example')).text()
    const token = /TOKEN=(\S+)/.exec(page)?.[1] ?? ''
    const who = await read<{ user: { email: string } }>(variables, '/auth', token)
    expect(who.user.email).toBe('sam@bayflight.example')
    expect((await signInAs('nobody@bayflight.example')).status).toBe(404)
    for (const [name, value] of [
      ['origin', 'https://elsewhere.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      expect((await signInAs('sam@bayflight.example', { [name]: value })).status).toBe(404)
    }
  })

  test('puts a school in whose week obeys the booking rules, with paid invoices and an open one', async () => {
    const token = await signIn(variables, 'olivia@bayflight.example')
    const window = 'startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z'
    const bookings = await read<{ status: string }[]>(variables, `/reservations?${window}`, token)
    expect(bookings.length).toBeGreaterThan(25)
    const statuses = new Set(bookings.map(({ status }) => status))
    expect(statuses).toEqual(new Set(['booked', 'ramped_out', 'ramped_in', 'signed_off', 'invoiced']))
    // 1.4 h × (180 + 75), 1.5 h × (180 + 82), 1.3 h × (172 + 82), 1.6 h × (172 + 75) are paid; 2.1 h × 238 are not,
    // nor are the 1.1 h × 180 of a student for whom somebody else pays.
    // Three months before, paid from an account: 12.6 h × (210 + 75) and 2.6 h × (210 + 82) of one student, 7.8 h × (180 + 82)
    // and 2.4 h × (180 + 75) of others, 6.4 h × 238 of a renter, of whose time 0.3 h were credited by a correction. A month of headset rental, 125, is overdue,
    // and so is a headset of 120 with 12.30 of tax.
    // 15 of them were credited. A headset of 219 with 22.45 of tax (10.25 %) was paid by check; the rental has 12.81. Of the
    // student who bought ten hours for 1,590, 1.4 + 1.3 + 1.4 + 1.4 h then and the 1.5 h of this week were paid by them.
    const summary = await read(variables, '/invoices/summary', token)
    expect(summary).toMatchObject({
      revenueCents: 147_540 + 852_900 - 1_500 + 24_145 + 159_000 - 70 * 1_800 - 7_140,
      outstandingCents: 49_980 + 19_800 + 13_781 + 13_230,
      overdueCents: 13_781 + 13_230,
      paidCount: 28,
    })
  })

  test('tells a receiver on this machine what happens in the school', async () => {
    const token = await signIn(variables, 'adam@bayflight.example')
    const [webhook] = await read<{ id: number; url: string }[]>(variables, '/webhooks', token)
    const receiver = `http://127.0.0.1:${variables.WEBHOOK_RECEIVER_PORT}`
    expect(webhook).toMatchObject({ url: receiver, active: true })
    const sent = await fetch(`http://127.0.0.1:${variables.PORT}/webhooks/${webhook!.id}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    const { eventId } = ((await sent.json()) as { data: { eventId: string } }).data
    await vi.waitFor(
      async () => {
        const { data } = (await (await fetch(receiver)).json()) as { data: { id: string }[] }
        expect(data.map(({ id }) => id)).toContain(eventId)
      },
      { timeout: 20_000, interval: 100 },
    )
  })

  test('tells who must verify an address where the mail lies, to a visitor of this machine alone', async () => {
    const send = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${variables.PORT}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const person = { name: 'Ada Novak', email: 'ada@comer.example', password: 'clear-prop-runway-28' }
    const { data } = (await (await send('/users', person)).json()) as { data: { token: string } }
    const join = async (headers: Record<string, string> = {}) => {
      const answer = await send('/organizations/join/ABC234', {}, { authorization: `Bearer ${data.token}`, ...headers })
      const { message, code } = (await answer.json()) as { message: string; code: string }
      expect([answer.status, code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
      return message
    }
    expect(await join()).toMatch(new RegExp(`The mail lies in the inbox at http://\\S+:${variables.MAIL_WEB_PORT}\\.$`))
    expect(await join({ 'x-forwarded-for': '203.0.113.7' })).not.toMatch(/inbox/i)
  })

  test('lets the app of the guide go from nothing to a paid flight, whatever else its receiver is sent', async () => {
    const { PORT, MAIL_WEB_PORT, WEBHOOK_ALLOWED_NETWORKS = '' } = variables
    const env = {
      ...process.env,
      FLIGHTLINE_URL: `http://localhost:${PORT}`,
      INBOX_URL: `http://localhost:${MAIL_WEB_PORT}`,
      HOOK_PORT: WEBHOOK_ALLOWED_NETWORKS.split(':')[1],
    }
    const program = promisify(execFile)(process.execPath, [join(root, 'examples/app/app.ts')], { env })
    const refused = disturb(Number(env.HOOK_PORT), program)
    const { stdout } = await program
    expect(await refused).toBeGreaterThan(0)
    const guide = await readFile(join(root, 'docs/guides/an-app-from-nothing.md'), 'utf8')
    const [, printed = ''] = [...guide.matchAll(/^```\n(.*?)^```$/gms)].map(([, block]) => block)
    expect(withoutFigures(stdout)).toBe(withoutFigures(printed))
    expect(stdout).toContain('invoice of 21000 cents')
  }, 60_000)

  test('says in one line that the data directory is in use when it is started again on it', async () => {
    const second = run('start', variables)
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(/^flightline: .*data directory .* is in use.*\n$/)
  })

  test('stops everything in order on SIGTERM, and keeps school and tokens for the next start', async () => {
    const token = await signIn(variables, 'sam@bayflight.example')
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
    await expect(fetch(`http://127.0.0.1:${variables.PORT}/health`)).rejects.toThrow()
    started = run('start', variables)
    await untilReady(started)
    expect(await read(variables, '/users', token)).toHaveLength(13)
  }, 120_000)

  test('brings its PostgreSQL back when that is killed, and goes on without a restart', async () => {
    const pidFile = join(variables.DATA_DIR!, 'postgres', 'postmaster.pid')
    const server = Number((await readFile(pidFile, 'utf8')).split('\n')[0])
    process.kill(server, 'SIGKILL')
    await vi.waitFor(
      async () => {
        expect(Number((await readFile(pidFile, 'utf8')).split('\n')[0])).not.toBe(server)
        // What /health said before the end still holds for a second.
        expect(await signIn(variables, 'sam@bayflight.example')).toBeTruthy()
        const { status } = await fetch(`http://127.0.0.1:${variables.PORT}/health`)
        expect(status).toBe(200)
      },
      { timeout: 30_000, interval: 100 },
    )
    expect(started.output()).toMatch(/^flightline: PostgreSQL ended unexpectedly .*; starting it again$/m)
    expect(started.child.exitCode).toBeNull()
  }, 60_000)

  test('says which part died, stops the rest and exits with 1', async () => {
    const workers = await childOf(started.child.pid!, 'worker')
    process.kill(workers, 'SIGKILL')
    expect(await started.ended).toBe(1)
    expect(started.output()).toMatch(/^flightline: the workers process ended unexpectedly .*$/m)
  })
})

describe('a start that cannot be', () => {
  test('names the port that is taken and the variable that moves it', async () => {
    const variables = await freshVariables()
    const other = createServer().listen(Number(variables.STRIPE_SIMULATOR_PORT), '127.0.0.1')
    await once(other, 'listening')
    const refused = run('start', variables)
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toBe(
      `flightline: cannot start: Port ${variables.STRIPE_SIMULATOR_PORT} is already taken: ` +
        'set STRIPE_SIMULATOR_PORT to a free one.\n',
    )
    other.close()
    await rm(variables.DATA_DIR!, { recursive: true, force: true })
  })

  test.each([
    ['start', { PORT: 'http' }, /^flightline: PORT: .*\n$/],
    ['start', { STRIPE_SECRET_KEY: 'sk_test_x' }, /^flightline: STRIPE_WEBHOOK_SECRET is not set\n$/],
    ['api', { LOG_LEVEL: 'loud' }, /^flightline: LOG_LEVEL: .*\n$/],
    [
      'api',
      {},
      /^flightline: DATABASE_URL, AUTH_KEYS, RECORD_KEYS, SMTP_URL, STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set\n$/,
    ],
    [
      'worker',
      { DATABASE_URL: 'postgresql://127.0.0.1:9/none' },
      /^flightline: AUTH_KEYS, RECORD_KEYS, SMTP_URL, STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set\n$/,
    ],
  ])('%s with %j names the variable in one line', async (command, given, line) => {
    const { DATA_DIR } = await freshVariables()
    const refused = run(command, { DATA_DIR: DATA_DIR!, ...(given as Record<string, string>) })
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(line)
    await rm(DATA_DIR!, { recursive: true })
  })
})

/** The process id of a child that runs a command. */
async function childOf(parent: number, command: string): Promise<number> {
  const listing = spawn('ps', ['-eo', 'pid=,ppid=,args='], { stdio: ['ignore', 'pipe', 'ignore'] })
  const text = (await listing.stdout.setEncoding('utf8').toArray()).join('')
  const line = text
    .split('\n')
    .find((row) => row.trim().split(/\s+/)[1] === String(parent) && row.endsWith(` ${command}`))
  return Number(line?.trim().split(/\s+/)[0])
}
