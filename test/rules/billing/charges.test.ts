import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeFlight, isBillable, splitCharges } from '../../../src/shared/billing/flight-bill/flight-bill.rules.ts'
import type {
  FlightBill,
  FlightCharge,
  Payer,
  Stake,
} from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import { checkStakes } from '../../../src/shared/billing/flight-bill/stakes.rules.ts'
import { basisPoints, cents, hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'
import { at } from '../scheduling/booking-facts.ts'
import { ben, cleo, dora, flight, resource } from './a-flight.ts'

const evenly = (over: Partial<FlightCharge['settings']['chargeRules']> = {}) => ({
  ...flight().settings,
  chargeRules: { aircraft: 'split_evenly' as const, instruction: 'split_evenly' as const, ...over },
})

const amounts = (bill: FlightBill) => bill.lines.map(({ kind, amountCents }) => [kind, amountCents])
const shares = (bill: FlightBill) => bill.shares.map(({ payer, amountCents }) => [payer.name, amountCents])

describe('the cost of a flight (§Resource, cost)', () => {
  test('is aircraft time at the wet rate and Hobbs time at the instructor’s rate', () => {
    // 1.4 h × $165.50 = $231.70; 1.4 h × $65.00 = $91.00.
    expect(chargeFlight(flight())).toEqual({
      lines: [
        {
          kind: 'aircraft',
          description: 'N12345 (wet, Hobbs)',
          quantityHundredths: 140,
          unit: 'hour',
          unitPrice: 16550,
          amountCents: 23170,
          taxCents: 0,
          payer: ben,
        },
        {
          kind: 'flight_instruction',
          description: 'Flight instruction, Ana Ruiz',
          quantityHundredths: 140,
          unit: 'hour',
          unitPrice: 6500,
          amountCents: 9100,
          taxCents: 0,
          payer: ben,
        },
      ],
      totalCents: 32270,
      shares: [{ payer: ben, amountCents: 32270, wholeCents: 32270, taxes: [], uses: [] }],
      warnings: [],
      problems: [],
    })
  })

  test('is billed by tach where the aircraft is, and its instruction by Hobbs all the same', () => {
    // 1.1 h × $165.50 = $182.05.
    const bill = chargeFlight(flight({ resource: { ...resource, billByHobbsTime: false } }))
    expect(amounts(bill)).toEqual([
      ['aircraft', 18205],
      ['flight_instruction', 9100],
    ])
    expect(bill.lines[0]?.description).toBe('N12345 (wet, tach)')
  })

  test('is taken at the dry rate where the organization bills dry', () => {
    // 1.4 h × $120.00 = $168.00.
    const settings = { ...flight().settings, aircraftRateKind: 'dry' as const }
    expect(chargeFlight(flight({ settings })).lines[0]).toMatchObject({ unitPrice: 12000, amountCents: 16800 })
  })

  test('is rounded half up to the cent, line by line', () => {
    // 0.1 h × $0.05 is half a cent, up to one.
    const readings = {
      hobbsOut: hundredths(100),
      hobbsIn: hundredths(105),
      tachOut: hundredths(100),
      tachIn: hundredths(105),
    }
    expect(
      chargeFlight(flight({ readings, instructor: null, resource: { ...resource, wetRate: cents(5) } })).totalCents,
    ).toBe(1)
  })

  test.each([
    // Two nights (Tuesday to Thursday) at 2.0 hours: at least 4.0 hours, $662.00.
    ['the organization’s minimum', null, 20, '2026-06-04T09:00:00-04:00', 66200, 'overnight minimum'],
    // The aircraft's own minimum of 1.0 wins over the organization's: 2.0 hours, $331.00.
    ['the aircraft’s own minimum', 10, 20, '2026-06-04T09:00:00-04:00', 33100, 'overnight minimum'],
    // One night at 1.0 hours is less than the 1.4 flown: $231.70.
    ['a minimum that the flight exceeds', 10, 0, '2026-06-03T09:00:00-04:00', 23170, 'Hobbs'],
    ['no night', 50, 50, '2026-06-03T00:00:00-04:00', 23170, 'Hobbs'],
  ])('has %s for the nights crossed', (_name, own, organizations, end, amountCents, measure) => {
    const bill = chargeFlight(
      flight({
        booked: { start: at('2026-06-02T10:00:00-04:00'), end: at(end) },
        resource: { ...resource, overnightMinimumTenths: own === null ? null : tenths(own) },
        settings: { ...flight().settings, overnightMinimumTenths: tenths(organizations) },
      }),
    )
    expect(bill.lines[0]).toMatchObject({ amountCents, description: `N12345 (wet, ${measure})` })
  })

  test('includes the briefing of a dual at the ground rate', () => {
    // 0.3 h × $55.00 = $16.50.
    expect(amounts(chargeFlight(flight({ briefing: tenths(3) })))[2]).toEqual(['ground_instruction', 1650])
  })

  test('is the briefing alone for a ground lesson, and nothing for a room', () => {
    const none = { hobbsOut: null, hobbsIn: null, tachOut: null, tachIn: null }
    const room = { ...resource, kind: 'room' as const, name: 'Room 1' }
    const bill = chargeFlight(flight({ type: 'ground', resource: room, readings: none, briefing: tenths(15) }))
    // 1.5 h × $55.00 = $82.50.
    expect([amounts(bill), bill.warnings]).toEqual([[['ground_instruction', 8250]], []])
  })

  test('is measured by Hobbs at the instructor’s sim rate for a simulator, whatever the tach says', () => {
    const simulator = {
      ...resource,
      kind: 'simulator' as const,
      name: 'AATD',
      wetRate: cents(8000),
      billByHobbsTime: false,
    }
    // 1.4 h × $80.00 = $112.00; 1.4 h × $45.00 = $63.00.
    expect(amounts(chargeFlight(flight({ type: 'sim', resource: simulator })))).toEqual([
      ['simulator', 11200],
      ['sim_instruction', 6300],
    ])
  })

  test('is measured by the booked time for a simulator without meters', () => {
    const simulator = { ...resource, kind: 'simulator' as const, name: 'AATD', wetRate: cents(8000) }
    const none = { hobbsOut: null, hobbsIn: null, tachOut: null, tachIn: null }
    // 2.0 h × $80.00 = $160.00; 2.0 h × $45.00 = $90.00.
    expect(amounts(chargeFlight(flight({ type: 'sim', resource: simulator, readings: none })))).toEqual([
      ['simulator', 16000],
      ['sim_instruction', 9000],
    ])
  })

  test('is the briefing at the sim rate for a sim lesson without a simulator', () => {
    const none = { hobbsOut: null, hobbsIn: null, tachOut: null, tachIn: null }
    expect(
      amounts(chargeFlight(flight({ type: 'sim', resource: null, readings: none, briefing: tenths(20) }))),
    ).toEqual([['sim_instruction', 9000]])
  })

  test('leaves out the aircraft of a flight that has no readings, and says so', () => {
    const readings = { hobbsOut: null, hobbsIn: null, tachOut: hundredths(98700), tachIn: hundredths(98814) }
    expect(chargeFlight(flight({ readings })).warnings).toContain('N12345 has no readings: its time is not billed.')
  })

  test('leaves out what has no rate and names the missing rate', () => {
    const instructor = { name: 'Ana Ruiz', rates: { flight: null, ground: null, sim: null } }
    const bill = chargeFlight(flight({ instructor, briefing: tenths(3), resource: { ...resource, wetRate: null } }))
    expect(bill).toMatchObject({ lines: [], totalCents: 0, shares: [], problems: [] })
    expect(bill.warnings).toEqual([
      'N12345 has no wet rate: 1.4 hours are not billed.',
      'Ana Ruiz has no flight rate: 1.4 hours are not billed.',
      'Ana Ruiz has no ground rate: 0.3 hours are not billed.',
    ])
  })
})

describe('the payers of a flight without stakes (§Reservations rule 5)', () => {
  const both = { payers: [ben, cleo, dora] }

  test('are the leading payer alone under one_payer', () => {
    expect(shares(chargeFlight(flight(both)))).toEqual([['Ben Okafor', 32270]])
  })

  test('are all students evenly under split_evenly, and the leader pays the remainder of each kind of charge', () => {
    // $231.70 / 3 = 77.23 and 1 cent over; $91.00 / 3 = 30.33 and 1 cent over.
    expect(shares(chargeFlight(flight({ ...both, settings: evenly() })))).toEqual([
      ['Ben Okafor', 7724 + 3034],
      ['Cleo Park', 7723 + 3033],
      ['Dora Lind', 7723 + 3033],
    ])
  })

  test('can differ between aircraft and instruction', () => {
    expect(shares(chargeFlight(flight({ ...both, settings: evenly({ instruction: 'one_payer' }) })))).toEqual([
      ['Ben Okafor', 7724 + 9100],
      ['Cleo Park', 7723],
      ['Dora Lind', 7723],
    ])
  })

  test('get one share at its amount each, which names the charge', () => {
    expect(chargeFlight(flight({ ...both, settings: evenly() })).lines[1]).toEqual({
      kind: 'aircraft',
      description: 'N12345 (wet, Hobbs), share of 1.4 h at $165.50',
      quantityHundredths: 100,
      unit: 'share',
      unitPrice: 7723,
      amountCents: 7723,
      taxCents: 0,
      payer: cleo,
    })
  })

  test('are nobody when the paying side is empty', () => {
    expect(chargeFlight(flight({ payers: [] })).problems).toEqual([
      { field: 'payers', message: 'payers: nobody on this booking pays for it' },
    ])
  })

  test('are not billed a share below 50 cents, which stays in the breakdown with a warning', () => {
    const readings = {
      hobbsOut: hundredths(100),
      hobbsIn: hundredths(110),
      tachOut: hundredths(100),
      tachIn: hundredths(110),
    }
    // 0.1 h × $9.80 = 98 cents, 49 each.
    const bill = chargeFlight(
      flight({
        payers: [ben, cleo],
        readings,
        instructor: null,
        resource: { ...resource, wetRate: cents(980) },
        settings: evenly(),
      }),
    )
    expect(bill.shares.map(isBillable)).toEqual([false, false])
    expect(bill.warnings).toEqual([
      'Ben Okafor’s share of $0.49 is below $0.50 and is not billed.',
      'Cleo Park’s share of $0.49 is below $0.50 and is not billed.',
    ])
    expect(isBillable({ wholeCents: cents(50) })).toBe(true)
  })
})

const percentage = (payer: Payer, percentageBps: number): Stake => ({
  ...payer,
  kind: 'percentage',
  percentageBps: basisPoints(percentageBps),
})
const waived = (payer: Payer): Stake => ({ ...payer, kind: 'waived' })
const flew = (payer: Payer, hobbsOut: number, hobbsIn: number): Stake => ({
  ...payer,
  kind: 'readings',
  hobbsOut: hundredths(hobbsOut),
  hobbsIn: hundredths(hobbsIn),
  tachOut: null,
  tachIn: null,
})

describe('a payer by percentage (§Reservations rule 4)', () => {
  test('pays that part of the total rounded down, and the leader pays the remainder', () => {
    // $322.70 × 33.33 % = 107.5559, × 33.34 % = 107.5882; the leader has the rest.
    const stakes = [percentage(ben, 3333), percentage(cleo, 3333), percentage(dora, 3334)]
    expect(shares(chargeFlight(flight({ payers: [ben, cleo, dora], stakes })))).toEqual([
      ['Ben Okafor', 32270 - 10755 - 10758],
      ['Cleo Park', 10755],
      ['Dora Lind', 10758],
    ])
  })

  test('gets the remainder when they are the first who carries anything', () => {
    const stakes = [percentage(ben, 0), percentage(cleo, 3333), percentage(dora, 6667)]
    expect(shares(chargeFlight(flight({ payers: [ben, cleo, dora], stakes })))).toEqual([
      ['Cleo Park', 32270 - 21514],
      ['Dora Lind', 21514],
    ])
  })

  test('is refused unless the percentages total 100', () => {
    const stakes = [percentage(ben, 5000), percentage(cleo, 4999)]
    const bill = chargeFlight(flight({ payers: [ben, cleo], stakes }))
    expect(bill.problems.map(({ message }) => message)).toEqual([
      'payers: the percentages total 99.99, they must total 100',
    ])
    expect(bill.shares).toEqual([])
    expect(bill.lines.map(({ payer }) => payer)).toEqual([null, null])
    expect(bill.totalCents).toBe(32270)
  })
})

describe('a payer by own readings (§Reservations rule 4)', () => {
  test('pays the aircraft by the hours they flew and instruction in proportion', () => {
    // 0.35 and 1.00 of 1.35 h: $231.70 × 100/135 = 171.6296, $91.00 × 100/135 = 67.4074.
    const stakes = [flew(ben, 123450, 123485), flew(cleo, 123485, 123585)]
    expect(shares(chargeFlight(flight({ payers: [ben, cleo], stakes })))).toEqual([
      ['Ben Okafor', 23170 - 17162 + (9100 - 6740)],
      ['Cleo Park', 17162 + 6740],
    ])
  })

  test('is refused unless the readings add up to what the aircraft ran', () => {
    const stakes = [flew(ben, 123450, 123485), flew(cleo, 123485, 123580)]
    expect(chargeFlight(flight({ payers: [ben, cleo], stakes })).problems).toEqual([
      { field: 'payers', message: 'payers: the hobbs readings add up to 1.30 hours, the aircraft ran 1.35' },
    ])
  })

  test('is refused when no meter has the readings of everyone', () => {
    const byTach = {
      ...flew(cleo, 0, 0),
      hobbsOut: null,
      hobbsIn: null,
      tachOut: hundredths(98700),
      tachIn: hundredths(98814),
    }
    const stakes = [flew(ben, 123450, 123485), byTach]
    expect(chargeFlight(flight({ payers: [ben, cleo], stakes })).problems.map(({ message }) => message)).toEqual([
      'payers: give every payer’s hobbs readings, or use percentages',
    ])
  })

  test('pays by the meter that everyone read when that is not the one billed by', () => {
    const stakes = [flew(ben, 123450, 123485), flew(cleo, 123485, 123585)]
    const bill = chargeFlight(
      flight({ payers: [ben, cleo], stakes, resource: { ...resource, billByHobbsTime: false } }),
    )
    // $182.05 × 100/135 = 134.8518, $91.00 × 100/135 = 67.4074.
    expect(shares(bill)[1]).toEqual(['Cleo Park', 13485 + 6740])
  })
})

describe('a payer who is waived', () => {
  test('pays nothing, and the others carry the whole', () => {
    const bill = chargeFlight(flight({ payers: [ben, cleo, dora], stakes: [waived(ben)], settings: evenly() }))
    // $231.70 and $91.00 in halves.
    expect(shares(bill)).toEqual([
      ['Cleo Park', 11585 + 4550],
      ['Dora Lind', 11585 + 4550],
    ])
  })

  test('leaves the lead to the next payer', () => {
    expect(shares(chargeFlight(flight({ payers: [ben, cleo], stakes: [waived(ben)] })))).toEqual([['Cleo Park', 32270]])
  })

  test('can stand beside the percentages of the others', () => {
    const stakes = [waived(ben), percentage(cleo, 10_000)]
    expect(shares(chargeFlight(flight({ payers: [ben, cleo], stakes })))).toEqual([['Cleo Park', 32270]])
  })

  test('cannot be every payer', () => {
    const stakes = [waived(ben), waived(cleo)]
    expect(chargeFlight(flight({ payers: [ben, cleo], stakes })).problems[0]?.message).toMatch(/everyone is waived/)
  })
})

describe('a set of stakes (PUT /reservations/{id}/payers)', () => {
  test.each<[string, Stake[], string[]]>([
    ['one kind with a waiver', [percentage(ben, 5000), waived(cleo)], []],
    ['percentages that do not total yet', [percentage(ben, 100)], []],
    ['somebody who does not pay', [percentage(dora, 100)], ['payers.0']],
    ['one person twice', [percentage(ben, 50), percentage(ben, 50)], ['payers.1']],
    ['kinds that mix', [percentage(ben, 50), flew(cleo, 1, 2)], ['payers.1']],
    ['more than the whole', [percentage(ben, 10_001)], ['payers.0.percentage']],
    ['readings that run backwards', [flew(ben, 200, 100)], ['payers.0']],
    ['half a meter', [{ ...flew(ben, 1, 2), tachOut: hundredths(5) } as Stake], ['payers.0']],
    ['no readings', [{ ...flew(ben, 1, 2), hobbsIn: null } as Stake], ['payers.0']],
  ])('is validated as it is put: %s', (_name, stakes, fields) => {
    expect(checkStakes(stakes, [ben, cleo]).map(({ field }) => field)).toEqual(fields)
  })
})

describe('several charges split by one set of weights', () => {
  test('add up by charge and by payer, are never negative, and are the same each time', () => {
    const charges = fc.array(fc.integer({ min: 0, max: 10_000_000 }).map(cents), { maxLength: 4 })
    const weights = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(charges, weights, (amounts, by) => {
        const weight = by.reduce((a, b) => a + b, 0)
        fc.pre(weight > 0)
        const rows = splitCharges(amounts, by)
        const total = amounts.reduce<number>((a, b) => a + b, 0)
        const leader = by.findIndex((one) => one > 0)
        const columns = by.map((_, payer) => rows.reduce((sum, row) => sum + row[payer]!, 0))
        rows.forEach((row, charge) => {
          expect(row.reduce((a, b) => a + b, 0)).toBe(amounts[charge])
          expect(row.every((part) => part >= 0)).toBe(true)
        })
        columns.forEach((share, payer) => {
          const down = Number((BigInt(total) * BigInt(by[payer]!)) / BigInt(weight))
          if (payer !== leader && rows.length > 0) expect(share).toBe(down)
        })
        expect(splitCharges(amounts, by)).toEqual(rows)
      }),
    )
  })
})

