import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forbidsBooking } from '../../../src/shared/scheduling/rules/booking.rules.ts'
import type { BookingFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { at, currency, facts, member, plane, problemsOf, roles, settings, times } from './booking-facts.ts'

const codes = (over: Partial<BookingFacts>) => problemsOf(facts(over)).map(({ code }) => code)
const messages = (over: Partial<BookingFacts>) => problemsOf(facts(over)).map(({ message }) => message)
const ben = (over: Parameters<typeof member>[3]) => ({
  seats: [member('instructors', 1, 'Ana Ruiz'), member('students', 2, 'Ben Okafor', over)],
})

describe('a booking that no rule is against (§Reservations)', () => {
  test('is accepted', () => {
    expect(problemsOf(facts())).toEqual([])
  })
})

describe('clashes (§Reservations rule 2)', () => {
  const taken = [{ reservationId: 12, start: at('2026-06-02T11:00:00-04:00'), end: at('2026-06-02T13:30:00-04:00') }]

  test('name the resource and the other booking', () => {
    expect(problemsOf(facts({ resource: plane({ taken }) }))).toEqual([
      {
        rule: 'resource_clash',
        code: 'RESOURCE_CLASH',
        overridable: false,
        field: 'resource',
        message: 'N12345 is already booked 11:00–13:30 (reservation 12)',
        resourceId: 7,
        reservationId: 12,
      },
    ])
  })

  test('name the person and the other booking, with the dates when it is of another day', () => {
    const overnight = {
      reservationId: 13,
      start: at('2026-06-01T22:00:00-04:00'),
      end: at('2026-06-02T10:30:00-04:00'),
    }
    const seats = [member('instructors', 1, 'Ana Ruiz'), { ...member('students', 2, 'Ben Okafor'), taken: [overnight] }]
    expect(problemsOf(facts({ seats }))).toEqual([
      {
        rule: 'person_clash',
        code: 'PERSON_CLASH',
        overridable: false,
        field: 'personnel.students',
        message: 'Ben Okafor is already booked 2026-06-01 22:00–2026-06-02 10:30 (reservation 13)',
        orgUserId: 2,
        reservationId: 13,
      },
    ])
  })

  test('name the request that holds a person', () => {
    const held = { start: at('2026-06-01T11:00:00-04:00'), end: at('2026-06-03T11:00:00-04:00'), reservationId: null }
    const seats = [{ ...member('instructors', 1, 'Ana Ruiz'), taken: [held] }]
    expect(problemsOf(facts({ seats }))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'PERSON_CLASH',
          message: expect.stringMatching(/^Ana Ruiz is already booked .* \(held by a booking request\)$/),
        }),
      ]),
    )
  })

  test('are answered all at once, for everyone and everything', () => {
    const seats = [
      { ...member('instructors', 1, 'Ana Ruiz'), taken },
      { ...member('students', 2, 'Ben Okafor', { grounded: true, groundedReason: 'medical' }), taken },
    ]
    expect(messages({ resource: plane({ taken, grounded: true }), seats })).toEqual([
      'N12345 is already booked 11:00–13:30 (reservation 12)',
      'Ana Ruiz is already booked 11:00–13:30 (reservation 12)',
      'Ben Okafor is already booked 11:00–13:30 (reservation 12)',
      'N12345 is grounded',
      'Ben Okafor is grounded: medical',
    ])
  })

  test('ignore the booking that is moved, and include a slot held by a request', () => {
    expect(codes({ booking: times({ id: 12 }), resource: plane({ taken }) })).toEqual([])
    const held = [{ ...taken[0]!, reservationId: null }]
    expect(messages({ resource: plane({ taken: held }) })).toEqual([
      'N12345 is already booked 11:00–13:30 (held by a booking request)',
    ])
  })

  test('are never back to back, and always when a moment is shared', () => {
    const hour = fc.integer({ min: 0, max: 10_000 })
    const length = fc.integer({ min: 1, max: 100 })
    fc.assert(
      fc.property(hour, length, length, fc.integer({ min: 0, max: 100 }), (start, mine, theirs, shared) => {
        const minute = (n: number) => new Date(1_800_000_000_000 + n * 60_000)
        const overlap = Math.min(shared, mine, theirs)
        const booking = times({ start: minute(start), end: minute(start + mine) })
        const after = start + mine - overlap
        const other = [{ reservationId: 1, start: minute(after), end: minute(after + theirs) }]
        const expected = overlap === 0 ? [] : ['RESOURCE_CLASH']
        const now = minute(start)
        expect(codes({ now, booking, resource: plane({ taken: other }) })).toEqual(expected)
      }),
    )
  })
})

