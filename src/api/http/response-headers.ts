import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpErrors } from './http.errors.ts'
import type { RateLimits } from './rate-limit.ts'
import { READ_AFTER } from './read-places.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/**
 * The security and cache headers of every response. By default nothing is cached. Pages add a content security policy,
 * signed downloads set how long a browser may cache them, and reads get an ETag (`conditions.ts`). HSTS does not
 * include subdomains, which may belong to other services.
 */
const safeHeaders = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
  vary: 'authorization, accept, accept-language, accept-encoding',
}

/** Sets the headers that every response has. */
export function setCommonHeaders(rateLimits: RateLimits, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).headers(safeHeaders)
  rateLimits.announce(reply)
}

/** Sets the common headers and CORS headers on every response. */
export async function installResponseHeaders(app: FastifyInstance, rateLimits: RateLimits): Promise<void> {
  app.addHook('onRequest', (request, reply, next) => {
    setCommonHeaders(rateLimits, request, reply)
    next()
  })
  app.addHook('onSend', (request, reply, payload, next) => {
    if (reply.statusCode === 401 && !reply.hasHeader('www-authenticate')) {
      const sent = request.headers.authorization !== undefined
      reply.header('www-authenticate', `Bearer realm="Flightline"${sent ? ', error="invalid_token"' : ''}`)
    }
    if (isForOperators(request.url)) {
      reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
      reply.header('cross-origin-resource-policy', 'same-origin')
    }
    // The plugin that serves the pages would allow shared caches to store their files.
    if (String(reply.getHeader('cache-control')).startsWith('public'))
      reply.header('cache-control', 'private, max-age=0')
    next(null, payload)
  })
  app.addHook('onRequest', answerOptions)
  await app.register(cors, {
    origin: '*',
    methods,
    exposedHeaders: [
      'x-request-id',
      'x-total-count',
      'x-total-count-exact',
      'link',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'ratelimit-policy',
      'etag',
      'x-ignored-fields',
      'preference-applied',
      'www-authenticate',
      'allow',
      'retry-after',
      READ_AFTER,
      'idempotency-replayed',
    ],
    maxAge: 86_400,
  })
}

/**
 * Answers CORS preflight requests, and others with the methods of their address. The operators' pages are not available
 * to other sites, and do not tell their methods.
 */
async function answerOptions(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.method !== 'OPTIONS') return
  if (request.raw.url === '*') {
    await reply
      .code(204)
      .header('allow', [...methods, 'HEAD', 'OPTIONS'].join(', '))
      .send()
    return
  }
  if (isForOperators(request.url)) throw httpErrors.nothingHere()
  const { origin, 'access-control-request-method': wanted } = request.headers
  if (origin && wanted) return
  const allowed = request.server.knownMethods.at(request.url)
  if (allowed.length === 0) throw httpErrors.nothingHere()
  await reply.code(204).header('allow', allowed.join(', ')).send()
}

/** Returns whether a URL is one of the operators' pages. */
export function isForOperators(url: string): boolean {
  return /^\/(ops|metrics)(?![^/?])/.test(url)
}
