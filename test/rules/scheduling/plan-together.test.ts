import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planTogether } from '../../../src/shared/scheduling/reservations/plan-together.rules.ts'
import { at, facts, member, plane, times } from './booking-facts.ts'

const hour = (h: number) => at(`2026-06-02T${String(h).padStart(2, '0')}:00:00-04:00`)
const span = (id: number, h: number) => ({ reservationId: id, start: hour(h), end: hour(h + 1) })

/** A booking that goes to an hour on one plane, where these are now; each has people of its own. */
function going(id: number, to: number, now: [id: number, hour: number][]) {
  const seats = [member('instructors', id * 10, 'Ana Ruiz'), member('students', id * 10 + 1, 'Ben Okafor')]
  return facts({
    booking: times({ id, start: hour(to), end: hour(to + 1) }),
    seats,
    resource: plane({ taken: now.map(([other, h]) => span(other, h)) }),
  })
}

const outcome = (now: [number, number][], to: Record<number, number>) => {
  const candidates = now
    .filter(([id]) => to[id] !== undefined)
    .map(([id]) => ({ id, choices: [going(id, to[id]!, now)] }))
  return Object.fromEntries([...planTogether(candidates)].map(([id, { choice }]) => [id, choice === 0]))
}

describe('bookings that go elsewhere together (§Reservations)', () => {
  test.each([
    ['exchange their hours', { 1: 9, 2: 8 }, { 1: true, 2: true }],
    ['follow each other', { 1: 9, 2: 10 }, { 1: true, 2: true }],
    ['are refused where a third stays', { 1: 12 }, { 1: false }],
    ['are refused with the one that they follow', { 1: 9, 2: 12 }, { 1: false, 2: false }],
    ['want one hour: the first gets it', { 1: 10, 2: 10 }, { 1: true, 2: false }],
  ] as const)('%s', (_what, to, expected) => {
    const now: [number, number][] = [
      [1, 8],
      [2, 9],
      [3, 12],
    ]
    expect(outcome(now, to)).toEqual(expected)
  })

  test('take the first place that is accepted', () => {
    const choices = [12, 8, 14].map((h) => going(1, h, [[3, 12]]))
    expect(planTogether([{ id: 1, choices }]).get(1)?.choice).toBe(1)
  })

  test('never have two in one hour when they have gone, whoever stays', () => {
    const targets = fc.array(fc.option(fc.integer({ min: 8, max: 15 }), { nil: undefined }), {
      minLength: 6,
      maxLength: 6,
    })
    fc.assert(
      fc.property(targets, (wanted) => {
        const now = wanted.map((_, at): [number, number] => [at + 1, at + 8])
        const to = Object.fromEntries(wanted.flatMap((h, at) => (h === undefined ? [] : [[at + 1, h]])))
        const accepted = outcome(now, to)
        const after = now.map(([id, h]) => (accepted[id] ? to[id] : h))
        expect(new Set(after).size).toBe(now.length)
      }),
      { numRuns: 200 },
    )
  })
})