describe('availability (§Reservations rule 6)', () => {
  const tuesday = (startMinute: number, endMinute: number) => ({ dayOfWeek: 2, startMinute, endMinute })

  test.each([
    ['no pattern', [], []],
    ['one item that covers it', [tuesday(600, 720)], []],
    ['two adjoining items', [tuesday(540, 660), tuesday(660, 780)], []],
    ['a gap of a minute', [tuesday(540, 660), tuesday(661, 780)], ['NOT_AVAILABLE']],
    ['an end before the booking ends', [tuesday(540, 719)], ['NOT_AVAILABLE']],
    ['another day', [{ dayOfWeek: 3, startMinute: 0, endMinute: 1440 }], ['NOT_AVAILABLE']],
  ])('covers a booking by its items: %s', (_name, availability, expected) => {
    expect(codes(ben({ availability }))).toEqual(expected)
  })

  test('joins items across midnight', () => {
    const booking = times({ start: at('2026-06-02T22:00:00-04:00'), end: at('2026-06-03T02:00:00-04:00') })
    const night = [tuesday(1200, 1440), { dayOfWeek: 3, startMinute: 0, endMinute: 120 }]
    expect(codes({ booking, ...ben({ availability: night }) })).toEqual([])
    expect(codes({ booking, ...ben({ availability: night.slice(0, 1) }) })).toEqual(['NOT_AVAILABLE'])
  })

  test('is read in the organization’s zone, wherever the booking was made', () => {
    const elsewhere = { booking: times({ zone: 'Europe/Berlin' }) }
    expect(codes({ ...elsewhere, ...ben({ availability: [tuesday(600, 720)] }) })).toEqual([])
    expect(messages({ ...elsewhere, ...ben({ availability: [tuesday(960, 1080)] }) })).toEqual([
      'Ben Okafor is not available 16:00–18:00',
    ])
  })

  test('holds its wall times on the day the clocks change', () => {
    // Sunday 8 March 2026: 03:00 EDT is 07:00Z, an hour less into the day than usual.
    const sunday = { dayOfWeek: 7, startMinute: 180, endMinute: 300 }
    const booking = times({ start: at('2026-03-08T07:00:00Z'), end: at('2026-03-08T09:00:00Z') })
    expect(codes({ booking, ...ben({ availability: [sunday] }) })).toEqual([])
  })

  test('does not allow a booking during time off', () => {
    const timeOff = [{ start: at('2026-06-02T11:00:00-04:00'), end: at('2026-06-04T00:00:00-04:00') }]
    expect(messages(ben({ timeOff }))).toEqual(['Ben Okafor is away 2026-06-02 11:00–2026-06-04 00:00'])
    const before = [{ start: at('2026-06-02T08:00:00-04:00'), end: at('2026-06-02T10:00:00-04:00') }]
    expect(codes(ben({ timeOff: before }))).toEqual([])
  })
})

