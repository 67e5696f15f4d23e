import { describe, expect, test } from 'vitest'
import { tenths } from '../../../src/shared/platform/kernel/units.ts'
import { type Clock, clocks, creditProblem } from '../../../src/shared/training/courses/syllabus.rules.ts'
import { amountProblem, clockOfOverride, postingsOf } from '../../../src/shared/training/records/credit.rules.ts'

const hours = { id: 1, minTenths: tenths(400), minCount: null }
const landings = { id: 2, minTenths: null, minCount: 10 }

describe('an amount of credit', () => {
  test.each([
    [{ deciHours: tenths(14) }, hours, null],
    [{ count: 3 }, landings, null],
    [{ deciHours: tenths(14), count: 3 }, hours, 'count: give hours or a count, not both'],
    [{}, hours, 'deciHours: give hours or a count'],
    [{ deciHours: null, count: null }, landings, 'deciHours: give hours or a count'],
    [{ deciHours: tenths(0) }, hours, 'deciHours: must be more than 0'],
    [{ deciHours: tenths(-14) }, hours, 'deciHours: must be more than 0'],
    [{ count: 0 }, landings, 'count: must be more than 0'],
    [{ deciHours: tenths(14) }, landings, 'deciHours: the requirement is counted, not timed'],
    [{ count: 3 }, hours, 'count: the requirement is timed, not counted'],
  ])('is checked against its requirement: %j on %j', (amount, requirement, problem) => {
    expect(amountProblem(amount, requirement)).toBe(problem)
  })
})

const fromLesson = { source: 'lesson', deviceKind: null }

/** What the clocks of a record show: nothing but this. */
function readings(shown: Partial<Record<Clock, number>>): Record<Clock, number> {
  return { ...(Object.fromEntries(clocks.map((clock) => [clock, 0])) as Record<Clock, number>), ...shown }
}

describe('the credit that a signature posts (§Training record and ledger)', () => {
  test('is the time on each clock that the lesson credits, and its counts, without entries of no time', () => {
    const credits = [
      { requirementId: 1, clock: 'flight' as const, count: null },
      { requirementId: 1, clock: 'simulator' as const, count: null },
      { requirementId: 3, clock: 'ground' as const, count: null },
      { requirementId: 2, clock: null, count: 2 },
    ]
    expect(postingsOf(credits, readings({ flight: 14, instruction: 14 }))).toEqual([
      { requirementId: 1, tenths: 14, count: null, clock: 'flight', ...fromLesson },
      { requirementId: 2, tenths: null, count: 2, clock: null, ...fromLesson },
    ])
  })

  test('is a count on the clocks that count', () => {
    const credits = [
      { requirementId: 2, clock: 'night_full_stops' as const, count: null },
      { requirementId: 3, clock: 'approaches' as const, count: null },
    ]
    expect(postingsOf(credits, readings({ night_full_stops: 4 }))).toEqual([
      { requirementId: 2, tenths: null, count: 4, clock: 'night_full_stops', ...fromLesson },
    ])
  })

  test('is simulator credit of its kind of device for instrument time in one', () => {
    const credits = (['instrument', 'simulator', 'ground'] as const).map((clock) => ({
      requirementId: 1,
      clock,
      count: null,
    }))
    const shown = readings({ instrument: 12, simulator: 15, ground: 3 })
    const origins = postingsOf(credits, shown, { kind: 'batd' }).map(({ source, deviceKind }) => [source, deviceKind])
    expect(origins).toEqual([
      ['simulator', 'batd'],
      ['lesson', 'batd'],
      ['lesson', null],
    ])
  })

  test('counts as simulator time after an override too, where the lesson or its kind says so', () => {
    const fromSimulator = [{ requirementId: 1, clock: 'simulator' as const, count: null }]
    expect(clockOfOverride(1, { kind: 'flight', credits: fromSimulator })).toBe('simulator')
    expect(clockOfOverride(9, { kind: 'sim', credits: fromSimulator })).toBe('simulator')
    expect(clockOfOverride(9, { kind: 'flight', credits: fromSimulator })).toBeNull()
    const fromFlight = [{ requirementId: 1, clock: 'flight' as const, count: null }]
    expect(clockOfOverride(1, { kind: 'flight', credits: fromFlight })).toBe('flight')
  })
})

describe('the credits of a lesson', () => {
  const of = (requirementId: number, clock: Clock | null, count: number | null) => ({
    requirementId,
    clock,
    count,
  })

  test.each([
    [[of(1, 'flight', null), of(1, 'ground', null), of(2, null, 1)], null],
    [[of(7, 'flight', null)], 'credits.0.requirementId: there is no such requirement in this version'],
    [[of(1, 'flight', 1)], 'credits.0.count: give a clock or a count, not both'],
    [[of(1, null, null)], 'credits.0.clock: give a clock or a count'],
    [[of(2, 'flight', null)], 'credits.0.clock: the requirement is counted, not timed'],
    [[of(1, null, 1)], 'credits.0.count: the requirement is timed, not counted'],
    [[of(1, 'night', null), of(2, 'landings', null)], null],
    [[of(2, 'night', null)], 'credits.0.clock: the requirement is counted, not timed'],
    [[of(1, 'landings', null)], 'credits.0.clock: the requirement is timed, not counted'],
    [[of(1, 'flight', null), of(1, 'flight', null)], 'credits.1: repeats an earlier credit of the lesson'],
    [[of(2, null, 1), of(2, null, 2)], 'credits.1: repeats an earlier credit of the lesson'],
  ])('are refused when they are %j', (credits, problem) => {
    expect(creditProblem(credits, [hours, landings])).toBe(problem)
  })
})
