import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Core } from '../shared/composition/core.ts'
import { neededByWorker } from '../shared/composition/health.ts'
import { hasOperators, isOperator, OPERATORS_CHALLENGE } from '../shared/platform/authz/operators.ts'
import { whyNotListening } from '../shared/platform/config/listening.ts'
import { version } from '../shared/platform/config/version.ts'
import type { Log } from '../shared/platform/jobs/job-tools.ts'
import type { JobMetrics } from './job-metrics.ts'

/** The HTTP server of a worker. */
export interface WorkerServer {
  /** Makes the readiness check fail from now on. */
  stopping(): void
  close(): Promise<void>
}

/**
 * Serves the health of a worker to supervisors, and its metrics to operators, on `WORKER_HOST` and `WORKER_PORT`.
 * Returns null when no port is set.
 * @throws Error with a one-line message when it cannot listen on the port
 */
export async function startWorkerServer(
  core: Pick<Core, 'config' | 'health'> & { log: Log },
  metrics: JobMetrics,
): Promise<WorkerServer | null> {
  const { config } = core
  const { WORKER_PORT: port, WORKER_HOST: host } = config
  if (port === undefined) return null
  let stopping = false
  const pages: Record<string, (response: ServerResponse, authorization?: string) => Promise<void> | void> = {
    '/health/live': (response) => answerHealth(response, true),
    '/health/ready': async (response) => answerHealth(response, !stopping && (await core.health.works(neededByWorker))),
    async '/metrics'(response, authorization) {
      if (!hasOperators(config)) return answer(response, 404, { message: 'There is nothing at this address.' })
      if (!isOperator(authorization, config)) {
        if (authorization !== undefined) core.log.warn({}, 'an operators’ sign-in was refused')
        response.setHeader('www-authenticate', OPERATORS_CHALLENGE)
        return answer(response, 401, { message: 'This page is for the operators of the service.' })
      }
      const { body, type } = await metrics.text()
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    },
  }
  pages['/health'] = pages['/health/ready']!
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const page = request.method === 'GET' && Object.hasOwn(pages, path) ? pages[path] : undefined
    if (!page) return answer(response, 404, { message: 'There is nothing at this address.' })
    Promise.resolve(page(response, request.headers.authorization)).catch((error: Error) => {
      core.log.error({ err: error }, 'request failed')
      response.destroy()
    })
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    throw whyNotListening(error, { port, host, variable: 'WORKER_PORT' })
  })
  return {
    stopping: () => {
      stopping = true
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function answerHealth(response: ServerResponse, ok: boolean): void {
  answer(response, ok ? 200 : 503, { status: ok ? 'ok' : 'unavailable', version })
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
