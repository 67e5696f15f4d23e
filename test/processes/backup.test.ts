import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureDemoSchool } from '../../local/demo/school/demo-school.ts'
import { DEMO_PASSWORD, signIns } from '../../local/demo/school/people.ts'
import { whyHeld } from '../../src/shared/platform/db/hold.ts'
import { startTestApp, type TestApp, testEnvironment } from '../support/app.ts'
import { buildSchool, type Member, type School } from '../support/builders.ts'
import { type Ended, flightline } from '../support/command-line.ts'
import { cloneDatabase, emptyDatabase } from '../support/database.ts'
import { asRole } from '../support/global-setup.ts'
import {
  SECRET_KEY,
  startSimulator,
  stripeClient,
  type TestSimulator,
  WEBHOOK_SECRET,
} from '../support/stripe-simulator.ts'
import { type Reader, readEverything } from './support/answers.ts'

/** What a restore changes on purpose, and the mark that a backup makes once it is written. */
const changed = ['outbox', 'backup_mark']
/** The time of every answer that is compared. */
const now = new Date()

describe('a backup of a running service', () => {
  let folder: string
  let api: TestApp
  let simulator: TestSimulator
  let readers: Reader[]
  /** Schools in which much ends after the backup, and one that is gone by then. */
  let school: School
  let gone: School
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
    simulator = await startSimulator()
    environment = {
      ...(await testEnvironment(url)),
      STRIPE_API_BASE: simulator.url,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    }
    await mkdir(join(folder, 'data'))
    api = await openApi(url, 'data')
    await ensureDemoSchool(api.config, { wanted: true, invoices: true, receiverUrl: 'http://127.0.0.1:9/' })
    school = await buildSchool(api)
    gone = await buildSchool(api)
    await api.as(school.student).post('/calendar/token')
    readers = []
    for (const { role, email } of signIns) {
      const { token } = (await api.call('POST', '/auth', { body: { email, password: DEMO_PASSWORD } })).json().data
      readers.push({ name: role, token })
    }
    made = await flightline(['backup', backup()], { env: env(url, 'data') })
  }, 120_000)
  afterAll(async () => {
    await api.close()
    await simulator.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function openApi(databaseUrl: string, dataDir: string): Promise<TestApp> {
    const opened = await startTestApp({ databaseUrl, env: { DATA_DIR: join(folder, dataDir) } })
    opened.clock.now = now
    return opened
  }

  /** The rows of every table as one checksum. */
  async function checksums(url: string): Promise<Record<string, string>> {
    const tables = await ask<{ name: string }>(
      url,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    const sums: Record<string, string> = {}
    for (const { name } of tables.filter(({ name }) => !['migration', ...changed].includes(name))) {
      const [sum] = await ask<{ sum: string }>(
        url,
        `select count(*) || ' ' || md5(string_agg(t::text, '|' order by t::text)) as sum from "${name}" t`,
      )
      sums[name] = sum?.sum ?? ''
    }
    return sums
  }

  /** Each member's balance, and the sum of each organization's invoices. */
  const balances = (url: string) =>
    ask(
      url,
      `select organization_id, membership_id, sum(amount_cents)::int as cents from ledger_entry group by 1, 2 union all
       select organization_id, null, sum(total_cents)::int from invoice group by 1 order by 1, 2`,
    )

  async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: asRole(url, 'owner') })
    await client.connect()
    const { rows } = await client.query<Row>(text)
    await client.end()
    return rows
  }

  const restore = async (dataDir: string, ...options: string[]) => {
    const url = asRole(await emptyDatabase(), 'service')
    return { url, said: await flightline(['restore', backup(), ...options], { env: env(url, dataDir) }) }
  }

  test('says what it holds and what it leaves out', () => {
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(/: \d{3,} rows of \d+ tables, \d+ uploads\nleft out: queues: .*\nleft out: AUTH_KEYS: /)
  })

  test('restores to the same rows, balances and a thousand answers, holds what leaves the service, and overwrites nothing', async () => {
    const { url: restored, said } = await restore('restored', '--keep-sessions')
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(said.out).toContain('Nothing leaves the service until flightline resume.')
    expect(said.out).toContain('ended again: nothing')
    const before = api.config.DATABASE_URL ?? ''
    expect(await checksums(restored)).toEqual(await checksums(before))
    expect((await balances(restored)).length).toBeGreaterThan(2)
    expect(await balances(restored)).toEqual(await balances(before))

    const copy = await openApi(restored, 'restored')
    const [there, here] = [await readEverything(copy, readers), await readEverything(api, readers)]
    expect(there.size).toBeGreaterThan(1_000)
    expect([...there.keys()]).toEqual([...here.keys()])
    for (const [path, answer] of there) expect(answer, path).toBe(here.get(path))

    expect(await whyHeld(copy.core.database.pool)).toMatch(/^restored from the backup of /)
    const owed = await copy.core.database.pool.query('select from outbox where failed_at is null')
    expect(owed.rowCount).toBe(0)
    const again = await flightline(['restore', backup()], { env: env(restored, 'elsewhere') })
    expect([again.code, again.err]).toEqual([
      1,
      'flightline: the database is not empty: a restore overwrites nothing\n',
    ])
    const resumed = await flightline(['resume'], { env: env(restored, 'restored') })
    expect(resumed.out).toMatch(/^compared with the payment gateway: 0 invoices there since .*\nWorkers go on\.\n$/)
    expect(await whyHeld(copy.core.database.pool)).toBeNull()
    await copy.close()
  }, 300_000)

  test('ends sign-ins, mailed links and open invitations unless it is asked not to', async () => {
    const { url, said } = await restore('ended')
    expect(said.code).toBe(0)
    const copy = await openApi(url, 'ended')
    expect((await copy.as(readers[0]!).get('/users')).statusCode).toBe(401)
    const open = await copy.core.database.pool.query('select from mail_token where used_at is null')
    expect(open.rowCount).toBe(0)
    await copy.close()
  }, 60_000)

  test('encrypted with age, tells nobody anything, and is restored with the identity', async () => {
    const identity = await generateIdentity()
    const keys = join(folder, 'identity.txt')
    await writeFile(keys, `# made by a test\n${identity}\n`)
    const closed = join(folder, 'closed')
    const options = ['--with-keys', '--recipient', await identityToRecipient(identity)]
    expect(
      await flightline(['backup', closed, ...options], { env: env(api.config.DATABASE_URL ?? '', 'data') }),
    ).toMatchObject({ code: 0 })
    for (const file of ['tables/account.copy', 'auth-keys.json'])
      expect((await readFile(join(closed, file))).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    const empty = env(asRole(await emptyDatabase(), 'service'), 'opened')
    expect((await flightline(['restore', closed], { env: empty })).err).toContain(
      'is encrypted: name a file of identities',
    )
    const said = await flightline(['restore', closed, '--identity', keys], { env: empty })
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(await balances(empty.DATABASE_URL)).toEqual(await balances(api.config.DATABASE_URL ?? ''))
  }, 120_000)

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
    const journal = await readFile(`${backup()}.journal`, 'utf8')
    await writeFile(`${backup()}.journal`, journal.replace(/"organization":\[\[1,\d+/, '"organization":[[1,999'))
    expect((await flightline(['restore', backup()], { env: empty })).err).toContain('.journal was not sealed')
    await writeFile(`${backup()}.journal`, journal)
    const manifest = join(backup(), 'manifest.json')
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.replace('tables/location.copy', '../../etc/passwd'))
    expect((await flightline(['restore', backup()], { env: empty })).err).toContain('was not sealed')
    await writeFile(manifest, text)
  }, 60_000)

  test('does not bring back what was erased or revoked after it, nor forget what the gateway took since', async () => {
    const original = env(api.config.DATABASE_URL ?? '', 'data')
    const { owner, admin, renter, technician, student } = school
    const done = [
      await api.as(gone.owner).delete('/organizations'),
      await api.as(owner).patch(`/users/${admin.accountId}/roles`, { instructor: true }),
      await api.as(owner).delete(`/orgUsers/${renter.orgUserId}`),
      await api.as(owner).post(`/orgUsers/${renter.orgUserId}/erase`, { reason: 'Asked for it' }),
      await api.as(technician).delete('/users'),
      await api.as(student).delete('/calendar/token'),
    ]
    expect(done.map(({ statusCode }) => statusCode)).toEqual([204, 200, 204, 200, 204, 204])
    expect((await flightline(['owner', 'sign-out', '--email', owner.email], { env: original })).code).toBe(0)
    const noted = await flightline(['journal', backup()], { env: original })
    expect(noted.out).toMatch(/backup\.journal: what of the backup of .* stands\n$/)
    expect(await readFile(`${backup()}.journal`, 'utf8')).not.toContain('@')
    const invoice = await raisedSince()

    const { url, said } = await restore('after')
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(said.out).toContain('ended again: organization 1, account 1, access 2, membership 9, ')
    const standing = await ask(
      url,
      `select a.id, a.email <> '' as address, a.password_hash <> '' as password, m.removed_at is null as member, m.admin, m.instructor
         from account a join membership m on m.account_id = a.id
        where m.organization_id = ${school.organizationId} order by m.id`,
    )
    const row = (of: Member, now: object) => ({
      id: of.accountId,
      address: true,
      password: true,
      member: true,
      admin: false,
      instructor: false,
      ...now,
    })
    expect(standing).toEqual([
      row(school.owner, { admin: true, password: false }),
      row(admin, { instructor: false }),
      row(school.dispatcher, {}),
      row(school.instructor, { instructor: true }),
      row(student, {}),
      row(technician, { member: false, address: false, password: false }),
    ])
    expect(await ask(url, `select from organization where id = ${gone.organizationId}`)).toEqual([])
    expect(
      await ask(
        url,
        `select search_name as name, search_email as email from membership where id = ${renter.orgUserId}`,
      ),
    ).toEqual([{ name: `Former member ${renter.orgUserId}`, email: '' }])
    expect(await ask(url, `select from calendar_feed where membership_id = ${student.orgUserId}`)).toEqual([])
    expect(await ask(url, 'select from outbox where failed_at is null and job not like $$storage.%$$')).toEqual([])

    const restored = env(url, 'after')
    const line = `${invoice}, then invoice 7 of organization 1, $45.00, open`
    expect(said.out).toContain(line)
    const ill = await flightline(['doctor'], { env: restored })
    expect([ill.code, ill.out]).toEqual([1, expect.stringContaining(line)])
    const refused = await flightline(['resume'], { env: restored })
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('still held: look into the above')])
    const resumed = await flightline(['resume', '--despite-differences'], { env: restored })
    expect([resumed.code, resumed.out]).toEqual([0, expect.stringMatching(/Workers go on\.\n$/)])
  }, 120_000)

  /** An invoice that the service raised after the backup, as the gateway has it. */
  async function raisedSince(): Promise<string> {
    const stripe = stripeClient(simulator)
    const customer = await stripe.customers.create({ name: 'Ana Ruiz', email: 'ana@bay.example' })
    const metadata = { flightlineKey: 'inv_of_another_life', organizationId: '1', invoiceId: '7' }
    const { id } = await stripe.invoices.create({
      customer: customer.id,
      collection_method: 'charge_automatically',
      metadata,
    })
    await stripe.invoiceItems.create({
      customer: customer.id,
      invoice: id,
      currency: 'usd',
      amount: 4_500,
      description: 'N172FL',
    })
    await stripe.invoices.finalizeInvoice(id)
    return id
  }
})
