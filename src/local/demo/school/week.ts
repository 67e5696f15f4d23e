import type { ReservationType } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import type { ResourceKey } from './fleet.ts'
import type { PersonKey } from './people.ts'

/** The outcome of a booking: none yet, cancelled, flown and signed by all, or flown and signed by one side. */
type Outcome = 'booked' | 'cancelled' | 'signed' | 'half_signed'

/** One booking of the demo week, in the local time of the airport. */
export interface DemoBooking {
  /** Days from today. */
  day: number
  /** "08:30" */
  from: string
  hours: number
  type: ReservationType
  on: ResourceKey
  title: string
  instructor?: PersonKey
  students?: PersonKey[]
  renter?: PersonKey
  guest?: { name: string; email: string; phone: string }
  outcome?: Outcome
  /** Tenths of an hour on the Hobbs meter. */
  flown?: number
  /** Whether the flight is invoiced, and the invoice paid. */
  bill?: 'paid' | 'open'
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

/** Two lessons in each of the six weeks before the demo week, in order of time. */
export const pastFlights: DemoBooking[] = [-42, -35, -28, -21, -14, -7].flatMap((day) => [
  dual(day, '08:30', 'N518FL', ['ivan', 'stella'], 'Pattern work', { flown: 14 }),
  dual(day, '14:00', 'N92FL', ['isabel', 'sofia'], 'Basic maneuvers', { flown: 12 }),
])

/** A week around today in order of time, since an aircraft's meters only move forward. */
export const week: DemoBooking[] = [
  dual(-3, '08:00', 'N734FL', ['ivan', 'sam'], 'Lesson 3: steep turns', { flown: 14, bill: 'paid' }),
  dual(-3, '08:30', 'N518FL', ['isabel', 'stella'], 'Lesson 7: pattern work', { flown: 15, bill: 'paid' }),
  solo(-3, '13:00', 'N734FL', 'samir', 'Solo: pattern work', { flown: 11 }),
  dual(-3, '14:00', 'N92FL', ['isabel', 'sofia'], 'Lesson 1: first flight', { flown: 13, bill: 'paid' }),
  dual(-2, '08:00', 'N92FL', ['ivan', 'sofia'], 'Lesson 2: climbs and descents', { flown: 16, bill: 'paid' }),
  rental(-2, '09:00', 3, 'To Monterey and back', { flown: 23, bill: 'open' }),
  dual(-2, '13:00', 'N40FL', ['ivan', 'samir'], 'Lesson 12: cross-country', { flown: 19 }),
  sim(-2, '14:30', 'sam', 'Simulator: radio work', { flown: 12 }),
  dual(-1, '08:00', 'N734FL', ['ivan', 'sam'], 'Lesson 4: slow flight and stalls', { flown: 13 }),
  ground(-1, '08:00', ['stella', 'sofia'], 'Ground: weather', { outcome: 'signed' }),
  dual(-1, '10:00', 'N518FL', ['isabel', 'stella'], 'Lesson 8: crosswind landings', { flown: 15 }),
  dual(-1, '13:00', 'N40FL', ['ivan', 'samir'], 'Lesson 13: hood work', { flown: 14, outcome: 'half_signed' }),
  solo(-1, '15:30', 'N734FL', 'sam', 'Solo: pattern work', { outcome: 'cancelled' }),
  dual(0, '07:00', 'N734FL', ['ivan', 'samir'], 'Lesson 14: instrument reference'),
  dual(0, '09:30', 'N518FL', ['isabel', 'stella'], 'Lesson 9: pre-solo check'),
  dual(0, '10:00', 'N92FL', ['ivan', 'sofia'], 'Lesson 3: steep turns'),
  sim(0, '12:30', 'sam', 'Simulator: lost procedures'),
  rental(0, '13:00', 3, 'Half Moon Bay'),
  discovery(0, '14:00', 'ivan', 'Grace Müller', '+1 415 555 0117'),
  dual(1, '08:00', 'N734FL', ['ivan', 'sam'], 'Lesson 5: ground reference'),
  dual(1, '08:00', 'N40FL', ['isabel', 'samir'], 'Lesson 15: diversion'),
  { day: 1, from: '09:00', hours: 8, type: 'maintenance', on: 'N61FL', title: 'Magneto and 100-hour inspection' },
  dual(1, '10:30', 'N518FL', ['isabel', 'stella'], 'Lesson 10: first solo'),
  solo(1, '13:30', 'N734FL', 'samir', 'Solo: pattern work'),
  dual(2, '08:00', 'N92FL', ['ivan', 'sofia'], 'Lesson 4: slow flight and stalls'),
  ground(2, '09:00', ['stella', 'samir'], 'Ground: airspace'),
  dual(2, '10:30', 'N734FL', ['ivan', 'sam'], 'Lesson 6: emergency procedures'),
  rental(2, '13:00', 4, 'To Sacramento'),
  dual(3, '08:00', 'N518FL', ['isabel', 'stella'], 'Lesson 11: short-field landings'),
  dual(3, '09:00', 'N40FL', ['ivan', 'samir'], 'Lesson 16: check-ride practice'),
  sim(3, '10:30', 'sofia', 'Simulator: approaches'),
  dual(4, '08:00', 'N734FL', ['ivan', 'sam'], 'Lesson 7: pattern work'),
  discovery(4, '11:00', 'isabel', 'George Adeyemi', '+1 415 555 0142'),
  solo(4, '13:00', 'N518FL', 'stella', 'Solo: practice area'),
]
