import { describe, expect } from 'vitest'
import { referencesOf } from '../../src/shared/platform/db/declare-table.ts'
import { apiTest } from '../support/fixtures.ts'

const test = apiTest()

describe('the columns that are declared to refer to a member', () => {
  test('are those with a foreign key to the membership, and no other', async ({ api }) => {
    const { rows } = await api.core.database.pool.query<{ name: string }>(`
      select c.conrelid::regclass || '.' || a.attname as name
        from pg_constraint c
        join lateral unnest(c.conkey, c.confkey) as k (own, other) on true
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
        join pg_attribute o on o.attrelid = c.confrelid and o.attnum = k.other and o.attname = 'id'
       where c.contype = 'f' and c.confrelid = 'membership'::regclass
       order by 1`)
    const declared = referencesOf(api.core.database.tables).map(({ table, column }) => `${table}.${column}`)
    expect(declared.sort()).toEqual(rows.map(({ name }) => name).sort())
  })
})
