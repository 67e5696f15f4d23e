import fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../support/app.ts'
import { buildSchool, type School } from '../../../support/builders.ts'

/** What the source does: it counts calls, and answers when `gate` opens. */
const source = { calls: [] as string[], status: 200, gate: Promise.resolve(), weather: '10SM CLR' }
const center = fastify({ forceCloseConnections: true })
center.get('/api/data/:what', async (request, reply) => {
  const { ids } = request.query as { ids: string }
  const { what } = request.params as { what: string }
  source.calls.push(`${what} ${ids}`)
  await source.gate
  if (source.status !== 200) return reply.code(source.status).send()
  if (ids === 'KZZZ') return reply.code(204).send()
  return what === 'metar'
    ? [{ icaoId: ids, rawOb: `METAR ${ids} 211154Z 28008KT ${source.weather} 18/11 A3002`, obsTime: 1 }]
    : [{ icaoId: ids, rawTAF: `TAF ${ids} 211130Z 2112/2212 28008KT P6SM SKC` }]
})

let api: TestApp
let second: TestApp
let school: School
beforeAll(async () => {
  await center.listen({ port: 0, host: '127.0.0.1' })
  const env = { WEATHER_API_BASE: center.listeningOrigin, RATE_LIMIT_FACTOR: '1' }
  api = await startTestApp({ env })
  second = await startTestApp({ env: { ...env, RATE_LIMIT_FACTOR: '2' }, databaseUrl: api.config.DATABASE_URL ?? '' })
  school = await buildSchool(api)
})
afterAll(async () => {
  await second.close()
  await api.close()
  await center.close()
})
beforeEach(async () => {
  Object.assign(source, { calls: [], status: 200, gate: Promise.resolve(), weather: '10SM CLR' })
  await run('delete from weather_station')
  await run('delete from weather_call')
  await run('delete from weather_request')
})

const run = (text: string, values: unknown[] = []) => api.core.database.pool.query(text, values)
const weather = (station: string, at: TestApp = api) =>
  at.call('GET', `/weather/${station}`, { token: school.student.token })
const age = (minutes: number) =>
  run(`update weather_station set fetched_at = fetched_at - make_interval(mins => $1)`, [minutes])

describe('the weather at a station (§Weather)', () => {
  test('is its METAR and TAF, as sent and read, with the flight category', async () => {
    const response = await weather('KHWD')
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      station: 'KHWD',
      metar: {
        raw: 'METAR KHWD 211154Z 28008KT 10SM CLR 18/11 A3002',
        parsed: { wind: { degrees: 280, knots: 8, gustKnots: null }, ceilingFeet: null, flightCategory: 'VFR' },
      },
      taf: { raw: 'TAF KHWD 211130Z 2112/2212 28008KT P6SM SKC', parsed: { periods: [{ change: 'initial' }] } },
      flightCategory: 'VFR',
      stale: false,
    })
  })

  test('is asked for once in five minutes, by all processes together', async () => {
    await weather('KHWD')
    await weather('KHWD', second)
    expect(source.calls.sort()).toEqual(['metar KHWD', 'taf KHWD'])
    await age(6)
    source.weather = '1/2SM FG VV002'
    expect((await weather('KHWD', second)).json().data).toMatchObject({ flightCategory: 'LIFR', stale: false })
    expect(source.calls).toHaveLength(4)
  })

  test('is asked for once when many ask at once, in several processes', async () => {
    let open = () => {}
    source.gate = new Promise((resolve) => {
      open = resolve
    })
    const asked = [1, 2, 3, 4].flatMap(() => [weather('KOAK'), weather('KOAK', second)])
    while (source.calls.length < 2) await new Promise((resolve) => setImmediate(resolve))
    open()
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(source.calls.sort()).toEqual(['metar KOAK', 'taf KOAK'])
  })

  test('is the last known one, stale, when the source fails', async () => {
    await weather('KHWD')
    await age(30)
    source.status = 500
    const response = await weather('KHWD')
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({ flightCategory: 'VFR', stale: true })
    // A source that failed is left alone for a while.
    const { length } = source.calls
    expect((await weather('KHWD', second)).json().data.stale).toBe(true)
    expect(source.calls).toHaveLength(length)
    await run("update weather_station set retry_at = now() - interval '1 second'")
    source.status = 200
    expect((await weather('KHWD')).json().data.stale).toBe(false)
  })

  test('is 503 with a sentence when the source fails and nothing is known, and without a source', async () => {
    source.status = 500
    const response = await weather('KHWD')
    expect(response.statusCode).toBe(503)
    expect(response.json().message).toBe('The source of weather reports does not answer. Please try again in a minute.')
    const alone = await startTestApp({ databaseUrl: api.config.DATABASE_URL ?? '' })
    const none = await weather('KHWD', alone)
    expect(none.statusCode).toBe(503)
    expect(none.json().message).toBe('This service has no source of weather reports.')
    await alone.close()
  })

  test('of an unknown station is 404, which is kept for an hour', async () => {
    expect((await weather('KZZZ')).statusCode).toBe(404)
    expect((await weather('KZZZ', second)).statusCode).toBe(404)
    expect(source.calls).toHaveLength(2)
    await run("update weather_station set unknown_until = unknown_until - interval '61 minutes'")
    expect((await weather('KZZZ')).statusCode).toBe(404)
    expect(source.calls).toHaveLength(4)
  })

  test.each(['K', 'KHWDX', '1HWD', 'K-WD', 'KH%20D'])('of %j is refused: it is no airport code', async (station) => {
    expect((await weather(station)).statusCode).toBe(400)
    expect(source.calls).toEqual([])
  })

  test('is asked for by no more than 30 calls a minute', async () => {
    await run('insert into weather_call (called_at) select now() from generate_series(1, 29)')
    expect((await weather('KHWD')).statusCode).toBe(503)
    expect(source.calls).toEqual([])
    await run(
      "update weather_call set called_at = now() - interval '61 seconds' where id in (select id from weather_call limit 1)",
    )
    await run('update weather_station set retry_at = null')
    expect((await weather('KHWD')).statusCode).toBe(200)
    expect(source.calls).toHaveLength(2)
  })

  test('of a 61st station within an hour is refused to an organization, one of the 60 is not', async () => {
    await run(
      `insert into weather_request (organization_id, station) select $1, 'K' || to_char(n, 'FM000') from generate_series(1, 60) n`,
      [school.organizationId],
    )
    const refused = await weather('KHWD')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    expect((await weather('K001')).statusCode).toBe(200)
    expect((await weather('KHWD', second)).statusCode, 'twice the limits').toBe(200)
    const other = await buildSchool(api)
    const elsewhere = () => api.call('GET', '/weather/KOAK', { token: other.student.token })
    expect((await elsewhere()).statusCode).toBe(200)
    // The owner has 60 stations in one school: another one of theirs has no more.
    await run("delete from weather_request where station in ('KHWD', 'KOAK')")
    await run('update membership set account_id = $1 where id = $2', [school.owner.accountId, other.owner.orgUserId])
    expect((await elsewhere()).statusCode).toBe(429)
    await run("update weather_request set station = 'KOAK' where station = 'K001'")
    expect((await elsewhere()).statusCode).toBe(200)
  })

  test('is where a location says', async () => {
    const { data } = (await api.call('GET', `/locations/${school.location.id}`, { token: school.student.token })).json()
    expect(data).toMatchObject({ airportIdentifier: 'KHWD', weatherStation: 'KHWD' })
    expect((await weather(data.weatherStation)).statusCode).toBe(200)
  })
})
