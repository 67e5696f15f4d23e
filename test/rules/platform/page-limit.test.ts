import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isPrepared } from '../../../src/shared/platform/db/auto-prepare.ts'
import { pageLimit } from '../../../src/shared/platform/db/read-rows.ts'

const db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new PostgresIntrospector(one),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const compiled = (limit: number, offset?: number) => {
  const { sql, parameters } = pageLimit(limit, offset).compile(db)
  return { sql, parameters, prepared: isPrepared(sql, [...parameters]) }
}

describe('the limit of a list in SQL (decision 10)', () => {
  test('is part of the text when clients usually ask for it, so that its plan is made for it', () => {
    expect(compiled(100)).toEqual({ sql: 'limit 100', parameters: [], prepared: true })
    expect(compiled(101, 0)).toEqual({ sql: 'limit 101', parameters: [], prepared: true })
  })

  test('is a parameter of a statement that is planned at each run otherwise', () => {
    expect(compiled(37)).toMatchObject({ parameters: [37], prepared: false })
    expect(compiled(100, 300)).toMatchObject({ parameters: [100, 300], prepared: false })
  })
})

describe('a search in SQL (decision 10)', () => {
  test('is planned at each run when its text is a parameter', () => {
    for (const search of ['name ilike $1', 'name like lower($1)', `name like '%' || $1`, `a like 'b%' and c like $1`])
      expect(isPrepared(`select from resource where ${search}`, ['%172%'])).toBe(false)
  })

  test('has one plan when its text stands in the statement', () => {
    expect(isPrepared(`select from resource where class not ilike '%multi%' and id = $1`, [7])).toBe(true)
  })
})
