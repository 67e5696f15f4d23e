import { sql } from 'kysely'
import { expect } from 'vitest'
import { countUpTo } from '../../../src/shared/platform/db/read-rows.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'

const test = sharedSchoolTest()
  .extend('addGuests', ({ api, school }) => async (count: number): Promise<void> => {
    const { pool } = api.core.database
    await pool.query(
      "insert into guest (organization_id, name) select $1, 'Guest ' || n from generate_series(1, $2::int) n",
      [school.organizationId, count],
    )
  })
  .extend('totals', ({ api, school }) => async (query = ''): Promise<unknown[]> => {
    const { headers, statusCode } = await api.as(school.admin).get(`/guests?limit=1${query}`)
    return [statusCode, headers['x-total-count'], headers['x-total-count-exact']]
  })

test('a total is exact to 10,000 rows, and capped with a header beyond', async ({ addGuests, totals }) => {
  await addGuests(9_999)
  expect(await totals()).toEqual([200, '9999', undefined])
  await addGuests(1)
  expect(await totals()).toEqual([200, '10000', undefined])
  await addGuests(1)
  expect(await totals()).toEqual([200, '10000', 'false'])
  expect(await totals('&sort=name&order=desc&offset=10000')).toEqual([200, '10000', 'false'])
  expect(await totals('&q=Guest+9999')).toEqual([200, '1', undefined])
})

test('rows are counted only to one beyond what is asked for', async ({ api }) => {
  const { db } = api.core.database
  const rows = (count: number) => sql`generate_series(1, ${count}::int)`
  expect(await countUpTo(db, rows(9), 10)).toBe(9)
  expect(await countUpTo(db, rows(10), 10)).toBe(10)
  expect(await countUpTo(db, rows(20_000), 10)).toBe(11)
})
