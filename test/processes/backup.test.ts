import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureDemoSchool } from '../../src/local/demo/school/demo-school.ts'
import { DEMO_PASSWORD } from '../../src/local/demo/school/people.ts'
import { whyHeld } from '../../src/shared/platform/db/hold.ts'
import { startTestApp, type TestApp, testEnvironment } from '../support/app.ts'
import { type Ended, flightline } from '../support/command-line.ts'
import { cloneDatabase, emptyDatabase } from '../support/database.ts'
import { asRole } from '../support/global-setup.ts'

/** Lists of which every row is read by its id as well. */
const lists = ['/users', '/resources', '/invoices', '/groups', '/locations', '/documents', '/announcements']
const windowed = '/reservations?startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z'
/** What a restore changes on purpose. */
const changed = ['outbox']

describe('a backup of a running service', () => {
  let folder: string
  let api: TestApp
  let token: string
  let made: Ended
  let environment: Record<string, string>
  const env = (url: string, dataDir: string) => ({
    ...environment,
    DATABASE_URL: asRole(url, 'service'),
    MIGRATION_DATABASE_URL: asRole(url, 'owner'),
    DATA_DIR: join(folder, dataDir),
  })
  const backup = () => join(folder, 'backup')
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flightline-backup-'))
    const url = await cloneDatabase()
    environment = await testEnvironment(url)
    await mkdir(join(folder, 'data'))
    api = await startTestApp({ databaseUrl: url, realTime: true, env: { DATA_DIR: join(folder, 'data') } })
    await ensureDemoSchool(api.config, { wanted: true, invoices: true, receiverUrl: 'http://127.0.0.1:9/' })
    const body = { email: 'olivia@bayflight.example', password: DEMO_PASSWORD }
    token = (await api.call('POST', '/auth', { body })).json().data.token
    made = await flightline(['backup', backup()], { env: env(url, 'data') })
  }, 120_000)
  afterAll(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Every list and every row of it, as the owner is answered. */
  async function answers(of: TestApp): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    const read = async (path: string) => {
      const response = await of.call('GET', path, { token })
      // Links to files are signed anew in each answer.
      found.set(path, `${response.statusCode} ${response.body}`.replace(/expires=\d+&signature=[\w-]+/g, 'signed'))
      return response
    }
    // First, because reading a medical is an entry of its own.
    await read('/audit')
    for (const list of [...lists, windowed]) {
      const rows = (await read(list)).json().data as { id: number }[]
      for (const { id } of rows) await read(`${list.split('?')[0]}/${id}`)
    }
    for (const path of ['/invoices/summary', '/organizations', '/squawks', '/courses']) await read(path)
    return found
  }

  /** The rows of every table as one checksum. */
  async function checksums(url: string): Promise<Record<string, string>> {
    const client = new pg.Client({ connectionString: asRole(url, 'owner') })
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    const sums: Record<string, string> = {}
    for (const { name } of rows.filter(({ name }) => !['migration', ...changed].includes(name))) {
      const sum = await client.query(
        `select count(*) || ' ' || md5(string_agg(t::text, '|' order by t::text)) as sum from "${name}" t`,
      )
      sums[name] = sum.rows[0].sum
    }
    await client.end()
    return sums
  }

  test('says what it holds and what it leaves out', () => {
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(/: \d{3,} rows of \d+ tables, \d+ uploads\nleft out: queues: .*\nleft out: AUTH_KEYS: /)
  })

  test('restores to the same rows and the same answers, holds what leaves the service, and overwrites nothing', async () => {
    const restored = asRole(await emptyDatabase(), 'service')
    const before = await checksums(api.config.DATABASE_URL ?? '')
    const said = await flightline(['restore', backup(), '--keep-sessions'], { env: env(restored, 'restored') })
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(said.out).toContain('Nothing leaves the service until flightline resume.')
    expect(await checksums(restored)).toEqual(before)
    const copy = await startTestApp({
      databaseUrl: restored,
      realTime: true,
      env: { DATA_DIR: join(folder, 'restored') },
    })
    const [there, here] = [await answers(copy), await answers(api)]
    expect(there.size).toBeGreaterThan(50)
    for (const [path, answer] of there) expect(answer, path).toBe(here.get(path))
    expect(await whyHeld(copy.core.database.pool)).toMatch(/^restored from the backup of /)
    const owed = await copy.core.database.pool.query('select from outbox where failed_at is null')
    expect(owed.rowCount).toBe(0)
    const again = await flightline(['restore', backup()], { env: env(restored, 'elsewhere') })
    expect([again.code, again.err]).toEqual([
      1,
      'flightline: the database is not empty: a restore overwrites nothing\n',
    ])
    expect((await flightline(['resume'], { env: env(restored, 'restored') })).out).toBe('Workers go on.\n')
    expect(await whyHeld(copy.core.database.pool)).toBeNull()
    await copy.close()
  }, 120_000)

  test('ends sign-ins, mailed links and open invitations unless it is asked not to', async () => {
    const restored = asRole(await emptyDatabase(), 'service')
    expect((await flightline(['restore', backup()], { env: env(restored, 'ended') })).code).toBe(0)
    const copy = await startTestApp({ databaseUrl: restored, realTime: true })
    expect((await copy.call('GET', '/users', { token })).statusCode).toBe(401)
    const open = await copy.core.database.pool.query('select from mail_token where used_at is null')
    expect(open.rowCount).toBe(0)
    await copy.close()
  }, 60_000)

  test('is refused when a table or the manifest was changed, or another service made it', async () => {
    const empty = env(asRole(await emptyDatabase(), 'service'), 'refused')
    const table = join(backup(), 'tables/location.copy')
    const rows = await readFile(table)
    await appendFile(table, '\n')
    expect((await flightline(['restore', backup()], { env: empty })).err).toBe(
      'flightline: tables/location.copy is damaged\n',
    )
    await writeFile(table, rows)
    const keys = await flightline(['keys', 'new'])
    const foreign = await flightline(['restore', backup()], { env: { ...empty, AUTH_KEYS: keys.out.trim() } })
    expect(foreign.err).toContain('was not sealed with a key of AUTH_KEYS')
    const manifest = join(backup(), 'manifest.json')
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('tables/location.copy', '../../etc/passwd'))
    expect((await flightline(['restore', backup()], { env: empty })).err).toContain('was not sealed')
  }, 60_000)
})
