import { describe, expect, test } from 'vitest'
import { completionAnomalies, limitsUndone } from '../../../src/shared/fleet/maintenance/completion.rules.ts'
import type { Limit, MeterBasis } from '../../../src/shared/fleet/maintenance/maintenance-item.rules.ts'
import { type Hundredths, hundredths } from '../../../src/shared/platform/kernel/units.ts'

const meters = (hobbs: number | null, tach: number | null, landings: number | null) => {
  const of = (reading: number | null) => (reading === null ? null : hundredths(reading * 100))
  return { hobbs: of(hobbs), tach: of(tach), landings: of(landings) }
}

describe('the readings of a completion (§Maintenance)', () => {
  const aircraft = meters(1000, 900, 350)
  const last = meters(950, 870, 300)

  test.each<[string, given: Partial<Record<MeterBasis, number>>, anomalies: string[]]>([
    ['equal to those of the aircraft', { hobbs: 1000, tach: 900, landings: 350 }, []],
    ['0.1 above', { tach: 900.1 }, []],
    ['0.11 above', { tach: 900.11 }, ['tach above_aircraft 900.11 900']],
    ['a typing error', { tach: 25_000 }, ['tach above_aircraft 25000 900']],
    ['equal to those of the last completion', { hobbs: 950, tach: 870, landings: 300 }, []],
    ['below the last completion', { hobbs: 949.99 }, ['hobbs below_last_completion 949.99 950']],
    ['a landing above', { landings: 351 }, ['landings above_aircraft 351 350']],
    ['a landing below', { landings: 299 }, ['landings below_last_completion 299 300']],
    [
      'two at once',
      { tach: 25_000, hobbs: 10 },
      ['hobbs below_last_completion 10 950', 'tach above_aircraft 25000 900'],
    ],
    ['none given', {}, []],
  ])('%s', (_what, given, anomalies) => {
    const readings = Object.fromEntries(
      Object.entries(given).map(([meter, reading]) => [meter, hundredths(Math.round(reading * 100))]),
    )
    const found = completionAnomalies(readings, aircraft, last)
    expect(found.map(({ meter, kind, reading, compared }) => `${meter} ${kind} ${reading} ${compared}`)).toEqual(
      anomalies,
    )
  })

  test('are plausible without anything to compare them with', () => {
    expect(completionAnomalies(meters(25_000, null, null), meters(null, 900, 0), {})).toEqual([])
  })

  test('are anomalies of both kinds, when the last completion was a typing error that the aircraft never had', () => {
    const found = completionAnomalies({ tach: hundredths(95_000) }, aircraft, meters(null, 25_000, null))
    expect(found.map(({ kind }) => kind)).toEqual(['above_aircraft', 'below_last_completion'])
  })
})

describe('the limits of an item whose completion is undone', () => {
  const blank = {
    intervalMonths: null,
    intervalDays: null,
    interval: null,
    lastDoneAt: null,
    lastDone: null,
    dueAt: null,
    due: null,
    used: null,
  }
  const h = (reading: number) => hundredths(reading * 100)
  const day = (text: string) => new Date(`${text}T12:00:00Z`)
  const stored = ({ lastDoneAt, dueAt, ...limit }: Limit) => ({
    ...limit,
    lastDoneAt: lastDoneAt?.toISOString() ?? null,
    dueAt: dueAt?.toISOString() ?? null,
  })
  const at = (shifts: Partial<Record<MeterBasis, Hundredths>> = {}) => ({
    now: day('2026-11-26'),
    meters: meters(1000, 900, 350),
    zone: 'UTC',
    shifts,
  })
  const tach: Limit = {
    ...blank,
    basis: 'tach',
    interval: h(100),
    lastDoneAt: day('2026-01-10'),
    lastDone: h(800),
    due: h(900),
  }
  const done: Limit = { ...tach, lastDoneAt: day('2026-11-20'), lastDone: h(25_000), due: h(25_100) }

  test('are as they were', () => {
    const calendar: Limit = {
      ...blank,
      basis: 'calendar',
      intervalMonths: 12,
      lastDoneAt: day('2025-01-10'),
      dueAt: day('2026-01-31'),
    }
    const later = { ...calendar, lastDoneAt: day('2026-11-20'), dueAt: day('2027-11-30') }
    expect(limitsUndone([later, done], [stored(tach), stored(calendar)], at())).toEqual([calendar, tach])
  })

  test('follow a meter that was replaced since', () => {
    const [limit] = limitsUndone([done], [stored(tach)], at({ tach: hundredths(-80_000) }))
    expect(limit).toEqual({ ...tach, lastDone: h(0), due: h(100) })
  })

  test('count a changed interval from the completion before', () => {
    const [limit] = limitsUndone([{ ...done, interval: h(50) }], [stored(tach)], at())
    expect(limit).toEqual({ ...tach, interval: h(50), due: h(850) })
  })

  test('have the hours of use before and since', () => {
    const use: Limit = {
      ...blank,
      basis: 'use',
      interval: h(50),
      due: h(50),
      used: h(48),
      lastDoneAt: day('2026-01-10'),
    }
    const reset = { ...use, used: h(3), lastDoneAt: day('2026-11-20') }
    expect(limitsUndone([reset], [stored(use)], at())).toEqual([{ ...use, used: h(51) }])
  })

  test('are due again where the work does not recur', () => {
    const once: Limit = { ...blank, basis: 'hobbs', due: h(1010) }
    const finished = { ...once, lastDoneAt: day('2026-11-20'), lastDone: h(1000), due: null }
    expect(limitsUndone([finished], [stored(once)], at())).toEqual([once])
  })

  test('stay where they were added since, and gone where they were removed', () => {
    const added: Limit = { ...blank, basis: 'landings', interval: h(500), due: h(850) }
    expect(limitsUndone([added], [stored(tach)], at())).toEqual([added])
  })
})
