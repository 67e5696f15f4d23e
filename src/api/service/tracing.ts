import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Span, type Tracing, withSpan } from '../../shared/platform/tracing/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; null when it is not traced. */
    span: Span | null
  }
}

/**
 * Traces each request, named by the template of its route because URLs can contain tokens. The `traceparent` of a
 * client becomes only a link; otherwise anybody could turn on sampling with it. The one of a trusted proxy becomes the
 * parent.
 */
export function installTracing(app: FastifyInstance, tracing: Tracing | null): void {
  if (!tracing) return
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, next) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const { traceparent } = request.headers
    const given = typeof traceparent === 'string' ? traceparent : null
    if (!/^\/(health|metrics)/.test(route)) {
      request.span = tracing.start(`${method} ${route}`, {
        kind: 'server',
        attributes: { 'http.request.method': method, 'http.route': route },
        ...(cameByProxy(request) ? { parent: given } : { link: given }),
      })
    }
    next()
  })
  app.addHook('preHandler', ({ span }, _reply, next) => (span ? withSpan(span, next) : next()))
  app.addHook('onResponse', ({ span }, { statusCode }, next) => {
    span?.end({ 'http.response.status_code': statusCode }, statusCode >= 500 ? String(statusCode) : undefined)
    next()
  })
}

/** Returns whether a trusted proxy forwarded the request. Fastify sets several `ips` only in that case. */
function cameByProxy({ ips }: FastifyRequest): boolean {
  return (ips?.length ?? 0) > 1
}
