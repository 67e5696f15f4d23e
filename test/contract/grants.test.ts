import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { tables } from '../../src/shared/composition/tables.ts'
import { queueNames } from '../../src/shared/platform/contracts/define-job.ts'
import type { Table } from '../../src/shared/platform/db/declare-table.ts'
import type { TestApp } from '../support/app.ts'
import { buildSchool } from '../support/builders.ts'
import { asOwner, emptyDatabase } from '../support/database.ts'
import { asRole, roles, withDatabase } from '../support/global-setup.ts'
import { startLoneApp } from './support/app.ts'

let api: TestApp
beforeAll(async () => {
  api = await startLoneApp()
})
afterAll(() => api.close())

async function rowsAsService<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await api.core.database.pool.query(text, values)).rows as Row[]
}

/** What the service may do with each table, and with single columns where it may not with the table. */
const grants = `
  select c.relname as table,
         (select string_agg(lower(privilege_type), ' ' order by privilege_type)
            from aclexplode(c.relacl) where grantee = $1::regrole) as rights,
         (select string_agg(attname, ' ' order by attname)
            from pg_attribute, aclexplode(attacl) where attrelid = c.oid and grantee = $1::regrole
             and privilege_type = 'UPDATE') as columns
    from pg_class c where c.relkind = 'r' and c.relnamespace = $2::regnamespace order by 1`

const usual = 'delete insert select update'

/** What the service may do with a table on which it has fewer rights, as the query above words it. */
function declaredRights({ rights }: Table): string {
  if (rights === undefined) return usual
  if (rights === 'no delete') return 'insert select update'
  if (typeof rights === 'string') return 'insert select'
  return `insert select; update of ${[...rights.update].sort().join(' ')}`
}

/** The functions that run as the owner. Each is described in the documentation of the service's security. */
const ownersFunctions = [
  'move_ledger',
  'move_papers',
  'purge_events',
  'purge_gateway_events',
  'purge_unconfirmed_requests',
]

