import { expect, test } from 'vitest'
import { poolOrders } from '../../../src/shared/scheduling/rules/pool-order.rules.ts'

const zone = 'America/Los_Angeles'
const booked = (start: string, hours: number) => {
  const at = new Date(start)
  return { start: at, end: new Date(at.getTime() + hours * 3_600_000) }
}
/** 22:00 on Monday and 09:00 on Tuesday, in Los Angeles. */
const monday = new Date('2026-11-24T06:00:00Z')
const tuesday = new Date('2026-11-24T17:00:00Z')

test('the least booked hours on the local day of the start come first, then the lowest id', () => {
  const members = [
    // Until past midnight: counts on Monday, the day on which it starts.
    { id: 3, zone, booked: [booked('2026-11-24T07:00:00Z', 4)] },
    { id: 2, zone, booked: [booked('2026-11-24T20:00:00Z', 1), booked('2026-11-24T23:00:00Z', 1)] },
    { id: 1, zone, booked: [booked('2026-11-24T18:00:00Z', 2)] },
  ]
  expect(poolOrders(members, [monday, tuesday])).toEqual([
    [1, 2, 3],
    [3, 1, 2],
  ])
})

test('the day is the one at each resource', () => {
  const noon = booked('2026-11-24T12:00:00Z', 2)
  const members = [
    { id: 1, zone: 'UTC', booked: [noon] },
    // There it is Monday still when the booking at 06:00 UTC starts, so that at noon it is another day.
    { id: 2, zone: 'America/Los_Angeles', booked: [noon] },
  ]
  expect(poolOrders(members, [monday])).toEqual([[2, 1]])
})

test('at most twenty are tried', () => {
  const members = Array.from({ length: 25 }, (_, at) => ({ id: at + 1, zone, booked: [] }))
  expect(poolOrders(members, [monday])[0]).toHaveLength(20)
})
