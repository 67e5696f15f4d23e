import { expect, test } from 'vitest'
import { poolDifferences } from '../../../src/shared/fleet/resources/pool.rules.ts'
import type { ResourceTraits } from '../../../src/shared/fleet/resources/resource.rules.ts'

const plane = (traits: ResourceTraits = {}) => ({
  kind: 'plane' as const,
  traits: { engines: 1, category: 'airplane', class: 'single_engine_land', ...traits } as ResourceTraits,
})
const simulator = (deviceKind: ResourceTraits['deviceKind']) => ({ kind: 'simulator' as const, traits: { deviceKind } })

test.for([
  ['equal planes', plane(), plane({ tailwheel: false, complex: false }), []],
  ['other fuel units, and a glass cockpit', plane(), plane({ fuelUnits: 'liters', taa: true }), []],
  ['another spelling of the class', plane(), plane({ class: ' Single_Engine_Land ' }), []],
  ['an empty type rating', plane(), plane({ typeRating: '' }), []],
  ['another class', plane(), plane({ class: 'single_engine_sea' }), ['class']],
  ['no class', plane(), plane({ class: null }), ['class']],
  [
    'a twin',
    plane(),
    plane({ engines: 2, class: 'multi_engine_land', complex: true }),
    ['class', 'engines', 'complex'],
  ],
  ['a helicopter', plane(), plane({ category: 'helicopter' }), ['category']],
  [
    'a high-performance taildragger',
    plane(),
    plane({ highPerformance: true, tailwheel: true }),
    ['highPerformance', 'tailwheel'],
  ],
  ['a type rating', plane(), plane({ typeRating: 'CE-525' }), ['typeRating']],
  ['a simulator', plane(), simulator('aatd'), ['kind']],
  ['equal simulators', simulator('aatd'), simulator('aatd'), []],
  ['simulators of two kinds', simulator('aatd'), simulator('ftd'), ['deviceKind']],
] as const)('a plane or simulator and %s differ in what a pool has in common', ([_what, one, other, differs]) => {
  expect(poolDifferences(one, other)).toEqual(differs)
  expect(poolDifferences(other, one)).toEqual(differs)
})
