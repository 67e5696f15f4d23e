import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/platform/config/config.ts'
import { Forbidden } from '../../shared/platform/kernel/errors.ts'
import type { Services } from '../http/services.ts'
import { operatorsOnly } from './operators.ts'

/** Their own files and nothing else. Styles are written into the pages by the dashboard's own script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Keeps the pages of a scope for operators: nobody else sees them, no other site may frame them, and nothing is done
 * through them on behalf of another site. Their routes are no part of the interface's document.
 */
export function installOperatorsPages(scope: FastifyInstance, services: Services): void {
  const { config } = services
  scope.addHook('onRequest', operatorsOnly(services))
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', policy)
    mustComeFromHere(request, config)
  })
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
  })
}

/**
 * Refuses what another site has an operator's browser do: it sends their credentials along by itself. A browser says
 * where a request comes from; a program that says nothing has the credentials of its own.
 * @throws Forbidden when a change is asked for from elsewhere.
 */
function mustComeFromHere(request: FastifyRequest, config: Config): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site === undefined ? origin === undefined || isOwn(origin, request, config) : site === 'same-origin') return
  throw new Forbidden('This can only be done from the page itself.')
}

function isOwn(origin: string, request: FastifyRequest, config: Config): boolean {
  return origin === `${request.protocol}://${request.host}` || origin === publicOrigin(config)
}

function publicOrigin({ PUBLIC_URL }: Config): string {
  return new URL(PUBLIC_URL).origin
}
