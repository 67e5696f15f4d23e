import type { FlightCharge, Payer } from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import { cents, hundredths, ZERO } from '../../../src/shared/platform/kernel/units.ts'
import { at } from '../scheduling/booking-facts.ts'

export const ben: Payer = { orgUserId: 2, guestId: null, name: 'Ben Okafor' }
export const cleo: Payer = { orgUserId: 3, guestId: null, name: 'Cleo Park' }
export const dora: Payer = { orgUserId: 4, guestId: null, name: 'Dora Lind' }

export const resource: NonNullable<FlightCharge['resource']> = {
  id: 1,
  name: 'N12345',
  kind: 'plane',
  zone: 'America/New_York',
  dryRate: cents(12000),
  wetRate: cents(16550),
  overnightMinimumTenths: null,
  billByHobbsTime: true,
}

/** Ben's dual with Ana: 1.35 Hobbs (1.4 billed), 1.14 tach (1.1 billed), no briefing. */
export function flight(over: Partial<FlightCharge> = {}): FlightCharge {
  return {
    type: 'dual',
    booked: { start: at('2026-06-02T10:00:00-04:00'), end: at('2026-06-02T12:00:00-04:00') },
    resource,
    readings: {
      hobbsOut: hundredths(123450),
      hobbsIn: hundredths(123585),
      tachOut: hundredths(98700),
      tachIn: hundredths(98814),
    },
    briefing: null,
    instructor: { name: 'Ana Ruiz', rates: { flight: cents(6500), ground: cents(5500), sim: cents(4500) } },
    payers: [ben],
    stakes: [],
    packages: [],
    taxExempt: [],
    locationId: null,
    settings: {
      aircraftRateKind: 'wet',
      overnightMinimumTenths: ZERO,
      chargeRules: { aircraft: 'one_payer', instruction: 'one_payer' },
      taxRates: [],
      currency: 'usd',
    },
    ...over,
  }
}
