import { describe, expect, test } from 'vitest'
import { type Aim, compare, isMet, table } from '../../../bench/measure.ts'

describe('an aim of npm run bench', () => {
  test.for<[Aim | undefined, number, number | null, boolean | null]>([
    [undefined, 1, 0.1, null],
    [{ ratio: 0.5 }, 1, 0.5, true],
    [{ ratio: 0.5 }, 1, 0.45, true],
    [{ ratio: 0.5 }, 1, 0.44, false],
    [{ ratio: 0.5 }, 1, null, null],
    [{ ratioAtMost: 3 }, 1, 3.3, true],
    [{ ratioAtMost: 3 }, 1, 3.4, false],
    [{ atMost: 300 }, 330, null, true],
    [{ atMost: 300 }, 331, null, false],
  ])('%j with the figure %d and the ratio %d is met: %s', ([aim, ours, ratio, met]) => {
    expect(isMet(aim, { ours, ratio })).toBe(met)
  })

  test('stands in the table with what was not measured', async () => {
    const runs = [9, 1, 2, 3, 4, 5]
    const alone = await compare({ name: 'memory', unit: 'MB', aim: { atMost: 2 }, ours: async () => runs.shift() ?? 0 })
    const peer = await compare({
      name: 'by id',
      floor: 'a peer',
      aim: { ratio: 3 },
      ours: async () => 120,
      theirs: null,
    })
    const floor = await compare({ name: 'week', floor: 'a floor', ours: async () => 6, theirs: async () => 8 })
    expect(table([alone, peer, floor]).split('\n').slice(2)).toEqual([
      '| memory |  | MB | 3.00 |  |  | at most 2 MB, missed |',
      '| by id | a peer | 1/s | 120 | not measured | not measured | ratio 3.00 |',
      '| week | a floor | 1/s | 6.00 | 8.00 | **0.75** |  |',
    ])
  })
})
