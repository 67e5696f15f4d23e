import pg from 'pg'
import { expect, test } from 'vitest'
import { Migration20261126024514_ascii_domains } from '../../migrations/Migration20261126024514_ascii_domains.ts'
import { asSuperuser, cloneDatabase } from '../support/database.ts'

test('addresses of members without an account get their domain in ASCII, unless another member has that one', async () => {
  const statements: string[] = []
  const addSql = (statement: string) => statements.push(statement)
  Migration20261126024514_ascii_domains.prototype.up.call({
    addSql,
  } as unknown as Migration20261126024514_ascii_domains)
  const client = new pg.Client(asSuperuser({ config: { DATABASE_URL: await cloneDatabase() } }))
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    const given = [
      'jürgen@bücher.example',
      'a@例え.テスト',
      'x@münchen.de',
      'x@xn--mnchen-3ya.de',
      'b@Gęślą-Jaźń.pl',
      'c@plain.example',
    ]
    for (const address of given) {
      await client.query("insert into membership (organization_id, search_name, search_email) values (1, 'Ana', $1)", [
        address,
      ])
    }
    for (const statement of statements) await client.query(statement)
    const { rows } = await client.query('select search_email from membership order by id')
    expect(rows.map((row) => row.search_email)).toEqual([
      'jürgen@xn--bcher-kva.example',
      'a@xn--r8jz45g.xn--zckzah',
      'x@münchen.de',
      'x@xn--mnchen-3ya.de',
      'b@xn--gl-ja-4wa2lnovg3l.pl',
      'c@plain.example',
    ])
  } finally {
    await client.end()
  }
})
