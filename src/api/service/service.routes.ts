import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Services } from '../http/services.ts'
import { version } from './version.ts'

const Health = z.object({
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  database: z.enum(['ok', 'unavailable']),
  queue: z.enum(['ok', 'unavailable']),
  uptimeSeconds: z.int(),
})

/** A check that takes longer than this counts as failed. */
const CHECK_TIMEOUT_MS = 2_000

/** `GET /health`: whether this process can work. Without the envelope, for load balancers. */
export function serviceRoutes(app: FastifyInstance, services: Services): void {
  app.get(
    '/health',
    {
      config: {
        endpoint: {
          who: 'anyone',
          tag: 'Service',
          summary: 'Whether the service can work',
          description: '200 when the database and the queues answer, 503 otherwise. No envelope, not rate limited.',
          answers: { 200: Health, 503: Health },
        },
      },
      schema: { response: { 200: Health, 503: Health } },
    },
    async (_request, reply) => {
      const [database, queue] = await Promise.all([
        answers(services.database.pool.query('select 1')),
        answers(services.queues.ping()),
      ])
      const healthy = database && queue
      return reply.code(healthy ? 200 : 503).send({
        status: healthy ? 'ok' : 'unavailable',
        version,
        database: database ? 'ok' : 'unavailable',
        queue: queue ? 'ok' : 'unavailable',
        uptimeSeconds: Math.round(process.uptime()),
      })
    },
  )
}

async function answers(check: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS)
  })
  const answered = await Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    late,
  ])
  clearTimeout(timer)
  return answered
}