describe('flying-day hours (§User and organization)', () => {
  const school = { settings: settings({ flyingDayStartMinute: 480, flyingDayEndMinute: 1200 }) }
  const from = (start: string, end: string) => ({ booking: times({ start: at(start), end: at(end) }) })

  test.each([
    ['within', '2026-06-02T08:00:00-04:00', '2026-06-02T20:00:00-04:00', []],
    ['before opening', '2026-06-02T07:59:00-04:00', '2026-06-02T10:00:00-04:00', ['start']],
    ['after closing', '2026-06-02T19:00:00-04:00', '2026-06-02T20:01:00-04:00', ['end']],
    ['overnight, out and back within hours', '2026-06-02T19:00:00-04:00', '2026-06-03T08:30:00-04:00', []],
    ['overnight, back as it opens', '2026-06-02T19:00:00-04:00', '2026-06-03T08:00:00-04:00', []],
    ['overnight, back too early', '2026-06-02T19:00:00-04:00', '2026-06-03T07:59:00-04:00', ['end']],
    ['out and back at night', '2026-06-02T21:00:00-04:00', '2026-06-03T00:00:00-04:00', ['start', 'end']],
  ])('bind a booking: %s', (_name, start, end, fields) => {
    expect(problemsOf(facts({ ...school, ...from(start, end) })).map(({ code, field }) => [code, field])).toEqual(
      fields.map((field) => ['OUTSIDE_HOURS', field]),
    )
  })

  test('are the resource’s own when it has a pair, read in the zone of the resource', () => {
    // 10:00–12:00 in New York is 07:00–09:00 in Los Angeles.
    const resource = plane({ flyingDayStartMinute: 480, flyingDayEndMinute: 1320, zone: 'America/Los_Angeles' })
    expect(messages({ ...school, resource })).toEqual(['N12345 is open 08:00–22:00 (America/Los_Angeles)'])
    expect(codes({ ...school, resource: { ...resource, flyingDayStartMinute: 420 } })).toEqual([])
  })

  test('may run to the end of the day and past midnight', () => {
    const late = from('2026-06-02T22:00:00-04:00', '2026-06-03T00:00:00-04:00')
    const toMidnight = settings({ flyingDayStartMinute: 480, flyingDayEndMinute: 1440 })
    const pastMidnight = settings({ flyingDayStartMinute: 1080, flyingDayEndMinute: 120 })
    expect(codes({ ...late, settings: toMidnight })).toEqual([])
    expect(codes({ ...late, settings: pastMidnight })).toEqual([])
    expect(codes({ settings: pastMidnight })).toEqual(['OUTSIDE_HOURS', 'OUTSIDE_HOURS'])
  })

  test('do not bind maintenance', () => {
    const booking = times({
      type: 'maintenance',
      start: at('2026-06-02T03:00:00-04:00'),
      end: at('2026-06-02T05:00:00-04:00'),
    })
    expect(codes({ ...school, booking, seats: [] })).toEqual([])
  })
})

describe('grounding (§Reservations rules 2 and 6)', () => {
  test('leaves a grounded aircraft to maintenance', () => {
    const resource = plane({ grounded: true, groundedReason: 'annual due' })
    expect(problemsOf(facts({ resource }))).toEqual([
      {
        rule: 'resource_grounded',
        code: 'RESOURCE_GROUNDED',
        overridable: false,
        message: 'N12345 is grounded: annual due',
        field: 'resource',
        resourceId: 7,
      },
    ])
    expect(codes({ resource, booking: times({ type: 'maintenance' }), seats: [] })).toEqual([])
  })

  test('keeps a grounded person off every seat', () => {
    expect(codes(ben({ grounded: true }))).toEqual(['PERSON_GROUNDED'])
  })

  const pic = { grounded: true, groundedFor: 'pic' } as const

  test.each([
    [
      'a student with an instructor',
      'dual',
      [member('instructors', 1, 'Ana Ruiz'), member('students', 2, 'Ben', pic)],
      [],
    ],
    ['the instructor', 'dual', [member('instructors', 1, 'Ana Ruiz', pic), member('students', 2, 'Ben')], ['Ana Ruiz']],
    ['a student alone', 'solo', [member('students', 2, 'Ben', pic)], ['Ben']],
    ['the first renter', 'rental', [member('renters', 2, 'Ben', pic), member('renters', 3, 'Rita')], ['Ben']],
    ['the second renter', 'rental', [member('renters', 2, 'Ben'), member('renters', 3, 'Rita', pic)], []],
    ['a supervised renter', 'rental', [member('renters', 2, 'Ben', pic), member('instructors', 1, 'Ana Ruiz')], []],
    ['the first pilot', 'shared', [member('pilots', 2, 'Ben', pic), member('pilots', 3, 'Rita')], ['Ben']],
    ['the second pilot', 'shared', [member('pilots', 2, 'Ben'), member('pilots', 3, 'Rita', pic)], []],
    [
      'a student on the ground',
      'ground',
      [member('instructors', 1, 'Ana Ruiz'), member('students', 2, 'Ben', pic)],
      [],
    ],
    ['an instructor on the ground', 'ground', [member('instructors', 1, 'Ana Ruiz', pic)], []],
  ] as const)('keeps %s who is grounded as pilot in command off %s only as such', (_who, type, seats, names) => {
    const all = messages({ booking: times({ type }), seats: [...seats] })
    expect(all.filter((one) => one.endsWith('is grounded'))).toEqual(names.map((name) => `${name} is grounded`))
  })
})

