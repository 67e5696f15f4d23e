import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../shared/platform/kernel/errors.ts'
import type { RateLimits } from './rate-limit.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/**
 * What browsers and caches are told of every answer. Pages add a content security policy of their own; signed
 * downloads say how long the browser may keep them; nothing else is kept by anybody.
 */
const safeHeaders = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
}

/** Puts the headers on an answer that every answer has, whatever it is about. */
export function putCommonHeaders(rateLimits: RateLimits, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).headers(safeHeaders)
  rateLimits.announce(reply)
}

/** Has every answer carry the common headers, and those that let browsers of any origin read the interface. */
export async function installResponseHeaders(app: FastifyInstance, rateLimits: RateLimits): Promise<void> {
  app.addHook('onRequest', (request, reply, next) => {
    putCommonHeaders(rateLimits, request, reply)
    next()
  })
  app.addHook('onSend', (request, reply, payload, next) => {
    if (isForOperators(request.url)) {
      reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
      reply.header('cross-origin-resource-policy', 'same-origin')
    }
    // Files of the pages: their plugin would have shared caches keep them.
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
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'idempotency-replayed',
    ],
    maxAge: 86_400,
  })
}

/**
 * Lets only those questions pass that browsers ask before they call the interface from another site. The pages of
 * operators are for no other site, and nobody else asks for OPTIONS.
 * @throws NotFound for any other.
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
  const { origin, 'access-control-request-method': wanted } = request.headers
  if (!origin || !wanted || isForOperators(request.url)) throw new NotFound('There is nothing at this address.')
}

/** Whether an address is one of the operators' pages. */
function isForOperators(url: string): boolean {
  return /^\/(ops|metrics)(?![^/?])/.test(url)
}
