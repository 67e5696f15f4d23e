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

const Health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() }).meta({ id: 'Health' })

const readiness = {
  access: 'anyone',
  tag: 'Service',
  summary: 'Check whether the service can work',
  answers: { 200: Health, 503: Health },
} as const

const readyWhen =
  'Answers 200 when the database responds within two seconds, the schema belongs to this release, and the process ' +
  'is not stopping; otherwise 503. While the queues are unavailable, requests succeed and their jobs wait.'

const health = {
  ...readiness,
  id: 'readHealth',
  description: `${readyWhen} The answer has no \`data\` envelope. Load balancers use \`GET /health/ready\`, which is not rate limited.`,
  errors: [platformErrors.tooManyRequests],
} as const

const ready = {
  ...readiness,
  id: 'readReadiness',
  description: `${readyWhen} The answer has no \`data\` envelope and is not rate limited. It is the same as that of \`GET /health\`.`,
} as const

const liveness = {
  id: 'readLiveness',
  access: 'anyone',
  tag: 'Service',
  summary: 'Check whether the process runs',
  description:
    'Answers 200 as long as the process responds, whatever the state of database and queues is. A supervisor can ' +
    'restart a process that does not respond. The answer has no `data` envelope and is not rate limited.',
  answers: { 200: Health },
} as const

/**
 * Mounts the health checks for supervisors and load balancers, without the envelope: whether the process runs, and
 * whether it can work. Details are only at `GET /ops/health`, for operators.
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
    scope.get('/ops/health', async (_request, reply) => {
      const [works, parts] = await Promise.all([isReady(), services.health.parts()])
      const stuck = neededByApi.every((part) => parts[part] === 'ok') ? await findStuck(services.database.pool) : null
      return reply
        .code(works ? 200 : 503)
        .send({ ...state(works), ...parts, uptimeSeconds: Math.round(process.uptime()), stuck })
    })
  })
}