describe('aircraft approvals (§User and organization)', () => {
  const required = { settings: settings({ aircraftApprovalRequired: true }) }

  const no = { approvals: [] }
  const student = member('students', 2, 'Ben Okafor', no)
  const [renter, passenger] = [member('renters', 3, 'Rita Lange', no), member('renters', 4, 'Paul Lange', no)]
  const [pilot, other] = [member('pilots', 3, 'Rita Lange', no), member('pilots', 4, 'Paul Lange', no)]
  const teacher = member('pilots', 5, 'Ivan Petrov', { ...no, roles: roles('instructor') })
  const ana = member('instructors', 1, 'Ana Ruiz', no)

  test.each([
    ['the student of a solo', 'solo', [student], ['Ben Okafor']],
    ['the first renter of a rental, not their passenger', 'rental', [renter, passenger], ['Rita Lange']],
    ['the first pilot of a shared flight', 'shared', [pilot, other], ['Rita Lange']],
    ['not a pilot who is an instructor', 'shared', [teacher, other], []],
    ['nobody on dual', 'dual', [ana, student], []],
    ['nobody on a rental with an instructor, who lifts it', 'rental', [ana, renter], []],
  ] as const)('are required of whoever would be pilot in command: %s', (_name, type, seats, names) => {
    const asked = { ...required, booking: times({ type }), seats }
    expect(messages(asked)).toEqual(names.map((name) => `${name} is not approved on N12345`))
    expect(messages({ ...asked, settings: settings() })).toEqual([])
  })

  test('are required of the instructor when they lift it no more', () => {
    const rules = { aircraft_approval: { liftedWhenSupervised: false } }
    const asked = { settings: settings({ aircraftApprovalRequired: true, rules }), booking: times({ type: 'rental' }) }
    expect(messages({ ...asked, seats: [ana, renter] })).toEqual(['Ana Ruiz is not approved on N12345'])
  })

  test('are required on planes alone', () => {
    const booking = times({ type: 'sim' })
    const seats = [member('students', 2, 'Ben Okafor', no)]
    const resource = plane({ kind: 'simulator' })
    expect(codes({ ...required, seats, booking, resource })).toEqual([])
  })
})

describe('currencies (§Reservations rule 6)', () => {
  const medical = currency({ roles: ['student'] })
  const recent = currency({
    id: 6,
    name: 'Recent',
    roles: ['student'],
    requires: { kind: 'recent_flights', count: 2, days: 30 },
  })
  const expires = (expiresAt: Date | null) => ben({ currencyRecords: [{ currencyId: 5, expiresAt }] })

  test.each([
    ['never expires', null, []],
    ['expires during the flight', at('2026-06-02T11:00:00-04:00'), []],
    [
      'expires as the flight starts',
      at('2026-06-02T10:00:00-04:00'),
      ['Ben Okafor is not current: Medical (expired 2026-06-02)'],
    ],
    ['has expired', at('2026-05-31T12:00:00Z'), ['Ben Okafor is not current: Medical (expired 2026-05-31)']],
  ])('include one that %s, judged at the start of the booking', (_name, expiresAt, expected) => {
    expect(messages({ currencies: [medical], ...expires(expiresAt) })).toEqual(expected)
  })

  test.each([
    ['ended before the flight', '2026-06-02', null, ['Ben Okafor is not current: Medical (ended 2026-06-02)']],
    ['ended after the flight', '2026-06-03', null, []],
    [
      'expired before it was ended',
      '2026-06-02',
      at('2026-05-31T12:00:00Z'),
      ['Ben Okafor is not current: Medical (expired 2026-05-31)'],
    ],
  ])('include one that somebody %s', (_name, endedOn, expiresAt, expected) => {
    const held = ben({ currencyRecords: [{ currencyId: 5, expiresAt, endedOn }] })
    expect(messages({ currencies: [medical], ...held })).toEqual(expected)
  })

  test('refuse a person who has nothing on record', () => {
    expect(messages({ currencies: [medical] })).toEqual(['Ben Okafor is not current: Medical (nothing on record)'])
  })

  test.each([
    ['does not block', { enforcement: 'warn' as const }],
    ['is off', { enforcement: 'off' as const }],
    ['is for other roles', { roles: ['renter'] as const }],
    ['is for other types', { reservationTypes: ['solo'] as const }],
    ['is for other resources', { resourceIds: [8] }],
  ])('are not checked when the rule %s', (_name, over) => {
    expect(codes({ currencies: [{ ...medical, ...over }] })).toEqual([])
  })

  test('count signed flights in the days before the start', () => {
    // Thirty days before 2 June is 3 May; the day itself still counts.
    const flown = (...days: string[]) =>
      ben({ signedFlights: days.map((day) => ({ currencyId: 6, flownAt: at(`${day}T12:00:00-04:00`) })) })
    expect(codes({ currencies: [recent], ...flown('2026-05-03', '2026-05-20') })).toEqual([])
    expect(messages({ currencies: [recent], ...flown('2026-05-02', '2026-05-20') })).toEqual([
      'Ben Okafor is not current: Recent (1 of 2 flights in the last 30 days)',
    ])
  })
})

