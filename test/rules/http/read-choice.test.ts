import { beforeEach, describe, expect, test } from 'vitest'
import { httpErrors } from '../../../src/api/http/http.errors.ts'
import { createReadPlaces, type ReadPlaces } from '../../../src/api/http/read-places.ts'
import { generateKeySet } from '../../../src/shared/platform/adapters/tokens/access-tokens.ts'
import type { Database } from '../../../src/shared/platform/db/database.ts'
import type { LogPosition } from '../../../src/shared/platform/db/replica-lag.ts'
import type { Replicas } from '../../../src/shared/platform/db/replicas.ts'
import { Stopped } from '../../../src/shared/platform/db/stoppable.ts'
import { platformErrors } from '../../../src/shared/platform/platform.errors.ts'

const ofReplica = {} as Database
const keySet = await generateKeySet()
const list = { id: 'reportRevenue', access: 'member', tag: 'Reports' } as const
const booking = { id: 'createReservation', access: 'member', tag: 'Reservations' } as const
const roles = { id: 'updateMember', access: 'member', tag: 'Members' } as const

const asking = (accountId: number, organizationId: number, header?: unknown) => ({
  request: { headers: { ...(header !== undefined && { 'x-read-after': header }) } },
  account: { accountId },
  actor: { organizationId },
})

let seen: { after: LogPosition | null | undefined; leftOut: number }
let position: () => Promise<string>
let places: ReadPlaces

const replicas: Replicas = {
  async choose(after) {
    seen.after = after
    return { name: 'replica' }
  },
  read: (_, run) => run(ofReplica),
  leaveOut: () => void seen.leftOut++,
  position: () => position(),
  lags: () => [],
  close: async () => undefined,
}

beforeEach(() => {
  seen = { after: undefined, leftOut: 0 }
  position = async () => '0/64'
  places = createReadPlaces(replicas, { redis: undefined, keySet })
})

/** Returns where a read goes. */
const placeOf = (who: ReturnType<typeof asking>, of: Parameters<ReadPlaces['read']>[0] = list) =>
  places.read(of, who, async (database) => (database === null ? 'primary' : 'replica'))

