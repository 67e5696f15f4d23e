import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { judgeWeather } from '../../../src/shared/scheduling/scheduling.jobs.ts'
import { bookingBody, seats } from '../../support/booking.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { type NotificationEnv, startNotifying } from '../../support/domain-events.ts'
import { expectOk } from '../../support/flights.ts'

/** What the source of weather answers, and what it was asked for. */
const source = { calls: [] as string[], observed: '211154Z', sky: 'OVC008' }
const center = fastify({ forceCloseConnections: true })
center.get('/api/data/:what', async (request, reply) => {
  const { ids } = request.query as { ids: string }
  const { what } = request.params as { what: string }
  source.calls.push(`${what} ${ids}`)
  if (what === 'taf') return reply.code(204).send()
  return [{ icaoId: ids, rawOb: `METAR ${ids} ${source.observed} 28008KT 10SM ${source.sky} 18/11 A3002`, obsTime: 1 }]
})

let env: NotificationEnv
let school: School
beforeAll(async () => {
  await center.listen({ port: 0, host: '127.0.0.1' })
  env = await startNotifying('postgres', { env: { WEATHER_API_BASE: center.listeningOrigin } })
  school = await buildSchool(env.api)
  const limits = `/orgUsers/${school.student.orgUserId}/minimums`
  await expectOk(env.api, school.instructor, 'PUT', limits, { ceilingFeet: 3_000 })
})
afterAll(async () => {
  await env.close()
  await center.close()
})

async function solo(from: string, to: string): Promise<number> {
  const times = { start: `2026-11-21T${from}:00Z`, end: `2026-11-21T${to}:00Z` }
  const body = bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }), ...times })
  return (await expectOk<{ id: number }>(env.api, school.dispatcher, 'POST', '/reservations', body)).id
}

/** Lets the schedule run at an instant, and answers how many notices each got so far. */
async function noticesAt(instant: string) {
  const { api, workers } = env
  api.clock.now = new Date(instant)
  const { enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) => {
    tx.enqueue(judgeWeather, {})
  })
  api.core.relay.publish(enqueued)
  await workers.settled()
  const { rows } = await api.core.database.pool.query<{ membership_id: number }>(
    "select membership_id from notification where organization_id = $1 and kind = 'below_minimums'",
    [school.organizationId],
  )
  const of = (who: 'dispatcher' | 'student' | 'renter') =>
    rows.filter((row) => row.membership_id === school[who].orgUserId).length
  return [of('dispatcher'), of('student'), of('renter')]
}

describe('the weather of a flight, two hours before it starts (interface §Booking rules)', () => {
  test('is fetched and told to the desk and the pilot once, where it is outside of their limits', async () => {
    const id = await solo('14:30', '15:30')
    expect(await noticesAt('2026-11-21T12:31:00Z')).toEqual([0, 0, 0])
    expect(source.calls).toEqual([])
    await expectOk(env.api, school.admin, 'PATCH', '/rules/pilot_minimums', { enforcement: 'warn' })
    expect(await noticesAt('2026-11-21T12:29:00Z')).toEqual([0, 0, 0])
    expect(source.calls).toEqual([])
    expect(await noticesAt('2026-11-21T12:31:00Z')).toEqual([1, 1, 0])
    expect(source.calls.toSorted()).toEqual(['metar KHWD', 'taf KHWD'])
    expect(await noticesAt('2026-11-21T12:36:00Z')).toEqual([1, 1, 0])
    const later = { start: '2026-11-21T14:40:00Z', end: '2026-11-21T15:40:00Z' }
    await expectOk(env.api, school.dispatcher, 'PATCH', `/reservations/${id}`, later)
    expect(await noticesAt('2026-11-21T12:41:00Z')).toEqual([2, 2, 0])
  })

  test('is not told where it is within them, and is fetched anew for a release', async () => {
    Object.assign(source, { observed: '211354Z', sky: 'CLR' })
    await env.api.core.database.pool.query('delete from weather_station')
    const id = await solo('16:00', '17:00')
    expect(await noticesAt('2026-11-21T14:05:00Z')).toEqual([2, 2, 0])
    source.sky = 'BKN020'
    await env.api.core.database.pool.query("update weather_station set fetched_at = now() - interval '1 hour'")
    const release = await expectOk<{ checks: object[] }>(
      env.api,
      school.dispatcher,
      ...(['GET', `/reservations/${id}/release`] as const),
    )
    expect(release.checks).toContainEqual(
      expect.objectContaining({ rule: 'pilot_minimums', status: 'warn', message: expect.stringContaining('2000 ft') }),
    )
  })
})