describe('the person who makes a booking (§Reservations rule 2)', () => {
  const student = { actor: { orgUserId: 2, roles: roles('student') } }

  test('may not create a type that no role of theirs allows', () => {
    expect(problemsOf(facts({ actor: { orgUserId: 2, roles: roles('renter') } }))).toEqual([
      {
        rule: 'type_not_allowed',
        code: 'TYPE_NOT_ALLOWED',
        overridable: false,
        message: 'Your roles do not let you make a dual booking',
        field: 'type',
      },
    ])
  })

  test('books nothing that has begun as a student, and may record it as an instructor', () => {
    const late = { now: at('2026-06-02T10:00:01-04:00') }
    expect(problemsOf(facts({ ...student, ...late })).map(({ field }) => field)).toEqual(['start'])
    expect(codes({ actor: { orgUserId: 1, roles: roles('instructor') }, ...late })).toEqual([])
    expect(codes({ ...student, now: at('2026-06-02T10:00:00-04:00') })).toEqual([])
  })

  test('may not end a booking before it starts', () => {
    const booking = times({ end: times().start })
    expect(problemsOf(facts({ booking }))).toEqual([
      {
        rule: 'booking_shape',
        code: 'INVALID',
        overridable: false,
        message: 'end: must be after start',
        field: 'end',
      },
    ])
  })

  test('sits on the booking when they are a student or renter', () => {
    expect(forbidsBooking(facts(student))).toBeNull()
    expect(forbidsBooking(facts({ actor: { orgUserId: 3, roles: roles('student') } }))?.().message).toMatch(
      /on yourself/,
    )
    expect(forbidsBooking(facts())).toBeNull()
  })

  test('may not book at once where approval is required, and the refusal names booking requests', () => {
    const policy = { settings: settings({ approvalRequired: { student: true, renter: false } }) }
    expect(forbidsBooking(facts({ ...student, ...policy }))?.message).toMatch(/booking request/)
    expect(forbidsBooking(facts(policy))).toBeNull()
  })
})

describe('the length of a booking (§Limits)', () => {
  const lasting = (type: 'dual' | 'maintenance', days: number, more = 0) => {
    const { start } = times()
    return { booking: times({ type, end: new Date(start.getTime() + days * 86_400_000 + more) }) }
  }

  test.each([
    ['60 days', lasting('dual', 60), []],
    ['a moment more', lasting('dual', 60, 1), ['end: a dual booking lasts at most 60 days']],
    ['366 days in the workshop', { ...lasting('maintenance', 366), seats: [] }, []],
    [
      'a moment more there',
      { ...lasting('maintenance', 366, 1), seats: [] },
      ['end: a maintenance booking lasts at most 366 days'],
    ],
    ['no time', lasting('dual', 0), ['end: must be after start']],
  ])('is checked: %s', (_name, over, expected) => {
    expect(messages(over)).toEqual(expected)
  })
})
