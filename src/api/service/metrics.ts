import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { availableHelp } from '../../shared/composition/health.ts'
import { queueNames } from '../../shared/platform/contracts/define-job.ts'
import { countConnections } from '../../shared/platform/db/database.ts'
import { countDeliveries, countOutbox } from '../../shared/platform/jobs/counts.queries.ts'
import type { Services } from '../http/services.ts'
import { installOperatorsPages } from './operators-pages.ts'
import { replicaMetrics, stateMetrics } from './state-metrics.ts'

/** Logs and counts each request, and serves the metrics to operators at `/metrics`. */
export function installMetrics(app: FastifyInstance, services: Services): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'flightline_http_request_seconds',
    help: 'Requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'unknown'
    const seconds = reply.elapsedTime / 1000
    requests.observe({ method: request.method, route, status: reply.statusCode }, seconds)
    // Log the route, not the URL: URLs can contain secrets.
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
    next()
  })
  const jobs = gauge(registry, 'flightline_queue_jobs', 'Jobs by queue and state', ['queue', 'state'])
  const outboxAge = gauge(
    registry,
    'flightline_outbox_oldest_seconds',
    'Age of the oldest job that is pending and due',
    [],
  )
  const outboxRows = gauge(registry, 'flightline_outbox_rows', 'Jobs pending, and jobs given up', ['state'])
  const connections = gauge(
    registry,
    'flightline_database_connections',
    'Connections to PostgreSQL by pool and state; state "limit" is the most that the pool may open',
    ['pool', 'state'],
  )
  const available = gauge(registry, 'flightline_available', availableHelp, ['part'])
  const deliveries = gauge(
    registry,
    'flightline_deliveries',
    'What left the service within the last 24 hours, by kind: delivered, retried, given_up, open',
    ['kind', 'state'],
  )

  const readState = stateMetrics(registry, services)
  const readReplicas = replicaMetrics(registry, services)

  app.register(async (scope) => {
    installOperatorsPages(scope, services)
    scope.get('/metrics', async (_request, reply) => {
      const parts = await services.health.parts()
      for (const [part, state] of Object.entries(parts)) available.set({ part }, state === 'ok' ? 1 : 0)
      await readState(parts)
      readReplicas()
      // A component that is not available has no figures. The figures of the others are still read.
      const [inQueues, pending, left] = await Promise.all([
        parts.queue === 'ok' ? countQueues(services) : [],
        parts.database === 'ok' ? countOutbox(services.database.pool) : null,
        parts.database === 'ok' ? countDeliveries(services.database.pool) : [],
      ])
      for (const one of [jobs, outboxRows, outboxAge, deliveries]) one.reset()
      for (const [queue, counts] of inQueues) {
        for (const [state, count] of Object.entries(counts)) jobs.set({ queue, state }, count)
      }
      if (pending) {
        const { oldestSeconds, ...rows } = pending
        for (const [state, count] of Object.entries(rows)) outboxRows.set({ state }, count)
        outboxAge.set(oldestSeconds)
      } else outboxAge.remove()
      for (const { kind, delivered, retried, givenUp, open } of left) {
        const states = { delivered, retried, given_up: givenUp, open }
        for (const [state, count] of Object.entries(states)) deliveries.set({ kind, state }, count)
      }
      const queue = services.queues.connections()?.queue
      for (const [pool, counts] of Object.entries({ work: countConnections(services.database.pool), queue })) {
        for (const [state, count] of Object.entries(counts ?? {})) connections.set({ pool, state }, count)
      }
      return reply.type(registry.contentType).send(await registry.metrics())
    })
  })
}

/** Returns the numbers of jobs by state, for each queue. */
function countQueues({ queues }: Services): Promise<[string, Record<string, number>][]> {
  return Promise.all(
    queueNames.map(
      async (name): Promise<[string, Record<string, number>]> => [
        name,
        await queues.queue(name).getJobCounts('waiting', 'active', 'delayed', 'failed'),
      ],
    ),
  )
}

function gauge(registry: Registry, name: string, help: string, labelNames: string[]): Gauge {
  return new Gauge({ name, help, labelNames, registers: [registry] })
}
