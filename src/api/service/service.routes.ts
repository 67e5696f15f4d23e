import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { neededByApi } from '../../shared/composition/health.ts'
import { version } from '../../shared/platform/config/version.ts'
import { findStuck } from '../../shared/platform/jobs/counts.queries.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { isDraining } from '../http/drain.ts'
import type { Services } from '../http/services.ts'
import { countPage } from '../http/special-limits.ts'
import { installOperatorsPages } from './operators-pages.ts'

const Health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() })

const readiness = {
  access: 'anyone',
  tag: 'Service',
  summary: 'Whether the service can work',
  answers: { 200: Health, 503: Health },
} as const

const readyWhen =
  '200 when the database answers within two seconds, the schema is that of this release, and the process is not ' +
  'stopping; 503 otherwise. While the queues are away, requests succeed and their jobs wait.'

const health = {
  ...readiness,
  id: 'readHealth',
  description: `${readyWhen} No envelope. For people; a load balancer asks \`GET /health/ready\`, which has no limit.`,
  errors: [platformErrors.tooManyRequests],
} as const

const ready = {
  ...readiness,
  id: 'readReadiness',
  description: `${readyWhen} No envelope, not rate limited. \`GET /health\` answers the same.`,
} as const

const liveness = {
  id: 'readLiveness',
  access: 'anyone',
  tag: 'Service',
  summary: 'Whether the process runs',
  description:
    '200 while the process answers at all, whatever its database and its queues do: a supervisor restarts a process ' +
    'that does not. No envelope, not rate limited.',
  answers: { 200: Health },
} as const

/**
 * Mounts the health checks for supervisors and load balancers, without the envelope: whether this process runs, and
 * whether it can work. Only operators get the details, at `GET /ops/health`.
 */
export function serviceRoutes(app: FastifyInstance, services: Services): void {
  const isReady = async () => !isDraining(app) && (await services.health.works(neededByApi))
  const state = (works: boolean) => ({ status: works ? ('ok' as const) : ('unavailable' as const), version })
  const response = { 200: Health, 503: Health }
  for (const [url, endpoint, limits] of [
    ['/health', health, { onRequest: countPage(services) }],
    ['/health/ready', ready, {}],
  ] as const) {
    app.get(url, { ...limits, config: { endpoint }, schema: { response } }, async (_request, reply) => {
      const works = await isReady()
      return reply.code(works ? 200 : 503).send(state(works))
    })
  }
  app.get('/health/live', { config: { endpoint: liveness }, schema: { response: { 200: Health } } }, async () =>
    state(true),
  )
  app.register(async (scope) => {
    installOperatorsPages(scope, services)
    scope.get('/ops/health', { schema: { hide: true } }, async (_request, reply) => {
      const [works, parts] = await Promise.all([isReady(), services.health.parts()])
      const stuck = neededByApi.every((part) => parts[part] === 'ok') ? await findStuck(services.database.pool) : null
      return reply
        .code(works ? 200 : 503)
        .send({ ...state(works), ...parts, uptimeSeconds: Math.round(process.uptime()), stuck })
    })
  })
}
