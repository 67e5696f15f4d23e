import { describe, expect, test } from 'vitest'
import { endpointsOf } from '../../../src/api/http/endpoint.ts'
import { mayReadReplica } from '../../../src/api/http/read-places.ts'
import { interfaceRoutes } from '../../../src/api/interface-routes.ts'
import { lagOf, type PrimarySample, parseLogPosition, withSample } from '../../../src/shared/platform/db/replica-lag.ts'

const reads = interfaceRoutes
  .flatMap(endpointsOf)
  .filter(({ method, declaration }) => method === 'GET' && 'read' in declaration)
const onReplicas = reads.filter(({ declaration }) => mayReadReplica(declaration)).map(({ url }) => url)

describe('a read that may be answered by a replica', () => {
  test.for([
    '/reservations',
    '/reservations/openings',
    '/reports/revenue',
    '/search',
    '/invoices',
    '/audit',
    '/todo',
    '/training/students',
  ])('is %s', (url) => {
    expect(onReplicas).toContain(url)
  })

  test('is about no account, member, role, group, key or grant, and no record by its id', () => {
    const forbidden =
      /^\/(auth|users|orgUsers$|organizations|groups|guests|grants|apiKeys|webhooks|integrations|training\/grants$|operations)/
    expect(onReplicas.filter((url) => forbidden.test(url))).toEqual([])
    expect(onReplicas.filter((url) => /:(id|\w+Id)$/.test(url) && !/(resource|user|orgUser)s?\/:/i.test(url))).toEqual([
      '/reports/views/:id',
    ])
  })

  test('is for members alone', () => {
    const open = reads.filter(({ declaration: { access } }) => access === 'anyone' || access === 'account')
    expect(open.length).toBeGreaterThan(5)
    expect(open.filter(({ declaration }) => mayReadReplica(declaration))).toEqual([])
  })
})

describe('how far a replica is behind', () => {
  const samples: PrimarySample[] = [
    { at: 1_000, position: 100n },
    { at: 1_200, position: 150n },
    { at: 1_400, position: 150n },
  ]

  test.for<[bigint, number, number | null]>([
    [99n, 1_500, null],
    [100n, 1_500, 500],
    [149n, 1_500, 500],
    [150n, 1_500, 100],
    [900n, 1_500, 100],
    // Nothing is written on the primary: a replica that has all of it is as fresh as the last look at the primary.
    [150n, 9_400, 8_000],
  ])('at position %s and %s ms is %s ms', ([replayed, now, lag]) => {
    expect(lagOf(samples, replayed, now)).toBe(lag)
  })

  test('is not known without a sample', () => {
    expect(lagOf([], 5n, 1_000)).toBeNull()
  })

  test('is known for a minute', () => {
    const later = withSample(samples, { at: 61_100, position: 200n })
    expect(later.map(({ at }) => at)).toEqual([1_200, 1_400, 61_100])
  })

  test.for<[string, bigint | null]>([
    ['0/0', 0n],
    ['16/B374D848', 0x16_b374_d848n],
    ['FFFFFFFF/FFFFFFFF', 0xffff_ffff_ffff_ffffn],
    ['16/B374D848 ', null],
    ['1', null],
    ['', null],
  ])('is counted in positions: %s', ([text, position]) => {
    expect(parseLogPosition(text)).toBe(position)
  })
})
