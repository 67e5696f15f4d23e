import { describe, expect, test } from 'vitest'
import type { ClosureFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { at, facts, plane, times } from './booking-facts.ts'

/** A closure on 2 June 2026 in New York, of everything by default; the dual is from 10:00 to 12:00. */
const closed = (from: string, to: string, of: Partial<ClosureFacts> = {}): ClosureFacts => ({
  reason: 'Fly-in',
  locationId: null,
  resourceId: null,
  start: at(`2026-06-02T${from}:00-04:00`),
  end: at(`2026-06-02T${to}:00-04:00`),
  ...of,
})
const found = (closure: ClosureFacts, over: Parameters<typeof facts>[0] = {}) =>
  judge(facts({ closures: [closure], ...over })).problems

describe('a closure (interface §Closures)', () => {
  test.each([
    ['within the booking', '10:30', '11:00', 1],
    ['around it', '08:00', '20:00', 1],
    ['that ends as it starts', '08:00', '10:00', 0],
    ['that starts as it ends', '12:00', '20:00', 0],
  ] as const)('holds what overlaps it: %s', (_name, from, to, count) => {
    expect(found(closed(from, to))).toHaveLength(count)
  })

  test.each([
    ['the resource', { resourceId: 7 }, 1],
    ['another resource', { resourceId: 8 }, 0],
    ['the base of the resource', { locationId: 3 }, 1],
    ['another location', { locationId: 4 }, 0],
  ] as const)('of %s holds what it is of', (_name, of, count) => {
    expect(found(closed('08:00', '20:00', of))).toHaveLength(count)
  })

  test('of the booking’s own location holds it, wherever the resource is based', () => {
    const booking = times({ locationId: 4 })
    expect(found(closed('08:00', '20:00', { locationId: 4 }), { booking, resource: null })).toHaveLength(1)
    expect(found(closed('08:00', '20:00', { locationId: 4 }), { booking, resource: plane() })).toHaveLength(1)
  })

  test('does not hold maintenance', () => {
    expect(found(closed('08:00', '20:00'), { booking: times({ type: 'maintenance' }), seats: [] })).toEqual([])
  })

  test('names what is closed, when and why, and can be overridden by the desk', () => {
    expect(found(closed('08:00', '20:00', { resourceId: 7 }))).toEqual([
      {
        rule: 'closed_period',
        code: 'CLOSED',
        field: 'resource',
        resourceId: 7,
        overridable: true,
        message: 'N12345 is closed 08:00–20:00: Fly-in',
      },
    ])
    expect(found(closed('08:00', '20:00'))[0]).toMatchObject({ field: 'start', message: 'Closed 08:00–20:00: Fly-in' })
  })
})
