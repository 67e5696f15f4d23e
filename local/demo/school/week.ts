import type { ReservationType } from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import type { ResourceKey } from './fleet.ts'
import type { PersonKey } from './people.ts'

/**
 * The outcome of a booking: not started, cancelled, cancelled late by its student, ramped out and not returned, flown and signed
 * by all, or flown and signed by one side.
 */
type Outcome = 'booked' | 'cancelled' | 'cancelled_late' | 'out' | 'signed' | 'half_signed'

/** One booking of the demo week, in the local time of the airport. */
export interface DemoBooking {
  /** Days from today; negative in the past. */
  day: number
  /** The local time of the start: "08:30". */
  from: string
  hours: number
  type: ReservationType
  on: ResourceKey
  title: string
  instructor?: PersonKey
  students?: PersonKey[]
  renter?: PersonKey
  /** The number of passengers of a rental, without the renter. */
  passengers?: number
  ifr?: boolean
  guest?: { name: string; email: string; phone: string }
  outcome?: Outcome
  /** The rule that the front desk overrides for this booking, with the reason. */
  override?: { rule: string; reason: string }
  /** Whether the service cancelled it as a no-show, and the front desk put it back. */
  noShow?: boolean
  /** The time flown, by the Hobbs meter, in tenths of an hour; absent when the booking was not flown. */
  flown?: number
  /** The state of the flight's invoice; absent when the flight is not invoiced. */
  bill?: 'paid' | 'open'
  /**
   * The lesson that the title names: its grade and the state of its record. `flight` is a flight time in tenths of an
   * hour that was entered by hand and differs from the meter's.
   */
  lesson?: { grade: 'S' | 'U'; record: 'graded' | 'signed' | 'countersigned'; notes?: string; flight?: number }
}

type Rest = Partial<DemoBooking>

function dual(
  day: number,
  from: string,
  on: ResourceKey,
  [instructor, student]: [PersonKey, PersonKey],
  title: string,
  rest: Rest = {},
): DemoBooking {
  return { day, from, hours: 2, type: 'dual', on, instructor, students: [student], title, ...rest }
}

function solo(
  day: number,
  from: string,
  on: ResourceKey,
  student: PersonKey,
  title: string,
  rest: Rest = {},
): DemoBooking {
  return { day, from, hours: 1.5, type: 'solo', on, students: [student], title, ...rest }
}

function sim(day: number, from: string, student: PersonKey, title: string, rest: Rest = {}): DemoBooking {
  const students = [student]
  return { day, from, hours: 1.5, type: 'sim', on: 'Redbird LD', instructor: 'isabel', students, title, ...rest }
}

function ground(day: number, from: string, students: PersonKey[], title: string, rest: Rest = {}): DemoBooking {
  return { day, from, hours: 1, type: 'ground', on: 'Briefing room', instructor: 'isabel', students, title, ...rest }
}

function rental(day: number, from: string, hours: number, title: string, rest: Rest = {}): DemoBooking {
  return { day, from, hours, type: 'rental', on: 'N206FL', renter: 'rita', title, ...rest }
}

