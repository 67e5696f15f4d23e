import { readdirSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationsFolder } from '../../src/shared/platform/db/run-migrations.ts'
import { emptyDatabase } from '../support/database.ts'
import { runSome } from '../support/migrations-folder.ts'

const files = readdirSync(migrationsFolder).filter((file) => /^Migration.*\.ts$/.test(file))
const KEYS_BECOME_RANDOM = 'Migration20261122072410_processor_keys.ts'

let url: string
let client: pg.Client
beforeAll(async () => {
  url = await emptyDatabase()
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterAll(() => client.end())

const rows = async (query: string) => (await client.query<Record<string, string>>(query)).rows

async function insertSchool(code: string): Promise<void> {
  const { organization, membership, guest } = (
    await rows(`
    with o as (insert into organization (name, organization_type, time_zone_name, details, code, settings)
        values ('Bay', 'flight_school', 'UTC', '{}', '${code}', '{}') returning id),
      a as (insert into account (name, email, password_hash, tokens_valid_from)
        values ('Ana', 'ana@example.com', 'x', now()) returning id),
      m as (insert into membership (organization_id, account_id) select o.id, a.id from o, a returning id),
      g as (insert into guest (organization_id, name) select o.id, 'Gil' from o returning id)
    select o.id as organization, m.id as membership, g.id as guest from o, m, g`)
  )[0]!
  await rows(`
    insert into invoice (organization_id, membership_id, guest_id, total_cents, currency, revision)
    values (${organization}, ${membership}, null, 100, 'usd', 2), (${organization}, null, ${guest}, 100, 'usd', 0)`)
}

const keys = () =>
  rows(`
    select o.processor_key as school, i.processor_keys as invoice, i.refund_key as refund,
      coalesce(m.processor_key, g.processor_key) as payer
    from invoice i join organization o on o.id = i.organization_id
      left join membership m on m.id = i.membership_id left join guest g on g.id = i.guest_id
    order by i.id`)

test('rows that exist when the keys become random keep the keys that they were raised with', async () => {
  await runSome(
    url,
    files.filter((file) => file < KEYS_BECOME_RANDOM),
  )
  await insertSchool('AAAAAA')
  await runSome(url, files)
  expect(await keys()).toEqual([
    { school: 'acct_1', invoice: ['inv_1_1', 'inv_1_1_r1', 'inv_1_1_r2'], refund: 'ref_1_1', payer: 'cus_1_member_1' },
    { school: 'acct_1', invoice: ['inv_1_2'], refund: 'ref_1_2', payer: 'cus_1_guest_1' },
  ])

  await rows(`
    with o as (insert into organization (name, organization_type, time_zone_name, details, code, settings)
        values ('Sky', 'flight_school', 'UTC', '{}', 'BBBBBB', '{}') returning id),
      g as (insert into guest (organization_id, name) select id, 'Ida' from o returning id, organization_id)
    insert into invoice (organization_id, guest_id, total_cents, currency)
    select organization_id, id, 100, 'usd' from g`)
  const random = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-f]{8}-[0-9a-f-]{27}$`))
  expect((await keys())[2]).toEqual({
    school: random('acct'),
    invoice: [random('inv')],
    refund: random('ref'),
    payer: random('cus'),
  })
})

test('the migration that makes them random is safe to repeat when it was cut short', async () => {
  const before = await keys()
  await rows(`delete from migration where name = '${KEYS_BECOME_RANDOM.slice(0, -3)}'`)
  await runSome(url, [KEYS_BECOME_RANDOM])
  expect(before).toHaveLength(3)
  expect(await keys()).toEqual(before)
})
