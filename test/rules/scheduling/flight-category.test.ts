import { describe, expect, test } from 'vitest'
import type { Conditions } from '../../../src/shared/platform/adapters/weather/weather.port.ts'
import { ceilingOf, flightCategory } from '../../../src/shared/scheduling/weather/weather.rules.ts'

function conditions(feet: number | null, miles: number, bound: 'more' | 'less' | null = null): Conditions {
  return {
    wind: null,
    weather: [],
    visibility: { statuteMiles: miles, bound },
    clouds: feet === null ? [] : [{ cover: 'OVC', baseFeet: feet }],
    skyKnown: true,
    verticalVisibility: null,
  }
}

describe('the flight category (§Weather)', () => {
  test.each([
    [null, 10, 'VFR'],
    [3001, 10, 'VFR'],
    [3000, 10, 'MVFR'],
    [1000, 10, 'MVFR'],
    [999, 10, 'IFR'],
    [500, 10, 'IFR'],
    [499, 10, 'LIFR'],
    [0, 10, 'LIFR'],
    [null, 5.01, 'VFR'],
    [null, 5, 'MVFR'],
    [null, 3, 'MVFR'],
    [null, 2.99, 'IFR'],
    [null, 1, 'IFR'],
    [null, 0.99, 'LIFR'],
    [null, 0, 'LIFR'],
    [400, 4, 'LIFR'],
    [2000, 0.5, 'LIFR'],
    [900, 4, 'IFR'],
  ])('of a ceiling of %j feet and %j miles is %s', (feet, miles, category) => {
    expect(flightCategory(conditions(feet, miles))).toBe(category)
  })

  test('of less than one or three miles is that of below, of more than five that of above', () => {
    expect(flightCategory(conditions(null, 1, 'less'))).toBe('LIFR')
    expect(flightCategory(conditions(null, 3, 'less'))).toBe('IFR')
    expect(flightCategory(conditions(null, 5, 'more'))).toBe('VFR')
  })
})

describe('the ceiling (§Weather)', () => {
  const clear = conditions(null, 10)

  test('is the lowest layer that covers more than half of the sky', () => {
    const clouds: Conditions['clouds'] = [
      { cover: 'SCT', baseFeet: 400 },
      { cover: 'BKN', baseFeet: 1200 },
      { cover: 'OVC', baseFeet: 800 },
    ]
    expect(ceilingOf({ ...clear, clouds })).toBe(800)
    expect(ceilingOf(clear)).toBe(null)
    expect(ceilingOf({ ...clear, verticalVisibility: 200 })).toBe(200)
  })

  test('is unknown when the report does not tell of the sky, or one layer was not measured and could be lower', () => {
    expect(ceilingOf({ ...clear, skyKnown: false })).toBe('unknown')
    expect(ceilingOf({ ...clear, clouds: [{ cover: 'BKN', baseFeet: null }] })).toBe('unknown')
    const two: Conditions['clouds'] = [
      { cover: 'BKN', baseFeet: null },
      { cover: 'OVC', baseFeet: 2000 },
    ]
    expect(ceilingOf({ ...clear, clouds: two })).toBe('unknown')
    expect(ceilingOf({ ...clear, clouds: [two[0]!, { cover: 'OVC', baseFeet: 300 }] })).toBe(300)
  })
})
