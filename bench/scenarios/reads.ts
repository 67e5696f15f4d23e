import { type RawBuilder, sql } from 'kysely'
import { selectReservations } from '../../src/shared/scheduling/reservations/reservation.queries.ts'
import { reservationCondition } from '../../src/shared/scheduling/reservations/reservation-filter.queries.ts'
import type { BenchSetup } from '../bench-setup.ts'
import { type Comparison, requestsPerSecond } from '../measure.ts'
import { buildBenchSchool, seedBookings } from '../school.ts'

const MONDAY = new Date('2026-11-23T00:00:00Z')
const NEXT_MONDAY = new Date('2026-11-30T00:00:00Z')

/**
 * The number of connections of the session check. The API looks up many callers in one statement, which has an effect
 * only under concurrency.
 */
const MANY = 64

/** Compares three reads with their floors: the session check, one booking by id, and a week of 100 bookings with personnel. */
export async function readScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const school = await buildBenchSchool(setup)
  await seedBookings(setup, school, { from: MONDAY, weeks: 10, perWeek: 100 })
  const { id } = await setup.database.db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', school.organizationId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const headers = { authorization: `Bearer ${school.token}` }
  const api = await setup.serve('api')
  const ours = (path: string) => () => requestsPerSecond({ url: `${api}${path}`, headers })
  const sessionCheck = { url: `${api}/auth/session`, headers, connections: MANY }
  const floorOf = async (where: RawBuilder<unknown>) => {
    const selection = { where, limit: 1000, offset: 0 }
    const query = selectReservations(school.organizationId, selection).compile(setup.database.db)
    const url = await setup.serve('floors/http.ts', { SQL: query.sql, VALUES: JSON.stringify(query.parameters) })
    return () => requestsPerSecond({ url: `${url}/query` })
  }
  const week = reservationCondition(
    { start: MONDAY, end: NEXT_MONDAY, includeCancelled: false, ongoing: true, uninvoiced: false },
    new Date(),
  )
  const emptyFloor = await setup.serve('floors/http.ts')
  return [
    {
      name: 'session check',
      floor: 'an empty Fastify route',
      aim: 0.35,
      ours: () => requestsPerSecond(sessionCheck),
      theirs: () => requestsPerSecond({ url: `${emptyFloor}/empty`, connections: MANY }),
    },
    {
      name: 'one reservation by id',
      floor: 'Fastify and pg, the same SQL',
      aim: 0.5,
      ours: ours(`/reservations/${id}`),
      theirs: await floorOf(sql`r.id = ${id}`),
    },
    {
      name: 'a week of 100 bookings',
      floor: 'Fastify and pg, the same SQL',
      aim: 0.6,
      ours: ours(`/reservations?startDate=${MONDAY.toISOString()}&endDate=${NEXT_MONDAY.toISOString()}`),
      theirs: await floorOf(week),
    },
  ]
}