function discovery(day: number, from: string, instructor: PersonKey, name: string, phone: string): DemoBooking {
  const guest = { name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com`, phone }
  return { day, from, hours: 1.5, type: 'guest', on: 'N92FL', instructor, guest, title: 'Discovery flight' }
}

/** Returns the fields of a booking whose lesson the student passed. */
function passed(record: 'graded' | 'signed' | 'countersigned' = 'countersigned', notes?: string): Rest {
  return { lesson: { grade: 'S', record, ...(notes && { notes }) } }
}

/** A lesson whose flight time was entered wrong: it differs from the meter's. */
const mistyped: Rest = { lesson: { grade: 'S', record: 'countersigned', flight: 19 } }
const notYet: Rest = { lesson: { grade: 'U', record: 'countersigned', notes: 'Turns in the wind not yet timed.' } }

/** The flights of the three months before the demo week, in order of time, because an aircraft's meters only move forward. */
export const pastFlights: DemoBooking[] = [
  samirs(-84, 'Full panel: level flight and turns', 14),
  stellas(-80, 'First flight', 10),
  samirs(-77, 'Full panel: climbs and descents', 14),
  samirs(-70, 'Partial panel', 14),
  stellas(-68, 'Climbs, descents and turns', 13),
  rental(-63, '09:00', 3, 'To Santa Rosa', { flown: 19 }),
  samirs(-61, 'Recoveries from unusual attitudes', 12),
  stellas(-55, 'Slow flight and stalls', 14),
  samirs(
    -54,
    'Stage check: attitude instrument flying',
    13,
    'isabel',
    passed('countersigned', 'Precise, ahead of it.'),
  ),
  samirs(-47, 'Tracking by VOR and GPS', 14),
  stellas(-43, 'Ground reference maneuvers', 13),
  samirs(-40, 'Holding', 15, 'ivan', notYet),
  rental(-36, '10:00', 4, 'To Paso Robles', { flown: 27 }),
  samirs(-33, 'Holding', 14),
  stellas(-29, 'Emergencies', 14),
  samirs(-26, 'Arcs and intercepts', 14, 'ivan', mistyped),
  sams(-22, 'First flight', 11),
  samirs(-19, 'Stage check: navigation', 13, 'isabel', passed('countersigned', 'Holding entries without hesitation.')),
  stellas(-15, 'Takeoffs and landings', 14),
  samirs(-12, 'ILS approaches', 15),
  rental(-9, '09:00', 3, 'To Livermore and Byron', { flown: 18 }),
  sams(-8, 'Climbs, descents and turns', 13),
]

function samirs(day: number, title: string, flown: number, by: PersonKey = 'ivan', rest = passed()): DemoBooking {
  return dual(day, '08:30', 'N40FL', [by, 'samir'], title, { flown, ...rest })
}

function stellas(day: number, title: string, flown: number): DemoBooking {
  return dual(day, '10:30', 'N518FL', ['isabel', 'stella'], title, { flown, ...passed() })
}

function sams(day: number, title: string, flown: number): DemoBooking {
  return dual(day, '13:00', 'N734FL', ['ivan', 'sam'], title, { flown, ...passed() })
}

/** The bookings of the week around today, in order of time, because an aircraft's meters only move forward. */
export const week: DemoBooking[] = [
  dual(-3, '08:00', 'N734FL', ['ivan', 'sam'], 'Slow flight and stalls', { flown: 14, bill: 'paid', ...passed() }),
  dual(-3, '08:30', 'N518FL', ['isabel', 'stella'], 'Crosswinds, slips and go-arounds', {
    flown: 15,
    bill: 'paid',
    ...passed(),
  }),
  // The invoice goes to Hana, who pays for Samir.
  solo(-3, '13:00', 'N734FL', 'samir', 'Solo: pattern work', { flown: 11, bill: 'open' }),
  dual(-3, '14:00', 'N92FL', ['isabel', 'sofia'], 'First flight', { flown: 13, bill: 'paid', ...passed() }),
  dual(-2, '08:00', 'N92FL', ['ivan', 'sofia'], 'Climbs, descents and turns', {
    flown: 16,
    bill: 'paid',
    ...passed('signed'),
  }),
  rental(-2, '09:00', 3, 'To Monterey and back', { flown: 21, bill: 'open', noShow: true }),
  dual(-2, '13:00', 'N40FL', ['ivan', 'samir'], 'RNAV approaches', { flown: 19, ...passed('signed') }),
  sim(-2, '14:30', 'sam', 'Simulator: radio work', { flown: 12 }),
  dual(-1, '08:00', 'N734FL', ['ivan', 'sam'], 'Ground reference maneuvers', { flown: 13, ...passed('graded') }),
  ground(-1, '08:00', ['stella', 'sofia'], 'Ground: weather', { outcome: 'signed' }),
  dual(-1, '10:00', 'N518FL', ['isabel', 'stella'], 'Flight by reference to instruments', {
    flown: 15,
    ...passed('signed'),
  }),
  dual(-1, '13:00', 'N40FL', ['ivan', 'samir'], 'Approaches on partial panel', { flown: 14, outcome: 'half_signed' }),
  solo(-1, '15:30', 'N734FL', 'sam', 'Solo: pattern work', { outcome: 'cancelled' }),
  // The aircraft is overdue: it has not returned.
  rental(-1, '15:00', 3, 'To Shelter Cove', { outcome: 'out' }),
  dual(0, '07:00', 'N734FL', ['ivan', 'samir'], 'Circling approaches'),
  dual(0, '09:30', 'N518FL', ['isabel', 'stella'], 'Traffic pattern, all of it'),
  dual(0, '10:00', 'N92FL', ['ivan', 'sofia'], 'Slow flight and stalls'),
  sim(0, '12:30', 'sam', 'Simulator: lost procedures'),
  rental(0, '13:00', 3, 'Half Moon Bay'),
  discovery(0, '14:00', 'ivan', 'Grace Müller', '+1 415 555 0117'),
  dual(1, '08:00', 'N734FL', ['ivan', 'sam'], 'Emergencies'),
  dual(1, '08:00', 'N40FL', ['isabel', 'samir'], 'Circling approaches'),
  { day: 1, from: '09:00', hours: 8, type: 'maintenance', on: 'N61FL', title: 'Magneto and 100-hour inspection' },
  dual(1, '10:30', 'N518FL', ['ivan', 'stella'], 'Stage check: ready for solo'),
  solo(1, '13:30', 'N734FL', 'samir', 'Solo: pattern work'),
  sim(1, '16:00', 'sofia', 'Simulator: radio work', { outcome: 'cancelled_late' }),
  dual(2, '08:00', 'N92FL', ['ivan', 'sofia'], 'Ground reference maneuvers'),
  ground(2, '09:00', ['stella', 'samir'], 'Ground: airspace'),
  dual(2, '10:30', 'N734FL', ['ivan', 'sam'], 'Takeoffs and landings'),
  rental(2, '13:00', 4, 'To Sacramento'),
  dual(3, '08:00', 'N518FL', ['isabel', 'stella'], 'Short and soft fields'),
  dual(3, '09:00', 'N40FL', ['ivan', 'samir'], 'Cross-country under IFR'),
  dual(3, '19:00', 'N734FL', ['ivan', 'sam'], 'Night flight: pattern work', {
    override: { rule: 'availability', reason: 'Ivan stays for the night landings, agreed by phone' },
  }),
  sim(3, '10:30', 'sofia', 'Simulator: approaches'),
  dual(4, '08:00', 'N734FL', ['ivan', 'sam'], 'Crosswinds, slips and go-arounds'),
  discovery(4, '11:00', 'isabel', 'George Adeyemi', '+1 415 555 0142'),
  solo(4, '13:00', 'N518FL', 'stella', 'First solo'),
]
