import { describe, expect } from 'vitest'
import { membershipReferences } from '../../src/shared/workflows/membership-references.rules.ts'
import { apiTest } from '../support/fixtures.ts'

const test = apiTest()

describe('the list of what refers to a membership', () => {
  test('has every foreign key of the schema, and no other column', async ({ api }) => {
    const { rows } = await api.core.database.pool.query<{ name: string }>(`
      select c.conrelid::regclass || '.' || a.attname as name
        from pg_constraint c
        join lateral unnest(c.conkey, c.confkey) as k (own, other) on true
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
        join pg_attribute o on o.attrelid = c.confrelid and o.attnum = k.other and o.attname = 'id'
       where c.contype = 'f' and c.confrelid = 'membership'::regclass
       order by 1`)
    expect(Object.keys(membershipReferences).sort()).toEqual(rows.map(({ name }) => name).sort())
  })
})
