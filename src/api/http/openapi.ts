import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type ExampleWeeks, exampleWeeks, withMovedExamples } from './dated-examples.rules.ts'
import { httpErrors } from './http.errors.ts'
import type { Services } from './services.ts'
import { countPage } from './special-limits.ts'
import { StaticPage } from './static-page.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: unknown
  }
  interface FastifyInstance {
    /** Returns the OpenAPI document. Swagger UI asks for it by this name. */
    swagger(): object
  }
}

/** The document of the release, which `build-openapi.ts` builds of the routes. */
const file = join(import.meta.dirname, '../../../interface/openapi.json')

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json` and Swagger UI at `/docs/try`. The document is the recorded one:
 * building it takes a process seconds of work and memory that it does not give back.
 */
export async function installReference(app: FastifyInstance, services: Services): Promise<void> {
  const onRequest = countPage(services)
  await app.register(readsDocument, { url: services.config.PUBLIC_URL })
  await app.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    scope.addHook('onRequest', async ({ routeOptions }) => {
      // The plugin would write the document as YAML, which takes more than a second of the event loop.
      if (routeOptions.url === '/docs/try/yaml') throw httpErrors.nothingHere()
    })
    await scope.register(swaggerUi, {
      routePrefix: '/docs/try',
      staticCSP: policy,
      uiConfig: {
        persistAuthorization: true,
        docExpansion: 'none',
        filter: true,
        tryItOutEnabled: true,
        displayRequestDuration: true,
      },
      theme: {
        title: 'Flightline, try it out',
        // Hides the top bar, which has the logo of Swagger.
        css: [{ filename: 'flightline.css', content: '.swagger-ui .topbar { display: none }' }],
        favicon: [{ filename: 'flightline.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
      },
    })
  })
  const document = ofThisWeek(
    app,
    services,
    (shown) => new StaticPage(JSON.stringify(shown), 'application/json; charset=utf-8'),
  )
  app.get('/openapi.json', { onRequest, config: { page: true } }, (request, reply) => document().send(request, reply))
}

/** Adds `app.swagger`. Swagger UI depends on a plugin of this name. */
const readsDocument = fp<{ url: string }>(
  async (app, { url }) => {
    app.decorate('swagger', () => ({ ...JSON.parse(readFileSync(file, 'utf8')), servers: [{ url }] }))
  },
  { name: '@fastify/swagger' },
)

/**
 * Returns a function that returns `make(document)` for the document with examples moved to the present week. The result
 * is cached for the week.
 */
export function ofThisWeek<T>(
  app: FastifyInstance,
  { clock }: Pick<Services, 'clock'>,
  make: (document: unknown) => T,
): () => T {
  let made: { weeks: ExampleWeeks; result: T } | undefined
  return () => {
    const weeks = exampleWeeks(clock())
    if (made?.weeks.past !== weeks.past || made.weeks.ahead !== weeks.ahead) {
      made = { weeks, result: make(withMovedExamples(app.swagger(), weeks)) }
    }
    return made.result
  }
}

/** The page can load only its own files, use inline styles, and send requests only to this service. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a5a9e"/>' +
  '<path fill="#fff" d="M27 6 5 14l8 4 4 9z"/></svg>'
