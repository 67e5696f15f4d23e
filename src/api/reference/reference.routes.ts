import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ofThisWeek } from '../http/openapi.ts'
import type { Services } from '../http/services.ts'
import { countPage } from '../http/special-limits.ts'
import { StaticPage } from '../http/static-page.ts'
import type { Document } from './document.ts'
import { readGuides } from './guides.ts'
import { pagePolicy } from './layout.ts'
import { createReference } from './reference-pages.ts'

/**
 * Serves the reference at `/docs`: pages without scripts, built from the OpenAPI document. Swagger UI, which can send
 * requests, is at `/docs/try`.
 */
export function installReferencePages(app: FastifyInstance, services: Services): void {
  const written = ofThisWeek(app, services, (document) => ({
    reference: createReference(document as Document, readGuides(), services.config.PUBLIC_URL),
    made: new Map<string, StaticPage>(),
  }))
  const serve = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const { reference, made } = written()
    const text = made.has(path) ? null : reference.page(path)
    if (text !== null) made.set(path, new StaticPage(text))
    const page = made.get(path)
    if (!page) return reply.callNotFound()
    reply.header('content-security-policy', pagePolicy)
    return page.send(request, reply)
  }
  const options = { onRequest: countPage(services), config: { page: true } }
  app.get('/docs', options, (request, reply) => serve('', request, reply))
  app.get<{ Params: { name: string } }>('/docs/:name', options, (request, reply) =>
    serve(request.params.name, request, reply),
  )
  app.get<{ Params: { name: string } }>('/docs/guides/:name', options, (request, reply) =>
    serve(`guides/${request.params.name}`, request, reply),
  )
  app.get<{ Querystring: { q?: unknown } }>('/docs/find', options, (request, reply) => {
    const { q } = request.query
    return reply
      .header('content-security-policy', pagePolicy)
      .type('text/html; charset=utf-8')
      .send(written().reference.search(typeof q === 'string' ? q : ''))
  })
}
