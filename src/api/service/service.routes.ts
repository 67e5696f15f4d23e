import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Services } from '../http/services.ts'
import { createHealthCheck, isHealthy } from './health.ts'
import { installOperatorsPages } from './operators-pages.ts'

/** The version of this release. */
const version: string = packageJson.version

const Health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() })

/**
 * Mounts `GET /health`: whether this process can work, without the envelope, for load balancers. Only operators get the
 * details, at `GET /ops/health`.
 */
export function serviceRoutes(app: FastifyInstance, services: Services): void {
  const check = createHealthCheck(services)
  app.get(
    '/health',
    {
      config: {
        endpoint: {
          id: 'readHealth',
          access: 'anyone',
          tag: 'Service',
          summary: 'Whether the service can work',
          description:
            '200 when the database and the queues answer and the schema is that of this release, 503 otherwise. No ' +
            'envelope, not rate limited.',
          answers: { 200: Health, 503: Health },
        },
      },
      schema: { response: { 200: Health, 503: Health } },
    },
    async (_request, reply) => {
      const healthy = isHealthy(await check())
      return reply.code(healthy ? 200 : 503).send({ status: healthy ? 'ok' : 'unavailable', version })
    },
  )
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
