import { type DemoReporter, UnexpectedAnswer } from './client.ts'
import type { Person } from './people.ts'

/** The wet rate of the aircraft, in cents per hour. */
const AIRCRAFT_RATE = 18_000
/** The rate of flight instruction, in cents per hour. */
const INSTRUCTION_RATE = 7_500
const OUT = { hobbsTimeOut: 4210.3, tachTimeOut: 3874.1 }
const IN = { hobbsTimeIn: 4211.6, tachTimeIn: 3875.2 }
/** 1.3 hours on the Hobbs at both rates: 234.00 for the aircraft and 97.50 for the instructor. */
export const EXPECTED_CENTS = 33_150

const HOUR_MS = 3_600_000
const QUARTER_MS = HOUR_MS / 4

export interface Crew {
  owner: Person
  instructor: Person
  student: Person
}

interface Booking {
  id: number
  status: string
  title: string
  start: string
  review: { needs: string[] }
}

/**
 * Makes the instructor a dispatcher too, sets the instructor's rates, and adds a location and an aircraft. Returns the
 * aircraft's id.
 */
export async function equip(reporter: DemoReporter, { owner, instructor }: Crew): Promise<number> {
  await reporter.call<Record<string, boolean>>('PATCH', `/users/${instructor.userId}/roles`, {
    step: 'The instructor helps at the desk, too',
    token: owner.token,
    body: { instructor: true, dispatcher: true },
    expect: 200,
    summarize: ({ dispatcher }) => (dispatcher ? 'instructor and dispatcher' : 'no dispatcher?'),
  })
  await reporter.call<{ instructionRates: { flight: number } }>('PATCH', `/orgUsers/${instructor.orgUserId}`, {
    step: 'The owner sets the instructor’s rate',
    token: owner.token,
    body: { instructionRates: { flight: INSTRUCTION_RATE, ground: 6_000 } },
    expect: 200,
    summarize: ({ instructionRates }) => `${instructionRates.flight} cents an hour in the air`,
  })
  const location = await reporter.call<{ id: number; name: string }>('POST', '/locations', {
    step: 'The owner adds a second airport',
    token: owner.token,
    body: { name: 'Livermore Municipal', airportIdentifier: 'KLVK', timeZoneName: 'America/Los_Angeles' },
    expect: 201,
    summarize: ({ name }) => name,
  })
  const { hobbsTimeOut: hobbsTime, tachTimeOut: tachTime } = OUT
  const plane = await reporter.call<{ id: number; tailNumber: string; hobbsTime: number }>('POST', '/resources', {
    step: 'The owner adds an aircraft there',
    token: owner.token,
    body: {
      name: 'N734FL',
      location: { id: location.id },
      type: { plane: { engines: 1, category: 'airplane', class: 'single_engine_land' } },
      hobbsTime,
      tachTime,
      tailNumber: 'N734FL',
      make: 'Cessna',
      model: '172S',
      cost: { wetRate: AIRCRAFT_RATE, billByHobbsTime: true },
    },
    expect: 201,
    summarize: (made) => `${made.tailNumber}, Hobbs ${made.hobbsTime}`,
  })
  return plane.id
}

/** Books a dual flight, ramps it out and in, and signs it for both sides. Returns the booking's id. */
export async function fly(reporter: DemoReporter, { instructor, student }: Crew, planeId: number): Promise<number> {
  const start = new Date(Math.ceil(Date.now() / QUARTER_MS) * QUARTER_MS)
  const { id } = await reporter.call<Booking>('POST', '/reservations', {
    step: 'The student books a lesson',
    token: student.token,
    body: {
      title: 'Lesson 4: slow flight and stalls',
      type: 'dual',
      start: start.toISOString(),
      end: new Date(start.getTime() + 2 * HOUR_MS).toISOString(),
      timeZoneName: 'America/Los_Angeles',
      resource: { id: planeId },
      personnel: { instructors: [{ orgUserId: instructor.orgUserId }], students: [{ orgUserId: student.orgUserId }] },
    },
    expect: 201,
    summarize: (booking) => `${booking.status}, booking ${booking.id} at ${booking.start}`,
  })
  const act = (step: string, who: Person, verb: string, body?: unknown) =>
    reporter.call<Booking>('POST', `/reservations/${id}/${verb}`, {
      step,
      token: who.token,
      body,
      expect: 200,
      summarize: ({ status, review }) =>
        status === 'ramped_in' ? `${status}, to sign: ${review.needs.join(', ')}` : status,
    })
  await act('Ramp out', instructor, 'rampOut', OUT)
  await act('Ramp in, 1.3 hours later', instructor, 'rampIn', IN)
  await act('The instructor signs the figures', instructor, 'confirmReview')
  const { status } = await act('The student signs the figures', student, 'confirmReview')
  if (status !== 'signed_off') throw new UnexpectedAnswer(`The flight is ${status}, not signed_off`)
  return id
}
