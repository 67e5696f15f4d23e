import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyInstance } from 'fastify'
import { queueNames } from '../../shared/jobs/define-job.ts'
import type { Services } from '../http/services.ts'
import { operatorsOnly } from './operators.ts'

/** Bull Board at `/ops/queues`, for operators: the queues hold every organization's jobs. */
export async function installQueueDashboard(app: FastifyInstance, services: Services): Promise<void> {
  const adapter = new FastifyAdapter()
  adapter.setBasePath('/ops/queues')
  createBullBoard({
    queues: queueNames.map((name) => new BullMQAdapter(services.queues.queue(name))),
    serverAdapter: adapter as unknown as Parameters<typeof createBullBoard>[0]['serverAdapter'],
    options: { uiConfig: { boardTitle: 'Flightline queues' } },
  })
  await app.register(async (scope) => {
    scope.addHook('onRequest', operatorsOnly(services.config))
    scope.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true }
    })
    await scope.register(adapter.registerPlugin(), { prefix: '/ops/queues' })
  })
}
