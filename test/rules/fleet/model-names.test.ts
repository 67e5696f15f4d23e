import { describe, expect, test } from 'vitest'
import { modelKeysOf, type NamedAircraft, namesOf } from '../../../src/shared/fleet/resources/model-names.rules.ts'
import { sisters } from '../../support/sister-models.ts'

const of = (make: string | null, model: string | null, over: Partial<NamedAircraft> = {}): NamedAircraft => ({
  make,
  model,
  endorsedAs: [],
  plain: true,
  ...over,
})

/** An aircraft that is complex, fast, of two engines, or the like. */
const other = (make: string, model: string, endorsedAs: string[] = []) => of(make, model, { plain: false, endorsedAs })

describe('the names of a make and model by default (§Resource)', () => {
  test.each([
    ['Cessna', '172S Skyhawk', ['Cessna 172S Skyhawk', '172S Skyhawk', 'Cessna 172', '172', 'C172']],
    ['Cessna', '172', ['Cessna 172', '172', 'C172']],
    ['Cessna', 'C172', ['Cessna C172', 'C172']],
    ['Piper', 'PA-28-181', ['Piper PA-28-181', 'PA-28-181', 'Piper PA-28', 'PA-28', 'P28']],
    ['Diamond', 'DA40 NG', ['Diamond DA40 NG', 'DA40 NG', 'Diamond DA40', 'DA40', 'D40']],
    ['Aeronca', 'Champ', ['Aeronca Champ', 'Champ']],
    [null, '172S', ['172S', '172']],
    ['Cessna', null, ['Cessna']],
    ['Cessna', '', ['Cessna']],
    [null, null, []],
  ])('of a %s %s are %j', (make, model, names) => {
    expect(namesOf(of(make, model), [])).toEqual(names)
  })

  test('are the full ones alone of an aircraft that is complex, fast, of two engines and the like', () => {
    expect(namesOf(other('Cessna', '172RG'), [])).toEqual(['Cessna 172RG', '172RG'])
  })

  test('are those that the school gave, where it gave some', () => {
    expect(namesOf(of('Cessna', '172S', { endorsedAs: ['Skyhawk'] }), [])).toEqual(['Skyhawk'])
  })
})

describe('an endorsement for one of two sister models (14 CFR 61.87(n), (p))', () => {
  test.each(sisters)('of a %s %s is none for the %s, nor the other way round', (make, one, more) => {
    const plain = of(make, one)
    const complex = other(make, more)
    const [ofPlain, ofComplex] = [modelKeysOf(plain, [complex]), modelKeysOf(complex, [complex])]
    expect(ofPlain.filter((key) => ofComplex.includes(key))).toEqual([])
    expect(ofPlain.length).toBeGreaterThan(0)
  })

  test('is none by a short name that another aircraft was given', () => {
    const fast = other('Reims', 'Rocket', ['C172'])
    expect(namesOf(of('Cessna', '172S'), [fast])).toEqual(['Cessna 172S', '172S', 'Cessna 172', '172'])
  })
})
