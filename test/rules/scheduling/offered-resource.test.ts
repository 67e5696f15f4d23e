import { describe, expect, test } from 'vitest'
import { isOther, type OfferedResource } from '../../../src/shared/scheduling/waitlist/offered-resource.rules.ts'

const offered: OfferedResource = { locationId: 3, make: 'Cessna', model: '172S', pool: 'Trainers' }

describe('the resource of an offer (§Waiting list)', () => {
  test.each<[string, Partial<OfferedResource>, Partial<OfferedResource>, boolean]>([
    ['as it was', {}, {}, false],
    ['at another location', {}, { locationId: 4 }, true],
    ['of another make', {}, { make: 'Reims' }, true],
    ['of another model', {}, { model: '152' }, true],
    ['of no model by now', {}, { model: null }, true],
    ['out of its pool', {}, { pool: null }, true],
    ['in another pool', {}, { pool: 'Twins' }, true],
    ['in its pool, which is written otherwise', {}, { pool: 'TRAINERS' }, false],
    ['in a pool, where it was in none', { pool: null }, {}, false],
  ])('%s: %o, %o', (_what, before, now, other) => {
    expect(isOther({ ...offered, ...before }, { ...offered, ...now })).toBe(other)
  })
})
