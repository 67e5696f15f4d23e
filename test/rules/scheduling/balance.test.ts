import { describe, expect, test } from 'vitest'
import type { roles as allRoles } from '../../../src/shared/platform/authz/roles.ts'
import { basisPoints, cents } from '../../../src/shared/platform/kernel/units.ts'
import { checkBalance, estimatedCost } from '../../../src/shared/scheduling/rules/balance.rules.ts'
import type { BookingFacts, PackageFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { facts, guest, member, plane, roles, settings, times } from './booking-facts.ts'

/** 120.00 wet and 90.00 dry an hour. */
const resource = plane({ rates: { wet: cents(12_000), dry: cents(9_000) } })
const rates = { flight: cents(6_000), ground: cents(5_000), sim: cents(4_000) }
const ana = member('instructors', 1, 'Ana Ruiz', { rates })
const ben = (balance: number, ...packages: PackageFacts[]) =>
  member('students', 2, 'Ben Okafor', { account: { balance: cents(balance), packages, taxExempt: false } })
const cleo = (balance: number) =>
  member('students', 4, 'Cleo Wu', { account: { balance: cents(balance), packages: [], taxExempt: false } })
const hours = (remaining: number, over: Partial<PackageFacts> = {}): PackageFacts => {
  return { unit: 'deci_hours', remaining, resourceIds: [], lineKinds: ['aircraft'], ...over }
}
const credit = (remaining: number): PackageFacts => ({ unit: 'cents', remaining, resourceIds: [], lineKinds: [] })

describe('what a booking of two hours is expected to cost (§Booking rules)', () => {
  test.each<[string, Partial<BookingFacts>, [aircraft: number, instruction: number]]>([
    ['dual', { seats: [ana, ben(0)] }, [24_000, 12_000]],
    ['dual, dry', { seats: [ana, ben(0)], settings: settings({ aircraftRateKind: 'dry' }) }, [18_000, 12_000]],
    ['a rental', { booking: times({ type: 'rental' }), seats: [member('renters', 3, 'Rita Lange')] }, [24_000, 0]],
    ['a ground lesson', { booking: times({ type: 'ground' }), seats: [ana, ben(0)], resource: null }, [0, 10_000]],
    ['a simulator', { booking: times({ type: 'sim' }), seats: [ana, ben(0)] }, [24_000, 8_000]],
    ['an aircraft without a rate', { resource: plane(), seats: [ben(0)] }, [0, 0]],
  ])('%s', (_what, over, [aircraft, instruction]) => {
    expect(estimatedCost(facts({ resource, ...over }))).toEqual({ aircraft, instruction })
  })
})

describe('the balance that a booking leaves (§Booking rules)', () => {
  const missing = (over: Partial<BookingFacts>) =>
    checkBalance(facts({ resource, ...over })).map(({ orgUserId, fix }) => [orgUserId, fix])
  const lacks = (orgUserId: number, missingCents: number, amount: string) => [
    orgUserId,
    { action: 'add_funds', missingCents, text: `Pay in ${amount}.` },
  ]
  const even = settings({ chargeRules: { aircraft: 'split_evenly', instruction: 'one_payer' } })

  test.each<[string, Partial<BookingFacts>, unknown[]]>([
    ['enough for all of it', { seats: [ana, ben(36_000)] }, []],
    ['a cent short', { seats: [ana, ben(35_999)] }, [lacks(2, 1, '$0.01')]],
    [
      'short of the least balance',
      { seats: [ana, ben(36_000)], settings: settings({ minimumBalanceCents: cents(5_000) }) },
      [lacks(2, 5_000, '$50.00')],
    ],
    ['a credit line', { seats: [ana, ben(0)], settings: settings({ minimumBalanceCents: cents(-36_000) }) }, []],
    ['the first student pays', { seats: [ana, ben(36_000), cleo(0)] }, []],
    [
      'the aircraft is shared: 120.00 each, the instruction the first one’s',
      { seats: [ana, ben(23_999), cleo(11_000)], settings: even },
      [lacks(2, 1, '$0.01'), lacks(4, 1_000, '$10.00')],
    ],
    ['hours cover the aircraft: 120.00 of instruction are left', { seats: [ana, ben(12_000, hours(20))] }, []],
    // 1.5 of 2 h cover 180.00 of 240.00.
    ['a part of the hours', { seats: [ana, ben(0, hours(15))] }, [lacks(2, 18_000, '$180.00')]],
    ['credit covers first one kind, then the other', { seats: [ana, ben(1_000, credit(35_000))] }, []],
    [
      'hours in another aircraft cover nothing',
      { seats: [ana, ben(0, hours(99, { resourceIds: [resource.id + 1] }))] },
      [lacks(2, 36_000, '$360.00')],
    ],
    ['a guest pays', { booking: times({ type: 'guest' }), seats: [ana, guest(9, 'Gus')] }, []],
    ['it is prepaid', { booking: times({ prepaid: true }), seats: [ana, ben(0)] }, []],
    ['it costs nothing', { resource: plane(), seats: [ben(-500)] }, []],
    ['maintenance', { booking: times({ type: 'maintenance' }), seats: [] }, []],
  ])('%s', (_what, over, expected) => {
    expect(missing(over)).toEqual(expected)
  })
})

describe('the taxes of what a booking leaves to pay (§Booking rules)', () => {
  const sales = { name: 'Sales tax', basisPoints: basisPoints(725), appliesTo: ['aircraft'], locationIds: [] }
  const county = { name: 'County', basisPoints: basisPoints(105), appliesTo: [], locationIds: [resource.locationId] }
  const elsewhere = times({ locationId: resource.locationId + 1 })
  const exempt = member('students', 2, 'Ben Okafor', { account: { balance: cents(0), packages: [], taxExempt: true } })
  const dual = [ana, ben(0)]

  test.each<[string, Partial<BookingFacts>, number[]]>([
    // 24,000 × 7.25 % = 1,740; the instruction of 12,000 is not taxed.
    ['on the kinds of line of the rate', { seats: dual }, [37_740]],
    ['enough for them', { seats: [ana, ben(37_740)] }, []],
    // And 24,000 × 1.05 % = 252, 12,000 × 1.05 % = 126.
    ['at the location of the resource', { seats: dual, settings: settings({ taxRates: [sales, county] }) }, [38_118]],
    [
      'at the location of the booking, when it has one',
      { booking: elsewhere, seats: dual, settings: settings({ taxRates: [sales, county] }) },
      [37_740],
    ],
    [
      'at no location: a ground lesson without a room',
      { booking: times({ type: 'ground' }), seats: dual, resource: null, settings: settings({ taxRates: [county] }) },
      [10_000],
    ],
    // 10,000 × 1.05 % = 105
    [
      'on a ground lesson at a location',
      {
        booking: times({ type: 'ground', locationId: resource.locationId }),
        seats: dual,
        resource: null,
        settings: settings({ taxRates: [sales, county] }),
      },
      [10_105],
    ],
    [
      'on a simulator as on no aircraft',
      { booking: times({ type: 'sim' }), seats: dual, resource: { ...resource, kind: 'simulator' } },
      [32_000],
    ],
    ['not from who is exempt', { seats: [ana, exempt] }, [36_000]],
    // 1.5 of 2 h cover 18,000 of 24,000; 6,000 × 7.25 % = 435.
    ['on what packages leave', { seats: [ana, ben(0, hours(15))] }, [18_435]],
    // 12,000 × 7.25 % = 870 each.
    [
      'on each part',
      {
        seats: [ana, ben(0), cleo(0)],
        settings: settings({
          taxRates: [sales],
          chargeRules: { aircraft: 'split_evenly', instruction: 'one_payer' },
        }),
      },
      [24_870, 12_870],
    ],
  ])('%s', (_what, over, missing) => {
    const found = checkBalance(facts({ resource, settings: settings({ taxRates: [sales] }), ...over }))
    expect(found.map(({ fix }) => fix)).toMatchObject(missing.map((missingCents) => ({ missingCents })))
  })
})

describe('the balance of a bill-to payer (§Booking rules)', () => {
  const even = settings({ chargeRules: { aircraft: 'split_evenly', instruction: 'split_evenly' } })
  const paidFor = (id: number, name: string, balance: number) =>
    member('students', id, name, {
      billToId: 50,
      billToName: 'Pat Okafor',
      account: { balance: cents(balance), packages: [], taxExempt: false },
    })
  const ask = (orgUserId: number, of: (typeof allRoles)[number], seats = [ana, paidFor(2, 'Ben Okafor', 0)]) =>
    checkBalance(facts({ resource, seats, settings: even, actor: { orgUserId, roles: roles(of) } }))

  test('is asked once for all whom the payer pays for', () => {
    // 180.00 each.
    const both = [ana, paidFor(2, 'Ben Okafor', 20_000), paidFor(4, 'Cleo Wu', 20_000)]
    expect(ask(99, 'dispatcher', both)).toMatchObject([
      {
        orgUserId: 4,
        message: 'Pat Okafor, who pays for Cleo Wu, lacks $160.00 for this booking',
        fix: { missingCents: 16_000, text: 'Pay in $160.00 to the account of Pat Okafor.' },
      },
    ])
  })

  test.each<[string, number, (typeof allRoles)[number], boolean]>([
    ['the payer', 50, 'renter', true],
    ['the desk', 99, 'dispatcher', true],
    ['the member', 2, 'student', false],
    ['an instructor', 1, 'instructor', false],
  ])('is a figure to %s: %s', (_who, orgUserId, role, seesFigure) => {
    const [finding] = ask(orgUserId, role)
    expect(finding).toMatchObject({ code: 'BALANCE_TOO_LOW' })
    expect(JSON.stringify(finding).includes('360.00')).toBe(seesFigure)
    expect(JSON.stringify(finding).includes('Pat')).toBe(seesFigure)
  })
})
