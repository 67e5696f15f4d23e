import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { deskStaff, hasRole, staff } from '../../../src/shared/platform/authz/roles.ts'
import { overridingRoles } from '../../../src/shared/platform/authz/rule-settings.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { noMinimums } from '../../../src/shared/qualification/minimums/minimums.rules.ts'
import { openingsAt } from '../../../src/shared/scheduling/openings/openings.rules.ts'
import type { BookingFacts, SeatFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { type Check, checksOf, judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { type CatalogueKey, ruleCatalogue } from '../../../src/shared/scheduling/rules/rule-catalogue.rules.ts'
import { at, currency, facts, member, plane, roles, settings, times } from './booking-facts.ts'

const lapsed = [{ currencyId: 5, expiresAt: at('2026-05-31T04:00:00Z') }]
const held = [{ currencyId: 5, expiresAt: null }]
const rita = (over: Parameters<typeof member>[3] = {}) => member('renters', 3, 'Rita Lange', over)
const ana = (over: Parameters<typeof member>[3] = {}) => member('instructors', 1, 'Ana Ruiz', over)
const away = [{ start: at('2026-06-02T00:00:00-04:00'), end: at('2026-06-03T00:00:00-04:00') }]

type ConfigurableKey = {
  [Key in CatalogueKey]: (typeof ruleCatalogue)[Key]['settings'] extends null ? never : Key
}[CatalogueKey]

type Over = Partial<Omit<BookingFacts, 'settings'>> & { settings?: Parameters<typeof settings>[0] }

/** A rental of Rita alone, in the way of one rule. */
interface Case {
  met: Over
  unmet: Over
  /** The same with an instructor who has nothing to do with it; null for a rule of flights that have none. */
  supervised: Over | null
  byDefault: 'block' | 'warn' | 'off'
}

const medicals = { requiredDocuments: { renter: ['medical'] } }
const annualDue = (dueAt: string) => ({
  id: 1,
  name: 'Annual',
  grounding: false,
  scope: 'all' as const,
  limits: [{ basis: 'calendar' as const, dueAt: at(dueAt), due: null, reads: null }],
})
const overdue = plane({ inspections: [annualDue('2026-06-01T03:59:59.999Z')] })
const signed = (...codes: string[]) =>
  codes.map((code) => ({ code, makeAndModel: 'Cessna C172', expiresAt: null as Date | null }))
const solo = (endorsements: ReturnType<typeof signed>) => ({
  booking: times({ type: 'solo' }),
  seats: [member('students', 2, 'Ben Okafor', { endorsements })],
})

const holding = (grade: string) => ({
  pilot: { grade, ratings: ['ASEL'] },
  instructor: null,
  loggedBefore: [],
  hours: [],
  endorsed: [],
  logged: [],
})

const lesson = (over: Parameters<typeof member>[3], others: SeatFacts[] = [ana()]) => ({
  booking: times({ type: 'dual' }),
  seats: [...others, member('students', 2, 'Ben Okafor', over)],
})

const asRita = { actor: { orgUserId: 3, roles: roles('renter') } }
const limitedTo = (maxMinutes: number) => ({
  bookingLimits: { student: null, renter: { maxMinutes }, instructor: { maxMinutes }, technician: { maxMinutes } },
})

/** Ana, who gives so many hours of flight training right after the rental of two hours. */
const taught = (hours: number): SeatFacts => {
  const start = times().end
  const training = [{ reservationId: 31, start, end: new Date(start.getTime() + hours * 3_600_000) }]
  return { ...ana(), training }
}

/** Everything is closed between two hours of the day of the rental. */
const closure = (from: number, to: number) => ({
  reason: 'Fly-in',
  locationId: null,
  resourceId: null,
  start: at(`2026-06-02T${from}:00:00-04:00`),
  end: at(`2026-06-02T${to}:00:00-04:00`),
})

/** Two hours at 120.00: 240.00. */
const priced = plane({ rates: { wet: cents(12_000), dry: cents(9_000) } })

/** The reports an hour before the rental, at 09:00: a ceiling of so many feet. */
const weatherWith = (ceiling: number) => {
  const wind = { degrees: 280, knots: 8, gustKnots: null }
  const visibility = { statuteMiles: 10, bound: null }
  const sky = { clouds: [{ cover: 'OVC' as const, baseFeet: ceiling }], skyKnown: true, verticalVisibility: null }
  const known = { temperatureCelsius: 18, dewPointCelsius: 11, altimeterHectopascals: 1017 }
  const observedAt = at('2026-06-02T08:53:00-04:00')
  const observation = { observedAt, wind, visibility, weather: [], ...sky, ...known }
  return {
    now: at('2026-06-02T09:00:00-04:00'),
    weather: new Map([[3, { station: 'KHWD', observation, forecast: null }]]),
  }
}
const limits = { minimums: { ...noMinimums, ceilingFeet: 3_000 } }

const cases: Record<ConfigurableKey, Case> = {
  citizenship: {
    met: lesson({ citizenshipVerified: true }),
    unmet: lesson({ citizenshipVerified: false }),
    supervised: lesson({ citizenshipVerified: false }, [ana()]),
    byDefault: 'off',
  },
  pilot_minimums: {
    met: { ...weatherWith(3_000), seats: [rita(limits)] },
    unmet: { ...weatherWith(2_900), seats: [rita(limits)] },
    supervised: { ...weatherWith(2_900), seats: [ana(), rita(limits)] },
    byDefault: 'off',
  },
  payment_declined: {
    met: { seats: [rita()] },
    unmet: { seats: [rita({ cardDeclined: true })] },
    supervised: { seats: [ana(), rita({ cardDeclined: true })] },
    byDefault: 'warn',
  },
  minimum_balance: {
    met: { resource: priced, seats: [rita({ account: { balance: cents(24_000), packages: [], taxExempt: false } })] },
    unmet: { resource: priced, seats: [rita({ account: { balance: cents(23_999), packages: [], taxExempt: false } })] },
    supervised: {
      resource: priced,
      seats: [ana(), rita({ account: { balance: cents(23_999), packages: [], taxExempt: false } })],
    },
    byDefault: 'off',
  },
  booking_limits: {
    met: { ...asRita, settings: limitedTo(120) },
    unmet: { ...asRita, settings: limitedTo(119) },
    supervised: null,
    byDefault: 'block',
  },
  endorsement: {
    met: solo(signed('A.3', 'A.4', 'A.6')),
    unmet: solo(signed('A.3', 'A.4')),
    supervised: null,
    byDefault: 'warn',
  },
  pilot_rating: {
    met: { seats: [rita({ ratings: holding('private') })] },
    unmet: { seats: [rita({ ratings: holding('student') })] },
    supervised: null,
    byDefault: 'warn',
  },
  closed_period: {
    met: { closures: [closure(12, 20)] },
    unmet: { closures: [closure(11, 20)] },
    supervised: { closures: [closure(11, 20)], seats: [ana(), rita()] },
    byDefault: 'block',
  },
  instructor_duty: {
    met: { seats: [taught(6), rita()] },
    unmet: { seats: [taught(6.5), rita()] },
    supervised: null,
    byDefault: 'warn',
  },
  inspection_due: {
    met: { resource: plane({ inspections: [annualDue('2026-07-01T03:59:59.999Z')] }) },
    unmet: { resource: overdue },
    supervised: { resource: overdue, seats: [ana(), rita()] },
    byDefault: 'warn',
  },
  documents: {
    met: {
      settings: medicals,
      seats: [rita({ documents: [{ category: 'medical', expiresAt: null, verified: true }] })],
    },
    unmet: { settings: medicals },
    supervised: { settings: medicals, seats: [ana(), rita()] },
    byDefault: 'warn',
  },
  opening_hours: {
    byDefault: 'block',
    met: { settings: { flyingDayStartMinute: 480, flyingDayEndMinute: 1200 } },
    unmet: { settings: { flyingDayStartMinute: 720, flyingDayEndMinute: 1200 } },
    supervised: { settings: { flyingDayStartMinute: 720, flyingDayEndMinute: 1200 }, seats: [ana(), rita()] },
  },
  availability: {
    byDefault: 'block',
    met: {},
    unmet: { seats: [rita({ timeOff: away })] },
    supervised: { seats: [ana(), rita({ timeOff: away })] },
  },
  aircraft_approval: {
    byDefault: 'block',
    met: { settings: { aircraftApprovalRequired: true } },
    unmet: { settings: { aircraftApprovalRequired: true }, seats: [rita({ approvals: [] })] },
    supervised: {
      settings: { aircraftApprovalRequired: true },
      seats: [ana({ approvals: [] }), rita({ approvals: [] })],
    },
  },
}

function rental({ settings: own, ...over }: Over): BookingFacts {
  const rented = { booking: times({ type: 'rental' }), seats: [rita()], settings: settings(own) }
  return facts({ ...rented, ...over })
}

/** What the rules find, and whether a search for openings offers the slot. */
function outcomeOf(given: BookingFacts) {
  const { problems, warnings } = judge(given)
  const { seats, resource, ...base } = given
  const [opening] = openingsAt({ ...base, choices: [{ resource, crews: [seats] }] }, given.booking.start)
  expect(opening?.warnings ?? null).toEqual(problems.length > 0 ? null : warnings)
  return { problems: problems.map(({ rule }) => rule), warnings: warnings.map(({ rule }) => rule) }
}

describe.each(Object.entries(cases))('the rule %s, in a booking and in a search for openings', (key, given) => {
  const found = [key]
  const set = (over: Over, rule: object): BookingFacts =>
    rental({ ...over, settings: { ...over.settings, rules: { [key]: rule } } })

  test('finds nothing when it is met', () => {
    expect(outcomeOf(set(given.met, { enforcement: 'block' }))).toEqual({ problems: [], warnings: [] })
  })

  test('is asked by its default', () => {
    const asked = { block: { problems: found, warnings: [] }, warn: { problems: [], warnings: found } }
    const none = { problems: [], warnings: [] }
    expect(outcomeOf(rental(given.unmet))).toEqual(given.byDefault === 'off' ? none : asked[given.byDefault])
  })

  test('finds nothing when it is off', () => {
    expect(outcomeOf(set(given.unmet, { enforcement: 'off' }))).toEqual({ problems: [], warnings: [] })
  })

  test('warns', () => {
    expect(outcomeOf(set(given.unmet, { enforcement: 'warn' }))).toEqual({ problems: [], warnings: found })
  })

  test('blocks', () => {
    expect(outcomeOf(set(given.unmet, { enforcement: 'block' }))).toEqual({ problems: found, warnings: [] })
  })

  test('is judged alike for every caller, apart from the remedy, unless its check depends on the caller', () => {
    const facts = set(given.unmet, { enforcement: 'block' })
    const foundFor = (check: Check, role: (typeof overridingRoles)[number] | 'student') =>
      check.find({ ...facts, actor: { orgUserId: 98, roles: roles(role) } }).map(({ fix: _, ...finding }) => finding)
    for (const check of checksOf(facts).filter(({ dependsOnCaller }) => !dependsOnCaller)) {
      expect(foundFor(check, 'student'), check.key).toEqual(foundFor(check, 'dispatcher'))
    }
  })

  // The desk has no limits, and nobody else overrides their own.
  const asked = overridingRoles.filter((role) => key !== 'booking_limits' || !hasRole(roles(role), deskStaff))
  test.each(asked)('is overridden by its roles alone: %s', (role) => {
    const actor = given.unmet.actor
      ? { ...given.unmet.actor, roles: roles('renter', role) }
      : { orgUserId: 99, roles: roles(role) }
    const overrides = { given: [{ rule: key, orgUserId: null, reason: 'Agreed by phone' }], kept: [] }
    const judged = judge(set({ ...given.unmet, actor, overrides }, { enforcement: 'block' }))
    const { settings: own, ...rule } = ruleCatalogue[key as ConfigurableKey]
    const may = (own.overridableBy as readonly string[]).includes(role) && key !== 'booking_limits'
    // Who may not know of a person what stands against them is not told by the refusal of an override either.
    const hidden = 'personal' in rule && !hasRole(actor.roles, staff) && key !== 'booking_limits'
    expect(judged.denied).toEqual(may || hidden ? [] : found)
    expect(judged.overridden.map((one) => one.rule)).toEqual(may ? found : [])
    expect(judged.problems.some((one) => one.rule === 'eligibility')).toBe(hidden)
  })

  test('counts as met under an override that was kept', () => {
    const { booking, resource } = rental(given.unmet)
    const about = judge(set(given.unmet, { enforcement: 'block' })).problems[0]?.orgUserId ?? null
    const stored = { rule: key as CatalogueKey, orgUserId: about, resourceId: resource!.id, startsAt: booking.start }
    const kept = { ...stored, reason: 'Agreed', by: { orgUserId: 9, name: 'Olga' }, at: booking.start }
    const overrides = { given: [], kept: [kept] }
    expect(judge(set({ ...given.unmet, overrides }, { enforcement: 'block' }))).toMatchObject({
      problems: [],
      warnings: [],
      denied: [],
      overridden: [{ rule: key, override: kept }],
    })
  })
})

test.each([
  ['type_not_allowed', { booking: times({ type: 'maintenance' }) }],
  ['booking_shape', { now: times().end }],
  ['person_grounded', { seats: [rita({ grounded: true, groundedReason: 'Medical' })] }],
] as const)('the check %s depends on the caller, and says so', (key, over) => {
  const facts = rental(over)
  const checks = checksOf(facts).filter((check) => check.key === key)
  const foundFor = (check: Check, role: 'renter' | 'dispatcher') =>
    check.find({ ...facts, actor: { orgUserId: 98, roles: roles(role) } })
  const differ = checks.filter((check) => !isDeepStrictEqual(foundFor(check, 'renter'), foundFor(check, 'dispatcher')))
  expect(differ.map(({ dependsOnCaller }) => dependsOnCaller)).toEqual([true])
})

const lifting = Object.entries(cases).flatMap(([key, { supervised }]) =>
  supervised ? [[key, supervised] as const] : [],
)

test.each(lifting)(
  'the rule %s is lifted by an instructor aboard where the organization says so',
  (key, supervised) => {
    const set = (liftedWhenSupervised: boolean) =>
      rental({
        ...supervised,
        settings: { ...supervised.settings, rules: { [key]: { liftedWhenSupervised, enforcement: 'block' } } },
      })
    expect(outcomeOf(set(true))).toEqual({ problems: [], warnings: [] })
    expect(outcomeOf(set(false))).toEqual({ problems: [key], warnings: [] })
  },
)

describe('a currency as a rule (§Reservations rule 6)', () => {
  const of = (rule: Parameters<typeof currency>[0], over: Partial<BookingFacts>) =>
    outcomeOf(facts({ booking: times({ type: 'rental' }), currencies: [currency(rule)], ...over }))
  const alone = { seats: [rita({ currencyRecords: lapsed })] }
  const withAna = (records: typeof held | typeof lapsed) => ({
    seats: [ana({ currencyRecords: records }), rita({ currencyRecords: lapsed })],
  })
  const none = { problems: [], warnings: [] }
  const refused = { problems: ['currency:5'], warnings: [] }

  test.each([
    ['met', {}, { seats: [rita({ currencyRecords: held })] }, none],
    ['off', { enforcement: 'off' }, alone, none],
    ['warns', { enforcement: 'warn' }, alone, { problems: [], warnings: ['currency:5'] }],
    ['blocks', { enforcement: 'block' }, alone, refused],
    ['is lifted from the renter', { liftedWhenSupervised: true }, withAna(held), none],
    ['is never lifted from the instructor', { liftedWhenSupervised: true }, withAna(lapsed), refused],
    ['is asked of everyone unless it is lifted', {}, withAna(held), refused],
    ['is asked of the pilot alone', { appliesTo: 'pic' }, alone, refused],
    ['is asked of the instructor as pilot', { appliesTo: 'pic' }, withAna(held), none],
    ['is asked of an instructor who is not current', { appliesTo: 'pic' }, withAna(lapsed), refused],
  ] as const)('%s', (_name, rule, over, expected) => {
    expect(of(rule, over)).toEqual(expected)
  })

  test('of a passenger is not asked when it applies to the pilot', () => {
    const passenger = member('renters', 4, 'Paul Lange', { currencyRecords: lapsed })
    const seats = [rita({ currencyRecords: held }), passenger]
    expect(of({ appliesTo: 'pic' }, { seats })).toEqual(none)
    expect(of({ appliesTo: 'everyone' }, { seats })).toEqual(refused)
  })
})

describe('which rule binds which booking (14 CFR 61.3(c), 61.56(c), 61.23(a))', () => {
  const types = ['rental', 'shared', 'dual', 'guest'] as const
  const review = currency({ name: 'Flight review', appliesTo: 'pic', reservationTypes: types, id: 6 })
  const medical = currency({ name: 'Medical', appliesTo: 'pic', reservationTypes: ['solo', ...types] })
  const approved = settings({ aircraftApprovalRequired: true })
  const both = { currencyRecords: [5, 6].map((currencyId) => ({ currencyId, expiresAt: null })) }
  const reviewOf = (date: string) => ({
    currencyRecords: [held[0]!, { currencyId: 6, expiresAt: at(`${date}T04:00:00Z`) }],
  })
  const ben = (over: Parameters<typeof member>[3] = {}) => member('students', 2, 'Ben Okafor', over)
  const reviewed = { currencyRecords: [{ currencyId: 6, expiresAt: null }] }
  const pat = { ...member('renters', 4, 'Pat Vance'), index: 1 }
  const onFirst = { start: at('2026-06-01T10:00:00-04:00'), end: at('2026-06-01T12:00:00-04:00') }

  test.each([
    ['ground lesson, student without a medical', 'ground', [ana(both), ben()], 'room', []],
    ['dual, student without medical and review, instructor with both', 'dual', [ana(both), ben()], 'plane', []],
    [
      'renter’s review ended on 31 May, rental on 1 June',
      'rental',
      [rita(reviewOf('2026-06-01'))],
      'plane',
      ['currency:6'],
    ],
    ['same renter with an instructor as pilot', 'rental', [ana(both), rita(reviewOf('2026-06-01'))], 'plane', []],
    ['solo of a student without a review', 'solo', [ben({ currencyRecords: held })], 'plane', []],
    ['student not approved on the tail, dual', 'dual', [ana(both), ben({ ...both, approvals: [] })], 'plane', []],
    ['the same, solo', 'solo', [ben({ ...both, approvals: [] })], 'plane', ['aircraft_approval']],
    ['solo of a student without a medical', 'solo', [ben()], 'plane', ['currency:5']],
    ['instructor without a medical on dual', 'dual', [ana(reviewed), ben()], 'plane', ['currency:5']],
    ['instructor without anything on dual', 'dual', [ana(), ben(both)], 'plane', ['currency:5', 'currency:6']],
    ['simulator without an instructor', 'sim', [ben()], 'simulator', []],
    ['renter with both, and a passenger who has neither', 'rental', [rita(both), pat], 'plane', []],
  ] as const)('%s', (_name, type, seats, kind, expected) => {
    const given = facts({
      booking: times({ type, ...onFirst }),
      now: at('2026-05-30T12:00:00Z'),
      seats,
      resource: plane({ kind }),
      settings: approved,
      currencies: [medical, review],
    })
    expect(judge(given).problems.map(({ rule }) => rule)).toEqual(expected)
  })
})

describe('what a rule finds', () => {
  const lapsedRental = (actor: BookingFacts['actor'], over: Parameters<typeof currency>[0] = {}) =>
    judge(
      rental({
        actor,
        seats: [rita({ currencyRecords: lapsed })],
        currencies: [currency({ appliesTo: 'pic', ...over })],
      }),
    )
  const by = (role: Parameters<typeof roles>[0], orgUserId = 99) => ({ orgUserId, roles: roles(role) })

  test('can be overridden by the roles that the rule names, and by admins alone when it is about oneself', () => {
    const overridable = (actor: BookingFacts['actor'], overridableBy: readonly ('admin' | 'dispatcher')[]) =>
      lapsedRental(actor, { overridableBy }).problems.map((problem) => problem.overridable)
    expect(overridable(by('admin'), ['admin'])).toEqual([true])
    expect(overridable(by('dispatcher'), ['admin'])).toEqual([false])
    expect(overridable(by('dispatcher'), ['dispatcher'])).toEqual([true])
    expect(overridable(by('dispatcher', 3), ['dispatcher'])[0]).toBe(false)
    expect(overridable(by('admin', 3), ['admin'])[0]).toBe(true)
    expect(lapsedRental(by('admin'), { enforcement: 'warn' }).warnings[0]?.overridable).toBe(false)
  })

  test('says what would cure it: an instructor aboard, or a newer date that staff record', () => {
    const { problems } = lapsedRental(by('dispatcher'))
    expect(problems[0]?.fix).toEqual({
      action: 'book_with_instructor',
      text: 'Book it with an instructor aboard.',
    })
    const text = 'Record a newer date of Medical.'
    expect(lapsedRental(by('dispatcher'), { appliesTo: 'everyone' }).problems[0]?.fix).toEqual({
      action: 'record_currency',
      currencyId: 5,
      orgUserId: 3,
      text,
    })
    expect(lapsedRental(by('renter', 3), { appliesTo: 'everyone' }).problems[0]?.fix).toBeUndefined()
  })

  test('is hidden in warnings as in problems, and told once', () => {
    const actor = by('renter', 4)
    const warning = currency({ enforcement: 'warn' })
    const seats = [rita({ currencyRecords: lapsed }), member('renters', 4, 'Paul Lange', { currencyRecords: held })]
    const hidden = { rule: 'eligibility', code: 'NOT_ELIGIBLE', orgUserId: 3, overridable: false }
    const warned = judge(rental({ actor, seats, currencies: [warning] }))
    expect(warned).toMatchObject({
      problems: [],
      warnings: [{ ...hidden, message: 'Rita Lange cannot be booked for this' }],
    })
    expect(warned.warnings[0]).not.toHaveProperty('fix')
    const both = judge(rental({ actor, seats, currencies: [warning, currency({ id: 6 })] }))
    expect(both.problems.filter(({ orgUserId }) => orgUserId === 3)).toMatchObject([hidden])
    expect(both.warnings).toEqual([])
  })
})

describe('a fixed rule', () => {
  test('blocks whatever is stored for it', () => {
    const fixed = Object.entries(ruleCatalogue).filter(([, { settings: own }]) => own === null)
    const rules = Object.fromEntries(fixed.map(([key]) => [key, { enforcement: 'off' as const }]))
    const seats = [ana({ grounded: true }), member('students', 2, 'Ben Okafor')]
    const { problems } = judge(facts({ seats, resource: plane({ grounded: true }), settings: settings({ rules }) }))
    expect(problems.map(({ rule }) => rule)).toEqual(['resource_grounded', 'person_grounded'])
  })
})