describe("the service's role", () => {
  test('owns nothing, and is no superuser', async () => {
    const [role] = await rowsAsService(`
      select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as mighty,
             (select count(*)::int from pg_class where relowner = r.oid) as relations,
             (select count(*)::int from pg_proc where proowner = r.oid) as functions,
             (select count(*)::int from pg_namespace where nspowner = r.oid) as schemas,
             pg_has_role('${roles.owner}', 'member') as member
        from pg_roles r where rolname = current_user`)
    expect(role).toEqual({ mighty: false, relations: 0, functions: 0, schemas: 0, member: false })
  })

  test('has on each table the rights that its declaration says, and only reads the list of migrations', async () => {
    const rows = await rowsAsService<{ table: string; rights: string; columns: string | null }>(grants, [
      roles.service,
      'public',
    ])
    const given = rows.map(({ table, rights, columns }) => [
      table,
      columns ? `${rights}; update of ${columns}` : rights,
    ])
    expect(given.length).toBeGreaterThan(50)
    const declared = tables.map((table) => [table.name, declaredRights(table)])
    expect(Object.fromEntries(given)).toEqual({ ...Object.fromEntries(declared), migration: 'select' })
  })

  test('has the usual rights on the tables of the queues', async () => {
    const rows = await rowsAsService<{ rights: string }>(grants, [roles.service, 'bullmq'])
    expect(new Set(rows.map(({ rights }) => rights))).toEqual(new Set([usual]))
  })

  test.each(queueNames)('adds jobs to the queue %s: a batch with ids, and one that has none', async (name) => {
    const queue = api.core.queues.queue(name)
    const delay = 60_000
    const batch = [randomUUID(), randomUUID()].map((jobId) => ({ name: 'later', data: {}, opts: { jobId, delay } }))
    const added = await queue.addBulk(batch)
    expect(added.map(({ id }) => id)).toEqual(batch.map(({ opts }) => opts.jobId))
    expect(await queue.add('later', {}, { delay })).toMatchObject({ id: '1' })
  })

  test.each([
    'create table mine (id integer)',
    'create schema mine',
    'create function mine() returns integer language sql return 1',
    'create table bullmq.mine (id integer)',
    'drop table outbox',
    'alter table outbox add column mine text',
    'alter table ledger_entry disable trigger append_only',
    'create index mine on outbox (job)',
    'truncate outbox',
    'drop trigger append_only on ledger_entry',
    "set session_replication_role = 'replica'",
    `set role ${roles.owner}`,
    'create extension citext',
    "copy outbox to program 'true'",
    'update ledger_entry set memo = null',
    'delete from ledger_entry',
    'update credit_entry set notes = null',
    'delete from credit_entry',
    'update event set reason = null',
    'delete from event',
    "update endorsement set rendered_text = ''",
    'delete from endorsement',
    'delete from training_record',
    'update gateway_event set type = null',
    'delete from gateway_event',
    'delete from invoice',
    'delete from migration',
  ])('may not: %s', async (statement) => {
    await expect(rowsAsService(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('gets the usual rights on tables that later migrations make, without being named there', async () => {
    await asOwner(api, 'create table later (id integer generated by default as identity primary key, name text)')
    await rowsAsService("insert into later (name) values ('a'); update later set name = 'b'; delete from later")
    expect(await rowsAsService('select * from later')).toEqual([])
  })
})

describe('a function that runs as the owner', () => {
  test('is one of those that are known, has its search path set, and is no business of others', async () => {
    const functions = await rowsAsService(`
      select proname as name, proconfig as config, has_function_privilege('public', oid, 'execute') as open
        from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by 1`)
    const config = ['search_path=public, pg_temp']
    expect(functions).toEqual(ownersFunctions.map((name) => ({ name, config, open: false })))
  })

  test('deletes no row that is younger than its floor, whatever it is asked', async () => {
    await rowsAsService(`insert into gateway_event (event_id, type, occurred_at, created_at)
      values ('old', 'x', now(), now() - interval '61 days'), ('young', 'x', now(), now() - interval '59 days')`)
    expect(await rowsAsService("select purge_gateway_events('infinity', 1000) as purged")).toEqual([{ purged: 1 }])
    expect(await rowsAsService('select event_id from gateway_event')).toEqual([{ event_id: 'young' }])
    const { organizationId } = await buildSchool(api)
    await rowsAsService(
      `insert into event (organization_id, id, at, kind, actor_kind, subject_kind, subject_id)
       select $1, gen_random_uuid(), at, 'squawk.opened', 'system', 'squawk', n
         from (values (1, now() - interval '7 years 1 day'), (2, now() - interval '6 years 364 days')) as given (n, at)`,
      [organizationId],
    )
    expect(await rowsAsService("select purge_events('infinity', 1000) as purged")).toEqual([{ purged: 1 }])
    expect(await rowsAsService('select subject_id from event where organization_id = $1', [organizationId])).toEqual([
      { subject_id: 2 },
    ])
  })
})

describe('migrate', () => {
  test('makes the role of DATABASE_URL with its password when there is none', async () => {
    const ownerUrl = await emptyDatabase()
    const serviceUrl = new URL(ownerUrl)
    serviceUrl.username = 'flightline_test_made'
    serviceUrl.password = 'a:pass@word/of its own'
    const said: string[] = []
    await migrate({ ownerUrl, serviceUrl: serviceUrl.href, print: (line) => said.push(line) })
    const client = new pg.Client({ connectionString: serviceUrl.href })
    await client.connect()
    expect((await client.query('select count(*)::int as rows from organization')).rows).toEqual([{ rows: 0 }])
    await client.end()
    expect(said).toEqual([])
    await dropRole(ownerUrl, 'flightline_test_made')
  })

  test('says that the service signs in as the owner where DATABASE_URL is all there is', async () => {
    const ownerUrl = await emptyDatabase()
    const said: string[] = []
    await migrate({ ownerUrl, serviceUrl: ownerUrl, print: (line) => said.push(line) })
    expect(said).toEqual(['the service signs in as the owner of its tables: see MIGRATION_DATABASE_URL'])
  })

  test('takes away what was granted by hand', async () => {
    const ownerUrl = await emptyDatabase()
    const config = { DATABASE_URL: ownerUrl }
    const options = { ownerUrl, serviceUrl: asRole(ownerUrl, 'service'), print: () => undefined }
    await migrate(options)
    await asOwner({ config }, `grant all on ledger_entry to ${roles.service}`)
    await migrate(options)
    const [row] = await asOwner(
      { config },
      `select has_table_privilege('${roles.service}', 'ledger_entry', 'delete') as may`,
    )
    expect(row).toEqual({ may: false })
  })
})

async function dropRole(ownerUrl: string, role: string): Promise<void> {
  const admin = new pg.Client({
    connectionString: withDatabase(inject('postgresUrl'), new URL(ownerUrl).pathname.slice(1)),
  })
  await admin.connect()
  await admin.query(`drop owned by ${role}; drop role ${role}`)
  await admin.end()
}
