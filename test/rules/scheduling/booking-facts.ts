import { modelKeysOf } from '../../../src/shared/fleet/resources/model-names.rules.ts'
import type { Side } from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import { type RoleFlags, roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import type {
  BookingFacts,
  BookingTimes,
  CurrencyFacts,
  MemberFacts,
  ResourceFacts,
  SeatFacts,
  SettingsFacts,
} from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { noOverrides } from '../../../src/shared/scheduling/rules/override.types.ts'

/** The problems of a booking. */
export const problemsOf = (given: BookingFacts) => judge(given).problems

/** An instant written as text. */
export const at = (text: string) => new Date(text)

/** A member's roles, the others off. */
export const roles = (...names: (keyof RoleFlags)[]): RoleFlags =>
  roleFlags(Object.fromEntries(names.map((name) => [name, true])))

const roleOfSide = { instructors: 'instructor', students: 'student', renters: 'renter', pilots: 'renter' } as const

/** Somebody free, current and approved, with the role that the side needs. */
export function member(
  side: Exclude<Side, 'guests'>,
  id: number,
  name: string,
  over: Partial<MemberFacts> = {},
): SeatFacts {
  const facts: MemberFacts = {
    roles: roles(roleOfSide[side]),
    grounded: false,
    groundedReason: null,
    groundedFor: 'all',
    approvals: [{ resourceId: null, make: 'Cessna', model: 'C172', expiresAt: null }],
    availability: [],
    timeOff: [],
    currencyRecords: [],
    documents: [],
    endorsements: [],
    ratings: null,
    inPart141: false,
    citizenshipVerified: true,
    billToId: null,
    billToName: null,
    cardDeclined: false,
    account: null,
    minimums: null,
    rates: { flight: null, ground: null, sim: null },
    signedFlights: [],
    regulated: new Map(),
    ...over,
  }
  return { side, orgUserId: id, guestId: null, name, member: facts, taken: [], training: [] }
}

export const guest = (id: number, name: string): SeatFacts => ({
  side: 'guests',
  orgUserId: null,
  guestId: id,
  name,
  member: null,
  taken: [],
  training: [],
})

export const plane = ({ make = 'Cessna', model = 'C172', ...over }: Partial<ResourceFacts> = {}): ResourceFacts => ({
  id: 7,
  locationId: 3,
  name: 'N12345',
  kind: 'plane',
  make,
  model,
  modelKeys: modelKeysOf({ make, model, endorsedAs: [], plain: false }),
  aircraft: { category: 'airplane', class: 'single_engine_land', type: null, tailwheel: false },
  complex: false,
  highPerformance: false,
  inspections: [],
  deferrals: [],
  coordinates: null,
  rates: { wet: null, dry: null },
  zone: 'America/New_York',
  flyingDayStartMinute: null,
  flyingDayEndMinute: null,
  grounded: false,
  groundedReason: null,
  taken: [],
  ...over,
})

export const settings = (over: Partial<SettingsFacts> = {}): SettingsFacts => ({
  flyingDayStartMinute: null,
  flyingDayEndMinute: null,
  aircraftApprovalRequired: false,
  overridesNeedPaper: false,
  approvalRequired: { student: false, renter: false },
  requiredDocuments: {},
  minimumBalanceCents: cents(0),
  aircraftRateKind: 'wet',
  taxRates: [],
  chargeRules: { aircraft: 'one_payer', instruction: 'one_payer' },
  currency: 'usd',
  bookingLimits: { student: null, renter: null, instructor: null, technician: null },
  rules: {},
  ...over,
})

/** A currency that blocks everyone, by a recorded date. */
export const currency = (over: Partial<CurrencyFacts> = {}): CurrencyFacts => ({
  id: 5,
  name: 'Medical',
  enforcement: 'block',
  liftedWhenSupervised: false,
  overridableBy: ['owner', 'admin'],
  appliesTo: 'everyone',
  roles: [],
  reservationTypes: [],
  resourceIds: [],
  requires: { kind: 'expiring' },
  ...over,
})

/** A booking's times on Tuesday 2 June 2026 in New York (UTC-4), 10:00–12:00 by default. */
export const times = (over: Partial<BookingTimes> = {}): BookingTimes => ({
  id: null,
  type: 'dual',
  start: at('2026-06-02T10:00:00-04:00'),
  end: at('2026-06-02T12:00:00-04:00'),
  zone: 'America/New_York',
  locationId: null,
  passengers: 0,
  ifr: false,
  lessonIds: [],
  ...over,
})

/** A dual flight without a problem: Ana teaches Ben on N12345, booked by a dispatcher the day before. */
export function facts(over: Partial<BookingFacts> = {}): BookingFacts {
  return {
    now: at('2026-06-01T12:00:00Z'),
    zone: 'America/New_York',
    actor: { orgUserId: 99, roles: roles('dispatcher') },
    booking: times(),
    seats: [member('instructors', 1, 'Ana Ruiz'), member('students', 2, 'Ben Okafor')],
    resource: plane(),
    settings: settings(),
    currencies: [],
    closures: [],
    offers: [],
    callerBookings: [],
    overrides: noOverrides,
    instrumentLessons: new Set(),
    crossCountryLessons: new Set(),
    weather: new Map(),
    ...over,
  }
}
