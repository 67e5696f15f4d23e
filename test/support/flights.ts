import { cents } from '../../src/shared/platform/kernel/units.ts'
import type { TestApp } from './app.ts'
import { buildMember, type Member, type School } from './builders.ts'

/** Sends a request that must succeed, and returns its data. */
export async function expectOk<T = Record<string, never>>(
  api: TestApp,
  who: Pick<Member, 'token'>,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT',
  url: string,
  body?: unknown,
): Promise<T> {
  const response = await api.call(method, url, { token: who.token, body })
  if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${response.body}`)
  return (response.body === '' ? undefined : response.json().data) as T
}

interface FlightOptions {
  /** Local times of one day in UTC; by default 10 to 12. */
  start?: string
  end?: string
  students?: Member[]
  /** Further fields of the body. */
  extra?: Record<string, unknown>
}

/** Returns the body of a dual flight with the school's instructor, student and plane. */
export function dualBody(school: School, options: FlightOptions = {}) {
  const { students = [school.student], start = '2026-11-23T10:00:00Z', end = '2026-11-23T12:00:00Z', extra } = options
  return {
    title: 'Lesson 4: stalls',
    type: 'dual',
    start,
    end,
    timeZoneName: 'UTC',
    resource: { id: school.plane.id },
    personnel: {
      instructors: [{ orgUserId: school.instructor.orgUserId }],
      students: students.map(({ orgUserId }) => ({ orgUserId })),
    },
    ...extra,
  }
}

/** Books a dual flight as the dispatcher. Returns its id. */
export async function bookDual(api: TestApp, school: School, options: FlightOptions = {}): Promise<number> {
  const made = await expectOk<{ id: number }>(
    api,
    school.dispatcher,
    'POST',
    '/reservations',
    dualBody(school, options),
  )
  return made.id
}

/** Ramps a flight out at the plane's meters and in 1.4 hours later (tach 1.2), by default as the instructor. */
export async function fly(api: TestApp, school: School, id: number, by = school.instructor): Promise<void> {
  const plane = await api.core.database.db
    .selectFrom('resource')
    .select(['hobbs_hundredths', 'tach_hundredths'])
    .where('id', '=', school.plane.id)
    .executeTakeFirstOrThrow()
  const hobbs = Number(plane.hobbs_hundredths)
  const tach = Number(plane.tach_hundredths)
  const url = `/reservations/${id}`
  await expectOk(api, by, 'POST', `${url}/rampOut`, { hobbsTimeOut: hobbs / 100, tachTimeOut: tach / 100 })
  await expectOk(api, by, 'POST', `${url}/rampIn`, {
    hobbsTimeIn: (hobbs + 140) / 100,
    tachTimeIn: (tach + 120) / 100,
    confirmMeterAnomaly: true,
  })
}

/** Books, flies and signs a dual flight for both sides. Returns its id. */
export async function closedOutFlight(api: TestApp, school: School, options: FlightOptions = {}): Promise<number> {
  const id = await bookDual(api, school, options)
  await fly(api, school, id)
  await sign(api, school, id, options.students?.[0])
  return id
}

/** Signs a dual flight for both sides. */
export async function sign(api: TestApp, school: School, id: number, student = school.student): Promise<void> {
  for (const who of [school.instructor, student]) await expectOk(api, who, 'POST', `/reservations/${id}/confirmReview`)
}

/** Sets the rates of the school's instructor, in cents an hour. */
export async function setRates(
  api: TestApp,
  school: School,
  flight = 6_000,
  ground = 5_000,
  sim = 5_500,
): Promise<void> {
  await api.core.database.db
    .updateTable('membership')
    .set({ flight_rate_cents: cents(flight), ground_rate_cents: cents(ground), sim_rate_cents: cents(sim) })
    .where('id', '=', school.instructor.orgUserId)
    .execute()
}

/** A closed-out flight, and the student who flew it. */
export interface FlownFlight {
  id: number
  student: Member
}

/** Closes out the first flight of a new student; `day` counts from 0 on the first of October. */
export async function flownBy(api: TestApp, school: School, day: number): Promise<FlownFlight> {
  const student = await buildMember(api, school.organizationId, ['student'])
  const at = (hour: number) => new Date(Date.UTC(2026, 9, 1 + day, hour)).toISOString()
  return { student, id: await closedOutFlight(api, school, { students: [student], start: at(10), end: at(12) }) }
}
