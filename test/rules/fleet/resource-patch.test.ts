import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  flattenResource,
  type ResourceFields,
  type TypeBody,
} from '../../../src/shared/fleet/resources/resource-body.rules.ts'
import {
  applyResourceBody,
  blankResource,
  fuelled,
  type ResourceState,
} from '../../../src/shared/fleet/resources/resource-patch.rules.ts'
import { cents, hundredths, tenths, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const stored: ResourceState = {
  traits: {
    engines: 1,
    category: 'airplane',
    class: 'single_engine_land',
    fuelUnits: 'gallons',
    tailwheel: false,
    typeRating: null,
    complex: false,
    highPerformance: false,
    taa: false,
  },
  serialNumber: '17280001',
  year: 1998,
  tailNumber: 'N172FL',
  make: 'Cessna',
  model: '172S',
  endorsedAs: [],
  flyingDayStartMinute: 420,
  flyingDayEndMinute: 1260,
  dryRateCents: cents(14_000),
  wetRateCents: cents(18_000),
  overnightMinimumTenths: tenths(20),
  billByHobbsTime: true,
  groundedByPerson: true,
  groundedReason: 'Nose wheel shimmy',
  fuelEngine1: 24,
  fuelEngine2: null,
  hobbsHundredths: hundredths(123_450),
  tachHundredths: hundredths(110_000),
  landings: 12_430,
}

function patched(body: ResourceFields, type: TypeBody = { plane: {} }, before = stored): ResourceState {
  return applyResourceBody(before, flattenResource({ ...body, type }))
}

/** What every update that does not carry `grounded: true` does. */
const reasonGone = { groundedReason: null }

type Row = [what: string, body: ResourceFields, changes: Partial<ResourceState>]
const rows: Row[] = [
  ['1: nothing said leaves everything', {}, {}],
  [
    '1: null leaves what is not nullable',
    { tailNumber: null, make: null, model: null, grounded: null, cost: null, fuelEngine1: null, hobbsTime: null },
    {},
  ],
  ['2: an empty serial number clears it', { serialNumber: '' }, { serialNumber: null }],
  ['2: null clears serial number and year', { serialNumber: null, year: null }, { serialNumber: null, year: null }],
  [
    '3: null for both returns to the hours of the organization',
    { flyingDayStartMinute: null, flyingDayEndMinute: null },
    { flyingDayStartMinute: null, flyingDayEndMinute: null },
  ],
  [
    '3: a pair is stored, past midnight too',
    { flyingDayStartMinute: 1200, flyingDayEndMinute: 120 },
    { flyingDayStartMinute: 1200, flyingDayEndMinute: 120 },
  ],
  [
    '4: null is literal in the figures of cost',
    { cost: { dryRate: null, wetRate: null, overnightMinimumTenths: null } },
    { dryRateCents: null, wetRateCents: null, overnightMinimumTenths: null },
  ],
  [
    '4: 0 is not null',
    { cost: { dryRate: ZERO, wetRate: ZERO, overnightMinimumTenths: ZERO } },
    { dryRateCents: cents(0), wetRateCents: cents(0), overnightMinimumTenths: tenths(0) },
  ],
  ['4: a figure left out stays', { cost: { wetRate: cents(19_000) } }, { wetRateCents: cents(19_000) }],
  ['5: a reason without `grounded: true` is not stored', { groundedReason: 'Flat tire' }, {}],
  ['5: returning to service', { grounded: false, groundedReason: 'Flat tire' }, { groundedByPerson: false }],
  ['6: false is stored', { cost: { billByHobbsTime: false } }, { billByHobbsTime: false }],
  ['7: an empty text is a text', { tailNumber: '', make: '', model: '' }, { tailNumber: '', make: '', model: '' }],
]

describe('a PATCH of a plane follows §Resources rule by rule', () => {
  test.each(rows)('%s', (_what, body, changes) => {
    expect(patched(body)).toEqual({ ...stored, ...reasonGone, ...changes })
  })

  test('5: a grounding and its reason are written together', () => {
    expect(patched({ grounded: true, groundedReason: 'Flat tire' })).toEqual({ ...stored, groundedReason: 'Flat tire' })
  })

  test('5: `grounded: true` alone leaves the reason', () => {
    expect(patched({ grounded: true })).toEqual(stored)
  })

  test.each<[string, ResourceFields, string]>([
    ['a start alone', { flyingDayStartMinute: 480 }, 'flyingDayEndMinute'],
    ['an end alone', { flyingDayEndMinute: 1000 }, 'flyingDayStartMinute'],
    ['a null alone', { flyingDayStartMinute: null }, 'flyingDayEndMinute'],
    ['null and a minute', { flyingDayStartMinute: null, flyingDayEndMinute: 1000 }, 'flyingDayStartMinute'],
    ['a minute and null', { flyingDayStartMinute: 480, flyingDayEndMinute: null }, 'flyingDayEndMinute'],
    ['a day without a length', { flyingDayStartMinute: 480, flyingDayEndMinute: 480 }, 'flyingDayEndMinute'],
  ])('3: %s is refused', (_what, body, field) => {
    expect(() => patched(body)).toThrow(new RegExp(`^${field}: `))
  })
})

describe('the type object of a PATCH (§Resources)', () => {
  test('has its own fields merged, and null leaves them unchanged', () => {
    const type = { plane: { class: 'single_engine_sea', category: null } }
    expect(patched({}, type).traits).toEqual({ ...stored.traits, class: 'single_engine_sea' })
  })

  test('has keys of another kind ignored', () => {
    expect(patched({}, { plane: { seats: 4, deviceKind: 'ffs' } }).traits).toEqual(stored.traits)
  })

  test.each<[string, TypeBody]>([
    ['no kind', {}],
    ['two kinds', { plane: {}, room: {} }],
    ['a kind that is null', { plane: null }],
  ])('with %s is refused', (_what, type) => {
    expect(() => patched({}, type)).toThrow(/^type: exactly one/)
  })

  test('can hold the meters, as the fields beside it do', () => {
    const meters = { hobbsTime: hundredths(50_000), tachTime: hundredths(40_000) }
    const moved = { hobbsHundredths: 50_000, tachHundredths: 40_000 }
    expect(patched({}, { plane: meters })).toMatchObject(moved)
    expect(patched(meters, { plane: {} })).toMatchObject(moved)
    expect(patched(meters, { plane: meters })).toMatchObject(moved)
  })

  test.each<[string, ResourceFields, TypeBody, string]>([
    ['another reading', { hobbsTime: hundredths(1) }, { plane: { hobbsTime: hundredths(2) } }, 'plane.hobbsTime'],
    ['null', { tachTime: hundredths(1) }, { plane: { tachTime: null } }, 'plane.tachTime'],
    ['a reading beside null', { hobbsTime: null }, { plane: { hobbsTime: hundredths(2) } }, 'plane.hobbsTime'],
  ])('with a meter that contradicts the one beside it is refused: %s', (_what, body, type, field) => {
    expect(() => patched(body, type)).toThrow(new RegExp(`^type\\.${field.replace('.', '\\.')}: differs`))
  })
})

describe('a field that a kind does not have (§Resource)', () => {
  test('is tach and fuel for a simulator, which has a Hobbs', () => {
    const meters = { hobbsTime: hundredths(50_000), tachTime: hundredths(40_000), fuelEngine1: 10 }
    const made = patched(meters, { simulator: { deviceKind: 'aatd' } }, blankResource('simulator'))
    expect(made).toMatchObject({ hobbsHundredths: 50_000, traits: { deviceKind: 'aatd' } })
    expect(made.tachHundredths ?? made.fuelEngine1 ?? null).toBeNull()
  })

  test('is every meter for a room, which is never grounded', () => {
    const made = patched({ hobbsTime: hundredths(50_000) }, { room: { seats: 12 } }, blankResource('room'))
    expect(made.hobbsHundredths ?? null).toBeNull()
    expect(made.traits).toEqual({ seats: 12 })
    expect(() => patched({ grounded: true }, { room: {} }, blankResource('room'))).toThrow(/^grounded: /)
  })

  test('is the second tank for a plane with one engine', () => {
    expect(() => patched({ fuelEngine2: 10 })).toThrow(/^fuelEngine2: /)
    expect(patched({ fuelEngine2: 10 }, { plane: { engines: 2 } })).toMatchObject({ fuelEngine1: 24, fuelEngine2: 10 })
  })

  test('loses its figure when a plane becomes single-engine', () => {
    const twin = patched({ fuelEngine1: 40, fuelEngine2: 41 }, { plane: { engines: 2 } })
    expect(patched({}, { plane: { engines: 1 } }, twin)).toMatchObject({ fuelEngine1: 40, fuelEngine2: null })
  })
})

describe('the fuel of a plane', () => {
  test('keeps the figure of an engine that is left out', () => {
    expect(fuelled(2, { fuelEngine1: 40, fuelEngine2: 41 }, { fuelEngine2: 30 })).toEqual({
      fuelEngine1: 40,
      fuelEngine2: 30,
    })
    expect(fuelled(2, { fuelEngine1: 40, fuelEngine2: 41 }, { fuelEngine1: 0, fuelEngine2: null })).toEqual({
      fuelEngine1: 0,
      fuelEngine2: 41,
    })
  })
})

describe('any PATCH of a resource', () => {
  const text = fc.option(fc.string({ maxLength: 5 }))
  const whole = fc.option(fc.nat(1000))
  const reading = fc.option(fc.nat(1000).map(hundredths))
  const rate = fc.option(fc.nat(1000).map(cents))
  const cost = fc.record(
    { dryRate: rate, wetRate: rate, overnightMinimumTenths: fc.option(fc.nat(1000).map(tenths)) },
    { requiredKeys: [] },
  )
  const bodies = fc.record(
    {
      serialNumber: text,
      year: whole,
      tailNumber: text,
      make: text,
      model: text,
      grounded: fc.option(fc.boolean()),
      groundedReason: text,
      cost,
      fuelEngine1: whole,
      hobbsTime: reading,
      tachTime: reading,
    },
    { requiredKeys: [] },
  )

  test('has the same effect wherever its meters stand and when it is sent twice', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const once = patched(body)
        const { hobbsTime, tachTime, ...beside } = body
        expect(patched(beside, { plane: { hobbsTime, tachTime } })).toEqual(once)
        expect(patched(body, { plane: { hobbsTime, tachTime } })).toEqual(once)
        expect(patched(body, { plane: {} }, once)).toEqual(once)
      }),
    )
  })
})
