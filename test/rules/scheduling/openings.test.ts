import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  gridAt,
  type OpeningsFacts,
  openingsAt,
  openingsFrom,
  timeIndependentProblems,
} from '../../../src/shared/scheduling/openings/openings.rules.ts'
import { placeMembers } from '../../../src/shared/scheduling/openings/place-members.rules.ts'
import type { ResourceFacts, SeatFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { atOnce } from '../../support/at-once.ts'
import { at, facts, member, plane, problemsOf, roles, settings, times } from './booking-facts.ts'

const MINUTE = 60_000
const midnight = at('2026-06-02T00:00:00-04:00')
const day = { start: midnight, end: at('2026-06-03T00:00:00-04:00') }
const clock = (date: Date) => date.toLocaleTimeString('en-GB', { timeZone: 'America/New_York' }).slice(0, 5)

function asked(over: Partial<OpeningsFacts> & { minutes?: number } = {}): OpeningsFacts {
  const { minutes = 120, ...rest } = over
  const { seats, resource, ...base } = facts()
  return {
    ...base,
    now: at('2026-06-01T12:00:00Z'),
    booking: times({ start: midnight, end: new Date(midnight.getTime() + minutes * MINUTE) }),
    choices: [{ resource, crews: [seats] }],
    ...rest,
  }
}

describe('openings (§Booking rules)', () => {
  test('makes no crew beyond the first that is free, and tries no resource beyond the most openings', () => {
    const made: number[] = []
    const crewsOf = (resource: number) => ({
      *[Symbol.iterator]() {
        for (let crew = 0; crew < 3; crew++) {
          made.push(resource)
          yield facts().seats
        }
      },
    })
    const choices = [1, 2, 3].map((id) => ({ resource: plane({ id }), crews: crewsOf(id) }))
    expect(atOnce(openingsAt(asked({ choices }), day.start, 2))).toHaveLength(2)
    expect(made).toEqual([1, 2])
  })

  test('start on the quarter hours', () => {
    expect(gridAt(at('2026-06-02T10:00:00Z'))).toEqual(at('2026-06-02T10:00:00Z'))
    expect(gridAt(at('2026-06-02T10:00:00.001Z'))).toEqual(at('2026-06-02T10:15:00Z'))
    expect(gridAt(at('2026-06-02T10:14:59Z'))).toEqual(at('2026-06-02T10:15:00Z'))
  })

  test('of one given start need not lie on the quarter hours', () => {
    const taken = [
      { reservationId: null, start: at('2026-06-02T10:00:00-04:00'), end: at('2026-06-02T13:00:00-04:00') },
    ]
    const held = asked({ choices: [{ resource: plane({ taken }), crews: [facts().seats] }] })
    const starting = (time: string) =>
      atOnce(openingsAt(held, at(`2026-06-02T${time}-04:00`))).map(({ end }) => clock(end))
    // Two hours before and after what a request holds from 10:00 to 13:00.
    expect(starting('07:53:00')).toEqual(['09:53'])
    expect(starting('08:01:00')).toEqual([])
    expect(starting('12:59:00')).toEqual([])
    expect(starting('13:00:00')).toEqual(['15:00'])
  })

  test('do not exist on a grounded aircraft or with a grounded person, whoever and whatever else there is', () => {
    const grounded = { ...plane(), grounded: true }
    const crews = [facts().seats]
    expect(atOnce(openingsAt(asked({ choices: [{ resource: grounded, crews }] }), day.start))).toEqual([])
    const ana = member('instructors', 1, 'Ana Ruiz')
    const unfit = { ...ana, member: { ...ana.member!, grounded: true } }
    const [, ...others] = facts().seats
    expect(
      atOnce(openingsAt(asked({ choices: [{ resource: plane(), crews: [[unfit, ...others]] }] }), day.start)),
    ).toEqual([])
    expect(
      atOnce(openingsAt(asked({ choices: [{ resource: plane(), crews: [[ana, ...others]] }] }), day.start)),
    ).toHaveLength(1)
  })

  test('seat whoever is grounded as pilot in command beside an instructor', () => {
    const rita = member('renters', 2, 'Rita Chen', { grounded: true, groundedFor: 'pic' })
    const offered = (crew: SeatFacts[]) => {
      const { start, end } = asked().booking
      const question = {
        booking: times({ type: 'rental', start, end }),
        choices: [{ resource: plane(), crews: [crew] }],
      }
      return atOnce(openingsAt(asked(question), day.start)).length
    }
    expect(offered([member('instructors', 1, 'Ana Ruiz'), rita])).toBe(1)
    expect(offered([rita])).toBe(0)
  })

  test('lie between what is taken and within the flying day', () => {
    const taken = [{ reservationId: 1, start: at('2026-06-02T10:00:00-04:00'), end: at('2026-06-02T13:00:00-04:00') }]
    const found = atOnce(
      openingsFrom(
        asked({
          settings: settings({ flyingDayStartMinute: 480, flyingDayEndMinute: 930 }),
          choices: [{ resource: plane({ taken }), crews: [facts().seats] }],
        }),
        day,
        200,
      ),
    )
    // Open 08:00 to 15:30, out from 10:00 to 13:00: two hours fit at 08:00 and from 13:00 to 13:30.
    expect(found.map(({ start }) => clock(start))).toEqual(['08:00', '13:00', '13:15', '13:30'])
    expect(found.every(({ start, end }) => end.getTime() - start.getTime() === 120 * MINUTE)).toBe(true)
  })

  test('name the first crew that is free', () => {
    const busy = [{ reservationId: 1, start: midnight, end: at('2026-06-02T01:00:00-04:00') }]
    const student = member('students', 2, 'Ben Okafor')
    const [ana, cem] = [{ ...member('instructors', 1, 'Ana Ruiz'), taken: busy }, member('instructors', 3, 'Cem Aydin')]
    const crews = [
      [ana, student],
      [cem, student],
    ]
    const found = atOnce(openingsFrom(asked({ choices: [{ resource: plane(), crews }] }), day, 5))
    expect(found.map(({ crew }) => crew[0]?.name)).toEqual([
      'Cem Aydin',
      'Cem Aydin',
      'Cem Aydin',
      'Cem Aydin',
      'Ana Ruiz',
    ])
  })

  test('name each resource that is free, and no more than asked for', () => {
    const crews = [facts().seats]
    const choices = [plane({ id: 1 }), plane({ id: 2, grounded: true }), plane({ id: 3 })].map((resource) => ({
      resource,
      crews,
    }))
    const found = atOnce(openingsFrom(asked({ choices }), day, 5))
    expect(found.map(({ resource }) => resource?.id)).toEqual([1, 3, 1, 3, 1])
  })

  const minutes = fc.integer({ min: 0, max: 24 * 60 })
  const stretches = fc.array(fc.tuple(minutes, fc.integer({ min: 1, max: 300 })), { maxLength: 6 }).map((all) =>
    all.map(([from, length], index) => ({
      reservationId: index + 1,
      start: new Date(midnight.getTime() + from * MINUTE),
      end: new Date(midnight.getTime() + (from + length) * MINUTE),
    })),
  )
  const pattern = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 700 })), { maxLength: 3 })
    .map((all) =>
      all.map(([startMinute, length]) => ({
        dayOfWeek: 2,
        startMinute,
        endMinute: Math.min(1440, startMinute + length),
      })),
    )
  const approved = fc.boolean()

  test('exist exactly where a booking would be accepted', () => {
    fc.assert(
      fc.property(
        fc.tuple(stretches, stretches),
        fc.tuple(stretches, stretches, stretches),
        pattern,
        stretches,
        fc.tuple(approved, approved),
        fc.integer({ min: 1, max: 12 }),
        (planes, people, availability, timeOff, approvals, quarters) => {
          const resources = planes.map((taken, index) => plane({ id: index + 1, taken }))
          const crewsOf = (index: number): SeatFacts[][] => {
            const student = {
              ...member('students', 9, 'Ben Okafor', {
                availability,
                timeOff,
                ...((approvals[index] ?? true) ? {} : { approvals: [] }),
              }),
              taken: people[2],
            }
            return [0, 1].map((who) => [
              { ...member('instructors', who + 1, `Instructor ${who}`), taken: people[who] ?? [] },
              student,
            ])
          }
          const question = asked({
            minutes: quarters * 15,
            settings: settings({ aircraftApprovalRequired: true, flyingDayStartMinute: 420, flyingDayEndMinute: 1260 }),
            choices: resources.map((resource, index) => ({ resource, crews: crewsOf(index) })),
          })
          const offered = new Set(
            atOnce(openingsFrom(question, day, 10_000)).map(
              ({ start, resource }) => `${start.getTime()} ${resource?.id}`,
            ),
          )
          for (let start = midnight.getTime(); start < day.end.getTime(); start += 15 * MINUTE) {
            const booking = times({ start: new Date(start), end: new Date(start + quarters * 15 * MINUTE) })
            for (const { resource, crews } of question.choices) {
              const accepted = [...crews].some(
                (seats) =>
                  problemsOf({ ...facts(), ...question, booking, seats, resource: resource as ResourceFacts })
                    .length === 0,
              )
              expect(offered.has(`${start} ${resource?.id}`)).toBe(accepted)
            }
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('do not exist when the type, the seats or the resource make every time impossible', () => {
    const crews = (seats: SeatFacts[]) => ({ choices: [{ resource: plane(), crews: [seats] }] })
    expect(timeIndependentProblems(asked())).toEqual([])
    expect(timeIndependentProblems(asked({ actor: { orgUserId: 1, roles: roles('renter') } }))).toMatchObject([
      { code: 'TYPE_NOT_ALLOWED' },
    ])
    const twice = [member('instructors', 1, 'Ana'), member('instructors', 2, 'Cem'), member('students', 3, 'Ben')]
    expect(timeIndependentProblems(asked(crews(twice)))).toMatchObject([{ code: 'SIDE_LIMIT' }])
    expect(
      timeIndependentProblems(asked({ choices: [{ resource: plane({ kind: 'room' }), crews: [facts().seats] }] })),
    ).toMatchObject([{ code: 'INVALID' }])
    expect(timeIndependentProblems(asked({ minutes: 61 * 24 * 60 }))).toMatchObject([{ field: 'end' }])
    const grounded = [{ resource: plane({ grounded: true }), crews: [facts().seats] }]
    expect(timeIndependentProblems(asked({ choices: grounded, now: at('2027-01-01T00:00:00Z') }))).toEqual([])
  })
})

describe('people who are named without a side', () => {
  const person = (orgUserId: number, ...names: Parameters<typeof roles>) => ({
    orgUserId,
    name: `P${orgUserId}`,
    roles: roles(...names),
  })
  const seated = (...args: Parameters<typeof placeMembers>) => {
    const placed = placeMembers(...args)
    return 'problem' in placed
      ? placed.problem
      : placed.seats.map((seat) => `${seat.side}.${seat.index} ${'orgUserId' in seat ? seat.orgUserId : 'open'}`)
  }

  test.each([
    [
      'where their roles fit',
      'dual',
      [person(1, 'student'), person(2, 'instructor')],
      ['instructors.0 2', 'students.0 1'],
    ],
    [
      'in the order in which they are named',
      'dual',
      [person(3, 'student'), person(1, 'student')],
      ['students.0 3', 'students.1 1'],
    ],
    [
      'who fits two sides, where there is room',
      'dual',
      [person(1, 'instructor', 'student'), person(2, 'instructor')],
      ['instructors.0 2', 'students.0 1'],
    ],
    ['the instructor first', 'dual', [person(1, 'instructor', 'student')], ['instructors.0 1', 'students.0 open']],
    ['and the side that nobody is named for stays open', 'rental', [], ['renters.0 open']],
    ['pilots of a shared flight', 'shared', [person(1, 'renter')], ['pilots.0 1', 'pilots.1 open']],
    ['a guest’s seat stays open', 'guest', [person(1, 'instructor')], ['instructors.0 1', 'guests.0 open']],
    ['nobody on maintenance', 'maintenance', [], []],
  ] as const)('are seated on a %s booking', (_what, type, people, expected) => {
    expect(seated(type, people)).toEqual(expected)
  })

  test.each([
    ['dual', [person(1, 'renter')], 'orgUserId: there is no place for P1 on a dual booking'],
    ['solo', [person(1, 'instructor')], 'orgUserId: there is no place for P1 on a solo booking'],
    [
      'guest',
      [person(1, 'instructor'), person(2, 'instructor')],
      'orgUserId: there is no place for P2 on a guest booking',
    ],
    ['maintenance', [person(1, 'instructor')], 'orgUserId: there is no place for P1 on a maintenance booking'],
  ] as const)('are refused a seat on %s', (type, people, problem) => {
    expect(seated(type, people)).toBe(problem)
  })
})
