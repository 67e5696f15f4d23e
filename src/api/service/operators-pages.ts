import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/platform/config/config.ts'
import { httpErrors } from '../http/http.errors.ts'
import type { Services } from '../http/services.ts'
import { operatorsOnly } from './operators.ts'

/** The pages can load only their own files. The script of the dashboard writes inline styles. */
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
 * Restricts the pages of a scope to operators, and protects them against framing and cross-site requests.
 */
export function installOperatorsPages(scope: FastifyInstance, services: Services): void {
  const { config } = services
  scope.addHook('onRequest', operatorsOnly(services))
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', policy)
    assertComesFromHere(request, config)
  })
}

/**
 * Refuses changes from other sites, because a browser sends an operator's credentials with every request. A request
 * that names no origin is accepted: browsers send the origin, so it comes from a program, which has its own
 * credentials.
 */
function assertComesFromHere(request: FastifyRequest, config: Config): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site === undefined ? origin === undefined || isOwn(origin, request, config) : site === 'same-origin') return
  throw httpErrors.notFromThePage()
}

function isOwn(origin: string, request: FastifyRequest, config: Config): boolean {
  return origin === `${request.protocol}://${request.host}` || origin === publicOrigin(config)
}

function publicOrigin({ PUBLIC_URL }: Config): string {
  return new URL(PUBLIC_URL).origin
}
