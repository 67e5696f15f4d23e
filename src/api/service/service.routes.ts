import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createHealthCheck, isHealthy } from '../../shared/composition/health.ts'
import { version } from '../../shared/platform/config/version.ts'
import { isDraining } from '../http/drain.ts'
import type { Services } from '../http/services.ts'
import { installOperatorsPages } from './operators-pages.ts'

const Health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() })

/** `GET /health` and `GET /health/ready` answer the same. */
const readiness = {
  access: 'anyone',
  tag: 'Service',
  summary: 'Whether the service can work',
  description:
    '200 when the database and the queues answer, the schema is that of this release, and the process is not stopping; ' +
    '503 otherwise. No envelope, not rate limited. `GET /health` answers as `GET /health/ready` does.',
  answers: { 200: Health, 503: Health },
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
  const check = createHealthCheck(services)
  for (const [url, id] of [
    ['/health', 'readHealth'],
    ['/health/ready', 'readReadiness'],
  ] as const) {
    app.get(
      url,
      { config: { endpoint: { id, ...readiness } }, schema: { response: { 200: Health, 503: Health } } },
      async (_request, reply) => {
        const ready = !isDraining(app) && isHealthy(await check())
        return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', version })
      },
    )
  }
  app.get('/health/live', { config: { endpoint: liveness }, schema: { response: { 200: Health } } }, async () => ({
    status: 'ok' as const,
    version,
  }))
  app.register(async (scope) => {
    installOperatorsPages(scope, services)
    scope.get('/ops/health', { schema: { hide: true } }, async (_request, reply) => {
      const health = await check()
      const healthy = isHealthy(health)
      return reply.code(healthy ? 200 : 503).send({
        status: healthy ? 'ok' : 'unavailable',
        version,
        ...health,
        uptimeSeconds: Math.round(process.uptime()),
      })
    })
  })
}