describe('any bill', () => {
  test('has shares that add up to the total, and lines that add up to each share', () => {
    const people = [ben, cleo, dora]
    const stakes = fc.oneof(
      fc.constant([]),
      fc.constant([waived(ben)]),
      fc
        .tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 }))
        .map(([a, b]) => [percentage(ben, a), percentage(cleo, b), percentage(dora, 10_000 - a - b)]),
      fc
        .tuple(fc.integer({ min: 123450, max: 123585 }), fc.integer({ min: 123450, max: 123585 }))
        .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
        .map(([a, b]) => [flew(ben, 123450, a), flew(cleo, a, b), flew(dora, b, 123585)]),
    )
    const rate = fc.integer({ min: 0, max: 100_000 }).map(cents)
    const rule = fc.constantFrom('one_payer' as const, 'split_evenly' as const)
    fc.assert(
      fc.property(
        stakes,
        rate,
        rate,
        rule,
        rule,
        fc.nat(30).map(tenths),
        (put, wetRate, teaching, aircraft, instruction, briefing) => {
          const instructor = { name: 'Ana Ruiz', rates: { flight: teaching, ground: teaching, sim: null } }
          const settings = { ...flight().settings, chargeRules: { aircraft, instruction } }
          const charge = flight({
            payers: people,
            stakes: put,
            resource: { ...resource, wetRate },
            instructor,
            settings,
            briefing,
          })
          const bill = chargeFlight(charge)
          expect(bill.problems).toEqual([])
          expect(bill.shares.reduce((sum, share) => sum + share.amountCents, 0)).toBe(bill.totalCents)
          for (const { payer, amountCents } of bill.shares) {
            const own = bill.lines.filter((line) => line.payer === payer)
            expect(own.reduce((sum, line) => sum + line.amountCents, 0)).toBe(amountCents)
            expect(own.every((line) => line.amountCents > 0)).toBe(true)
          }
          expect(chargeFlight(charge)).toEqual(bill)
        },
      ),
    )
  })
})