describe('a read goes', () => {
  test('to a replica, and a record by its id to the primary', async () => {
    expect(await placeOf(asking(1, 1))).toBe('replica')
    expect(seen.after).toBeNull()
    expect(await placeOf(asking(1, 1), booking)).toBe('primary')
  })

  test('to the primary after an own write, with its header to a replica that has it', async () => {
    const header = await places.written(booking, asking(1, 1))
    expect(await placeOf(asking(1, 1))).toBe('primary')
    expect(await placeOf(asking(2, 1))).toBe('replica')
    expect(await placeOf(asking(1, 1, header))).toBe('replica')
    expect(seen.after).toBe(0x64n)
  })

  test.for<[string, (header: string) => unknown]>([
    ['forged', () => Buffer.concat([Buffer.alloc(16), Buffer.from('FFFFFFFF/FFFFFFFF')]).toString('base64url')],
    ['changed', (header) => `${header.slice(0, -1)}${header.endsWith('A') ? 'B' : 'A'}`],
    ['cut', (header) => header.slice(0, 20)],
    ['empty', () => ''],
    ['too long', (header) => header.padEnd(200, 'A')],
    ['sent twice', (header) => [header, header]],
  ])('where it would without a header that is %s', async ([, make]) => {
    const header = String(await places.written(booking, asking(1, 1)))
    expect(await placeOf(asking(1, 1, make(header)))).toBe('primary')
    expect(await placeOf(asking(2, 1, make(header)))).toBe('replica')
    expect(seen.after).toBeNull()
  })

  test('where it would without the header of another service', async () => {
    const others = createReadPlaces(replicas, { redis: undefined, keySet: await generateKeySet() })
    await placeOf(asking(2, 1, await others.written(booking, asking(2, 1))))
    expect(seen.after).toBeNull()
  })

  test('to the primary for the whole organization after a change of rights, also with the header', async () => {
    const header = await places.written(roles, asking(1, 1))
    expect(await placeOf(asking(2, 1))).toBe('primary')
    expect(await placeOf(asking(1, 1, header))).toBe('primary')
    expect(await placeOf(asking(3, 2))).toBe('replica')
  })

  test('to a replica for others after what changes no right, as time off', async () => {
    await places.written({ ...roles, id: 'createTimeOff' }, asking(1, 1))
    expect(await placeOf(asking(1, 1))).toBe('primary')
    expect(await placeOf(asking(2, 1))).toBe('replica')
  })

  test('to the primary after an account joined or left an organization, also with the header', async () => {
    const joined = { ...roles, id: 'acceptInvitation', tag: 'Organizations' } as const
    const header = await places.written(joined, { ...asking(1, 1), actor: null })
    expect(await placeOf(asking(1, 1, header))).toBe('primary')
    expect(await placeOf(asking(2, 1))).toBe('replica')
  })

  test('to the primary after a write whose position is not known', async () => {
    position = () => Promise.reject(new Error('no connection'))
    expect(await places.written(booking, asking(1, 1))).toBeUndefined()
    expect(await placeOf(asking(1, 1))).toBe('primary')
  })

  test('to the primary while Redis does not answer', async () => {
    const away = () => Promise.reject(new Error('Redis does not answer'))
    const redis = { set: away, exists: away } as never
    places = createReadPlaces(replicas, { redis, keySet })
    expect(await placeOf(asking(1, 1))).toBe('primary')
  })

  test('to the primary without waiting while Redis hangs, and to a replica when it answers again', async () => {
    const hanging: PromiseWithResolvers<number>[] = []
    const hang = () => {
      const asked = Promise.withResolvers<number>()
      hanging.push(asked)
      return asked.promise
    }
    const redis = { set: hang, exists: hang }
    places = createReadPlaces(replicas, { redis: redis as never, keySet })
    const first = placeOf(asking(1, 1))
    hanging[0]!.reject(new Error('Command timed out'))
    expect(await first).toBe('primary')
    expect(await placeOf(asking(1, 1))).toBe('primary')
    await places.written(booking, asking(2, 1))
    expect(hanging).toHaveLength(3)
    for (const { resolve } of hanging) resolve(0)
    await Promise.resolve()
    redis.exists = async () => 0
    expect(await placeOf(asking(1, 1))).toBe('replica')
  })
})

describe('a read that fails on a replica', () => {
  const gone = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  test.for<[string, Error, { repeated: boolean; leftOut: number }]>([
    ['the connection is lost', gone, { repeated: true, leftOut: 1 }],
    ['the server ends', Object.assign(new Error('shutdown'), { code: '57P01' }), { repeated: true, leftOut: 1 }],
    ['no connection is free', new Error('timeout exceeded when trying to connect'), { repeated: true, leftOut: 0 }],
    ['the replay cancels it', Object.assign(new Error('conflict'), { code: '40001' }), { repeated: true, leftOut: 0 }],
    ['it is a mistake of ours', new TypeError('x is undefined'), { repeated: true, leftOut: 0 }],
    ['it is refused', httpErrors.noOrganization(), { repeated: true, leftOut: 0 }],
    ['it took too long', Object.assign(new Error('cancelled'), { code: '57014' }), { repeated: false, leftOut: 0 }],
    [
      'it has reached a limit',
      platformErrors.tooManyRequests({ retryAfterSeconds: 1 }),
      { repeated: false, leftOut: 0 },
    ],
    ['the client has gone', new Stopped(), { repeated: false, leftOut: 0 }],
  ])('because %s', async ([, error, { repeated, leftOut }]) => {
    const read = places.read(list, asking(1, 1), async (database) => {
      if (database) throw error
      return 'primary'
    })
    if (repeated) expect(await read).toBe('primary')
    else await expect(read).rejects.toBe(error)
    expect({ repeated: places.counts.repeated, leftOut: seen.leftOut }).toEqual({ repeated: Number(repeated), leftOut })
  })
})
