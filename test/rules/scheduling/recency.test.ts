import { describe, expect, test } from 'vitest'
import type { AircraftScope, PilotFlight } from '../../../src/shared/qualification/currencies/recency.types.ts'
import type { BookingFacts, BookingTimes } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { flown, single } from '../qualification/pilot-flights.ts'
import { at, currency, facts, guest, member, plane, times } from './booking-facts.ts'

const tailwheel: AircraftScope = { ...single, tailwheel: true }
const twin: AircraftScope = { ...single, class: 'multi_engine_land' }
const touchAndGo = { dayTakeoffs: 3, dayLandings: 3 }
const fullStops = { ...touchAndGo, dayFullStops: 3 }
const byNight = { nightTakeoffs: 3, nightLandings: 3, nightFullStops: 3 }
const practice = { approaches: 6, holds: 1 }

const kinds = ['passenger_day', 'passenger_night', 'instrument'] as const
const currencies = kinds.map((kind, id) => currency({ id, name: kind, appliesTo: 'pic', requires: { kind } }))

/** A pilot with a log. */
function pilot(side: 'instructors' | 'renters' | 'pilots', id: number, flights: readonly PilotFlight[]) {
  const facts = { birthDate: null, certificated: true, instructorEnd: null, flights, endorsements: [], tests: [] }
  const evidence = { record: null, flights: [], hours: [], pilot: facts }
  return member(side, id, `Pilot ${id}`, { regulated: new Map(currencies.map((one) => [one.id, evidence])) })
}

/** The recencies that a booking lacks: a rental of one pilot by day on a day of 2026, with two passengers. */
function lacking(day: string, flights: readonly PilotFlight[], over: Over = {}) {
  const { aircraft = single, seats = [pilot('renters', 3, flights)], ...booking } = over
  const start = at(`${day}T10:00:00-04:00`)
  const given: BookingFacts = facts({
    now: at('2026-01-01T12:00:00Z'),
    booking: times({ type: 'rental', passengers: 2, start, end: new Date(start.getTime() + 7_200_000), ...booking }),
    resource: plane({ aircraft }),
    seats,
    currencies,
  })
  return judge(given).problems.map(({ rule }) => kinds[Number(rule.replace('currency:', ''))])
}

type Over = Partial<BookingTimes> & { aircraft?: AircraftScope | null; seats?: BookingFacts['seats'] }

describe('the recency of a booking’s pilot for passengers (14 CFR 61.57(a))', () => {
  const march = [flown('2026-03-01', touchAndGo)]
  const refused = ['passenger_day']

  test.each([
    ['3 takeoffs and landings on 03-01, passengers on 05-30', '2026-05-30', march, {}, []],
    ['the same, on 05-31', '2026-05-31', march, {}, refused],
    ['the same, on 05-31 without passengers', '2026-05-31', march, { passengers: 0 }, []],
    ['3 touch-and-goes in a nosewheel single, then a tailwheel', '2026-03-02', march, { aircraft: tailwheel }, refused],
    [
      '3 full stops in a tailwheel single, then a nosewheel',
      '2026-03-02',
      [flown('2026-03-01', fullStops, tailwheel)],
      {},
      [],
    ],
    ['3 landings in a twin, then a single', '2026-03-02', [flown('2026-03-01', fullStops, twin)], {}, refused],
    ['an aircraft that is not chosen yet', '2026-05-31', march, { aircraft: null }, []],
  ] as const)('%s', (_name, day, flights, over, expected) => {
    expect(lacking(day, flights, over)).toEqual(expected)
  })

  test('is asked of the instructor of a guest, and of the instructor aboard a rental in the renter’s place', () => {
    const guests = { type: 'guest', passengers: 0, seats: [pilot('instructors', 1, []), guest(8, 'Gus Hall')] } as const
    expect(lacking('2026-03-02', [], guests)).toEqual(refused)
    const taught = { seats: [pilot('instructors', 1, march), pilot('renters', 3, [])] }
    expect(lacking('2026-03-02', [], taught)).toEqual([])
  })

  test('is not asked of student and instructor, who are no passengers to each other', () => {
    const seats = [pilot('instructors', 1, []), member('students', 2, 'Ben Okafor')]
    expect(lacking('2026-03-02', [], { type: 'dual', passengers: 0, seats })).toEqual([])
  })
})

describe('the recency of a booking’s pilot by night (14 CFR 61.57(b))', () => {
  const evening = { start: at('2026-03-02T19:00:00-05:00'), end: at('2026-03-02T21:30:00-05:00') }

  test.each([
    ['3 touch-and-goes by day', touchAndGo, ['passenger_night']],
    ['3 full stops by night', byNight, []],
  ] as const)('is asked beside that by day: %s', (_name, figures, expected) => {
    expect(lacking('2026-03-02', [flown('2026-03-01', figures)], evening)).toEqual(expected)
  })

  test('is not asked of a flight that is over by 21:00', () => {
    const end = at('2026-03-02T21:00:00-05:00')
    expect(lacking('2026-03-02', [flown('2026-03-01', touchAndGo)], { ...evening, end })).toEqual([])
  })
})

describe('the recency of a booking’s pilot under IFR (14 CFR 61.57(c))', () => {
  const march = [flown('2026-03-20', practice)]
  const ifr = { passengers: 0, ifr: true }

  test.each([
    ['6 approaches and a hold on 03-20, IFR on 09-30', '2026-09-30', ifr, []],
    ['the same, on 10-01', '2026-10-01', ifr, ['instrument']],
    ['the same, on 10-01 under VFR', '2026-10-01', { passengers: 0 }, []],
  ] as const)('%s', (_name, day, over, expected) => {
    expect(lacking(day, march, over)).toEqual(expected)
  })

  test('is asked of the instructor of a dual', () => {
    const dual = (flights: readonly PilotFlight[]) => ({
      ...ifr,
      type: 'dual' as const,
      seats: [pilot('instructors', 1, flights), member('students', 2, 'Ben Okafor')],
    })
    expect(lacking('2026-04-02', [], dual(march))).toEqual([])
    expect(lacking('2026-04-02', [], dual([]))).toEqual(['instrument'])
  })
})

test('only rental and shared flights carry passengers beside those on the booking', () => {
  const problems = (type: 'dual' | 'shared') => {
    const dual = [member('instructors', 1, 'Ana Ruiz'), member('students', 2, 'Ben Okafor')]
    const shared = [member('pilots', 3, 'Rita Lange'), member('pilots', 4, 'Paul Lange')]
    const booking = times({ type, passengers: 1 })
    return judge(facts({ booking, seats: type === 'dual' ? dual : shared })).problems
  }
  expect(problems('shared')).toEqual([])
  expect(problems('dual')).toMatchObject([{ rule: 'booking_shape', field: 'passengers' }])
})
