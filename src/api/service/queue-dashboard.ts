import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyError, FastifyInstance } from 'fastify'
import { findOrganizationNames } from '../../shared/identity/organizations/organization.queries.ts'
import { queueNames } from '../../shared/platform/contracts/define-job.ts'
import { toAnswer } from '../http/error-handler.ts'
import type { Services } from '../http/services.ts'
import { jobTitle } from './job-title.rules.ts'
import { installOperatorsPages } from './operators-pages.ts'

/** Matches links to fonts on another site, where every visit would be logged. Without them, system fonts are used. */
const foreignFonts = /<link href="https:\/\/fonts\.[^>]*>/g

interface JobToShow {
  name: string
  data?: Record<string, unknown>
  attemptsMade?: number
  finishedOn?: number | null
}

/**
 * Returns how often an unfinished job failed. 0 for a finished job, because the dashboard shows its attempts itself.
 */
function failuresOf({ attemptsMade = 0, finishedOn }: JobToShow): number {
  return finishedOn ? 0 : attemptsMade
}

/**
 * Mounts Bull Board at `/ops/queues`. Only operators can open it, because the queues contain every organization's jobs.
 */
export async function installQueueDashboard(app: FastifyInstance, services: Services): Promise<void> {
  const adapter = new FastifyAdapter()
  adapter.setBasePath('/ops/queues')
  let organizationNames: ReadonlyMap<number, string> = new Map()
  const shown = () =>
    queueNames.map((name) => {
      const queue = new BullMQAdapter(services.queues.queue(name))
      queue.setFormatter('name', (job: JobToShow) =>
        jobTitle(job.name, job.data ?? {}, organizationNames, failuresOf(job)),
      )
      // PostgreSQL has no list of workers. With an empty list the board would show that there are none.
      if (services.queues.kind === 'postgres') queue.getWorkers = async () => null
      return queue
    })
  let shows = false
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapter as unknown as Parameters<typeof createBullBoard>[0]['serverAdapter'],
    // The board would show details of Redis for any store.
    options: { uiConfig: { boardTitle: 'Flightline queues', hideRedisDetails: true } },
  })
  adapter.setErrorHandler((error) => {
    const { status, body } = toAnswer(error as FastifyError)
    if (status >= 500) services.log.error({ err: error }, 'request failed')
    // The page shows this key beside the message.
    return { status, body: { ...body, error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' } } } as never
  })
  await app.register(async (scope) => {
    installOperatorsPages(scope, services)
    scope.addHook('preHandler', async (request) => {
      // The queues are set at the first request, because they can be unavailable when the API starts.
      if (!shows) board.setQueues(shown())
      shows = true
      if (request.url.startsWith('/ops/queues/api/'))
        organizationNames = await findOrganizationNames(services.database.db)
    })
    scope.addHook('onSend', async (_request, reply, payload) => {
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html') && typeof payload === 'string'
      return isPage ? payload.replace(foreignFonts, '') : payload
    })
    await scope.register(adapter.registerPlugin(), { prefix: '/ops/queues' })
  })
}
