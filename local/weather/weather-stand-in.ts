import fastify, { type FastifyInstance } from 'fastify'
import { forecastOf, isKnown, observationOf } from './reports.ts'

/**
 * Builds a stand-in for the Aviation Weather Center: `/api/data/metar` and `/api/data/taf` in its JSON shape, with
 * current reports for some stations. It is as strict as the Center, or stricter: it requires identifiers, a format and
 * a User-Agent, and answers 204 when it has no report.
 */
export function buildWeatherStandIn(clock: () => Date = () => new Date()): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  app.get('/api/data/metar', async (request, reply) => {
    const asked = readQuery(request.query)
    if (typeof asked === 'string') return reply.code(400).send({ error: asked })
    if (!request.headers['user-agent']) return reply.code(403).send({ error: 'User-Agent is missing' })
    const reports = asked.ids.filter(isKnown).map((station) => observationOf(station, clock()))
    return reports.length > 0 ? reports : reply.code(204).send()
  })
  app.get('/api/data/taf', async (request, reply) => {
    const asked = readQuery(request.query)
    if (typeof asked === 'string') return reply.code(400).send({ error: asked })
    if (!request.headers['user-agent']) return reply.code(403).send({ error: 'User-Agent is missing' })
    const reports = asked.ids.filter(isKnown).map((station) => forecastOf(station, clock()))
    return reports.length > 0 ? reports : reply.code(204).send()
  })
  return app
}

/** Returns the parameters, or the error message when they are wrong. */
function readQuery(query: unknown): { ids: string[] } | string {
  const { ids, format, ...others } = query as Record<string, unknown>
  if (Object.keys(others).length > 0) return `unknown parameter: ${Object.keys(others)[0]}`
  if (format !== 'json') return 'format must be json'
  if (typeof ids !== 'string' || !/^[A-Z][A-Z0-9]{2,3}(,[A-Z][A-Z0-9]{2,3}){0,9}$/.test(ids)) return 'ids are missing'
  return { ids: ids.split(',') }
}

/** Starts the stand-in on a free port of this machine. */
export async function startWeatherStandIn(clock?: () => Date): Promise<{ url: string; close(): Promise<void> }> {
  const app = buildWeatherStandIn(clock)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: app.listeningOrigin, close: async () => app.close() }
}
