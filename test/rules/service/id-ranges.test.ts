import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type IdRanges, idsOutside, rangesOf } from '../../../src/cli/backup/id-ranges.rules.ts'

describe('ids as ranges', () => {
  const cases: [number[], IdRanges][] = [
    [[], []],
    [[7], [[7, 7]]],
    [
      [1, 2, 3, 4, 6],
      [
        [1, 4],
        [6, 6],
      ],
    ],
    [
      [1, 3, 5],
      [
        [1, 1],
        [3, 3],
        [5, 5],
      ],
    ],
  ]
  test.for(cases)('%j are %j', ([ids, ranges]) => {
    expect(rangesOf(ids)).toEqual(ranges)
  })

  test('leave out what none of them has', () => {
    expect(
      idsOutside(
        [1, 2, 5, 6, 9, 12],
        [
          [2, 4],
          [6, 6],
          [9, 10],
        ],
      ),
    ).toEqual([1, 5, 12])
    expect(idsOutside([1, 2], [])).toEqual([1, 2])
  })

  test('tell for any two sets which ids only the first has', () => {
    const sets = fc.uniqueArray(fc.integer({ min: 1, max: 60 })).map((ids) => ids.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(sets, sets, (here, standing) => {
        expect(idsOutside(here, rangesOf(standing))).toEqual(here.filter((id) => !standing.includes(id)))
      }),
    )
  })
})
