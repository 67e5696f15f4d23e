import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '../../../src/shared/platform/db/database.ts'
import { keyset, keysetOfQuery } from '../../../src/shared/platform/db/keyset.ts'
import { pageable } from '../../../src/shared/platform/db/pageable.ts'

const db = new Kysely<{ pilot: { id: number; name: string } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const pilots = db.selectFrom('pilot')

describe('the place of a row in a list (§Endpoints)', () => {
  test('is compared as a whole, so that an index on the columns finds what follows', () => {
    const after = keyset('desc', ['p.name', 'p.id']).after(['Ana', '7']).compile(db)
    expect(after.sql).toBe('("p"."name", "p"."id") < ($1, $2)')
    expect(after.parameters).toEqual(['Ana', '7'])
  })

  test('is read from the order of a query', () => {
    const own = keysetOfQuery(pilots.orderBy('name').orderBy('id'))
    expect(own.after(['Ana', '7']).compile(db).sql).toBe('("name", "id") > ($1, $2)')
    expect(own.position.compile(db).sql).toBe('json_build_array("name"::text, "id"::text)')
    expect(own.order.compile(db).sql).toBe('"name" asc, "id" asc')
    const latest = keysetOfQuery(pilots.orderBy('id', 'desc'))
    expect(latest.after(['7']).compile(db).sql).toBe('("id") < ($1)')
  })

  test('is in front of every row at the beginning', () => {
    expect(keyset('asc', ['id']).after(null).compile(db).sql).toBe('true')
  })
})

describe('an order that no place can be compared in is refused', () => {
  test.each([
    ['none', pilots],
    ['both directions', pilots.orderBy('name', 'desc').orderBy('id')],
    ['a place for nulls', pilots.orderBy('name', (order) => order.asc().nullsFirst()).orderBy('id')],
    ['a text that may say anything', pilots.orderBy('name', sql`desc nulls last`)],
  ])('%s', (_name, query) => {
    expect(() => keysetOfQuery(query)).toThrow('all in one direction')
  })
})

test('the sort keys of a list are made only when the list is sorted', async () => {
  let made = 0
  const keys = () => {
    made++
    return { name: sql`name` }
  }
  const list = pageable(db as unknown as Db, pilots.select('name').orderBy('id') as never, keys)
  await list.slice(0, 10)
  await list.following(null, 10)
  expect(made).toBe(0)
  await list.slice(0, 10, { by: 'name', order: 'asc' })
  expect(made).toBe(1)
})
