import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/shared/composition/tables.ts'
import { createAccountReader } from '../../src/shared/platform/authz/read-account.queries.ts'
import type { Database } from '../../src/shared/platform/db/database.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { NOW } from '../support/app.ts'
import { asOwner, cloneDatabase } from '../support/database.ts'

let database: Database
afterEach(() => database.close())

const preparedNames = 'select count(*)::int as count from pg_prepared_statements'

/** Runs a statement often enough to be worth preparing. */
async function often(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  text: string,
  values: unknown[],
) {
  for (let run = 0; run < 6; run++) await client.query(text, values)
}

describe('the statements that a connection prepares', () => {
  test('are at most 300; lists of many lengths do not take the place of one that runs all the time, and long ones none', async () => {
    database = await openDatabase({ url: await cloneDatabase(), poolSize: 2 })
    const client = await database.pool.connect()
    await often(client, 'select $1::int as often', [1])
    for (let length = 1; length <= 320; length++) {
      const places = Array.from({ length }, (_, index) => `$${index + 1}`)
      await often(client, `select 1 as of_length where 1 in (${places})`, Array(length).fill(1))
      await client.query('select $1::int as often', [1])
    }
    await often(client, 'select $1::int as latest', [1])
    await often(client, 'select 1 as of_list where 1 = any($1::int[])', [Array(100).fill(1)])
    const { rows } = await client.query<{ count: number; often: boolean; latest: boolean; others: boolean }>(
      `select count(*)::int as count, bool_or(statement like '%as often') as often, bool_or(statement like '%as latest') as latest,
        bool_or(statement like '%in ($1)' or statement like '%of_list%') as others from pg_prepared_statements`,
    )
    expect(rows).toEqual([{ count: 300, often: true, latest: true, others: false }])
    client.release()
  })

  test('are none at all where a pooler cannot take them', async () => {
    database = await openDatabase({ url: await cloneDatabase(), poolSize: 2, prepare: false })
    const client = await database.pool.connect()
    await often(client, 'select $1::int as often', [1])
    await client.query({ name: 'named', text: 'select 1' })
    const { rows } = await client.query<{ count: number }>(preparedNames)
    expect(rows).toEqual([{ count: 0 }])
    client.release()
  })

  test('include that of every request, whose plan is made five times and then kept', async () => {
    database = await openDatabase({ url: await cloneDatabase(), poolSize: 2 })
    // As in production: the tests' server plans a statement for all its runs at once.
    await database.pool.query('set plan_cache_mode = auto')
    const read = createAccountReader(database.pool)
    const at = new Date(0)
    const claims = { accountId: 1, membershipId: 1, organizationId: 1, authTime: at, issuedAt: at, expiresAt: at }
    for (let request = 0; request < 12; request++) await read(claims)
    const { rows } = await database.pool.query(
      "select custom_plans::int, generic_plans::int from pg_prepared_statements where name = 'read-accounts'",
    )
    expect(rows).toEqual([{ custom_plans: 5, generic_plans: 7 }])
  })

  test('run again after a migration has added a column, alone and in a transaction', async () => {
    const url = await cloneDatabase()
    database = await openDatabase({ url, poolSize: 2 })
    const { pool } = database
    const migrate = (text: string) => asOwner({ config: { DATABASE_URL: url } }, text)
    await migrate('create table thing (id int); grant select on thing to public')
    const all = 'select * from thing where id = $1'
    const addColumn = (name: string) => migrate(`alter table thing add column ${name} int`)
    const clients = [await pool.connect(), await pool.connect()]
    for (const client of clients) await often(client, all, [1])
    await addColumn('first')
    for (const client of clients) expect((await client.query(all, [1])).fields).toHaveLength(2)
    for (const client of clients) await often(client, all, [1])
    for (const client of clients) client.release()
    await addColumn('second')
    let starts = 0
    const { result } = await inTransaction(
      database,
      () => NOW,
      async ({ db }) => {
        starts++
        return (await sql`select * from thing where id = ${1}`.execute(db)).rows
      },
    )
    expect([result, starts]).toEqual([[], 2])
  })
})
