import { startBackend } from '../../test/support/backends.ts'
import { type BenchSetup, hasRedis } from '../bench-setup.ts'
import { type Comparison, requestsPerSecond } from '../measure.ts'
import { buildBenchSchool, firstBookingOf, seedBookings } from '../school.ts'

export const MONDAY = new Date('2026-11-23T00:00:00Z')
export const NEXT_MONDAY = new Date('2026-11-30T00:00:00Z')
export const week = `/reservations?startDate=${MONDAY.toISOString()}&endDate=${NEXT_MONDAY.toISOString()}`

/**
 * The number of connections of the session check. The API looks up many callers in one statement, which has an effect
 * only under concurrency.
 */
const MANY = 64
const SESSIONS = 1_000

/**
 * Compares reads with their floors: the session check of 1,000 sign-ins, one booking by id, and a week of 100 bookings with
 * personnel. The API writes its log as in production.
 */
export async function readScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const school = await buildBenchSchool(setup)
  await seedBookings(setup, school, { from: MONDAY, weeks: 10, perWeek: 100 })
  const id = await firstBookingOf(setup, school)
  const headers = { authorization: `Bearer ${school.token}` }
  const sessions = await school.sessions(SESSIONS)
  const log = { LOG_LEVEL: 'info' }
  const api = await setup.serve('api', log)
  const floor = await setup.serve('floors/http.ts', {
    ORGANIZATION: String(school.organizationId),
    BOOKING: String(id),
    FROM: MONDAY.toISOString(),
    TO: NEXT_MONDAY.toISOString(),
  })
  const sessionCheck = (url: string) => () =>
    requestsPerSecond({
      url: `${url}/auth/session`,
      connections: MANY,
      requests: sessions.map((token) => ({ headers: { authorization: `Bearer ${token}` } })),
    })
  const ours = (path: string, more = {}) => {
    return () => requestsPerSecond({ url: `${api}${path}`, headers: { ...headers, ...more } })
  }
  const theirs = (path: string, more = {}) => {
    return () => requestsPerSecond({ url: `${floor}${path}`, headers: more })
  }
  const packed = { 'accept-encoding': 'gzip' }
  const shared = hasRedis() ? await startBackend('redis') : null
  if (shared) setup.atEnd(() => shared.stop())
  const sharing = shared && (await setup.serve('api', { ...log, ...shared.env }))
  return [
    {
      name: `session check, ${SESSIONS} tokens`,
      floor: 'an empty Fastify route',
      aim: { ratio: 0.5 },
      ours: sessionCheck(api),
      theirs: () => requestsPerSecond({ url: `${floor}/empty`, connections: MANY }),
    },
    {
      name: 'the same, limits in Redis',
      floor: 'limits in memory',
      aim: { ratio: 0.9 },
      ours: sharing ? sessionCheck(sharing) : sessionCheck(api),
      theirs: sharing ? sessionCheck(api) : null,
    },
    {
      name: 'one booking by id',
      floor: 'Fastify and pg, one prepared statement',
      aim: { ratio: 0.55 },
      ours: ours(`/reservations/${id}`),
      theirs: theirs('/one'),
    },
    {
      name: 'a week of 100 bookings',
      floor: 'Fastify and pg, plain rows of one statement',
      aim: { ratio: 0.75 },
      ours: ours(week),
      theirs: theirs('/week'),
    },
    {
      name: 'the same, with gzip',
      floor: 'the same, with gzip',
      ours: ours(week, packed),
      theirs: theirs('/packed', packed),
    },
  ]
}
