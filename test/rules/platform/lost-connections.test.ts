import { expect, test } from 'vitest'
import { isAway } from '../../../src/shared/platform/db/lost-connections.ts'

test.for<[string, boolean]>([
  ['ECONNREFUSED', true],
  ['EHOSTUNREACH', true],
  ['ENETUNREACH', true],
  ['EHOSTDOWN', true],
  ['57P01', true],
  ['23505', false],
  ['ENOENT', false],
])('a connection that ends with %s: the database is away: %s', ([code, away]) => {
  const error = Object.assign(new Error(`connect ${code} 10.0.0.1:5432`), { code })
  expect(isAway(error)).toBe(away)
  expect(isAway(new Error('a statement failed', { cause: error }))).toBe(away)
})
