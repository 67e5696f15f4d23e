import type { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { countTogether } from '../../../src/api/http/count-together.ts'

/** A Redis that knows the one command, and what it was called with. */
function fakeRedis() {
  const sums = new Map<string, number>()
  const calls: unknown[][] = []
  const redis = {
    defineCommand: () => undefined,
    async flightlineCount(size: number, ...args: (string | number)[]) {
      calls.push([size, ...args])
      if (sums.get('broken')) throw new Error('away')
      const keys = args.slice(0, size) as string[]
      return keys.flatMap((key, at) => {
        sums.set(key, (sums.get(key) ?? 0) + Number(args[size + 2 * at]))
        return [sums.get(key)!, 1_000 * Number(args[size + 2 * at + 1])]
      })
    },
  }
  return { redis: redis as unknown as Redis, calls, sums }
}

describe('limits that are counted in Redis (§Limits)', () => {
  test('are one call for each turn of the event loop, and every request gets its own count', async () => {
    const { redis, calls } = fakeRedis()
    const count = countTogether(redis)
    const first = [
      count('minute:1', 1, 60),
      count('hour:1', 1, 3_600),
      count('minute:1', 2, 60),
      count('minute:2', 1, 60),
    ]
    expect(await Promise.all(first)).toEqual([
      [1, 60_000],
      [1, 3_600_000],
      [3, 60_000],
      [1, 60_000],
    ])
    expect(await Promise.all([count('minute:1', -1, 60), count('minute:1', 1, 60)])).toEqual([
      [2, 60_000],
      [3, 60_000],
    ])
    expect(calls).toEqual([
      [3, 'minute:1', 'hour:1', 'minute:2', 3, 60, 1, 3_600, 1, 60],
      [1, 'minute:1', 0, 60],
    ])
  })

  test('fail together when Redis is away, and count again when it is back', async () => {
    const { redis, sums } = fakeRedis()
    const count = countTogether(redis)
    sums.set('broken', 1)
    const failed = await Promise.allSettled([count('minute:1', 1, 60), count('minute:2', 1, 60)])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    sums.delete('broken')
    expect(await count('minute:1', 1, 60)).toEqual([1, 60_000])
  })
})
