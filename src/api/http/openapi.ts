import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type ExampleWeeks, exampleWeeks, withMovedExamples } from './dated-examples.rules.ts'
import { httpErrors } from './http.errors.ts'
import { nameChoices } from './openapi-choices.ts'
import { giveExamples } from './openapi-examples.ts'
import { type Documented, describeOperation, documentedPath, type Operation } from './openapi-operation.ts'
import { type NamedSchemas, unitedSchemas } from './openapi-schema.ts'
import { firstSchemas, sharedComponents } from './openapi-shared.ts'
import { documentTags } from './openapi-tags.ts'
import type { Services } from './services.ts'
import { shareParts } from './share-parts.ts'
import { countPage } from './special-limits.ts'
import { StaticPage } from './static-page.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: unknown
  }
}

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json` and Swagger UI at `/docs/try`. Both are built from the routes.
 * `webhooks` is the section of the document about webhook deliveries.
 */
export async function installReference(
  app: FastifyInstance,
  services: Services,
  webhooks: Record<string, Record<string, object>>,
): Promise<void> {
  const onRequest = countPage(services)
  const named: NamedSchemas = { answers: { ...firstSchemas }, bodies: {}, made: new Map() }
  const paths: Record<string, Record<string, Operation>> = {}
  const undescribed = routesOf(app)
  const describeNext = () => {
    const next = undescribed.shift()
    if (!next) return false
    const path = documentedPath(next.url)
    const operation = describeOperation(next.endpoint, next.method, next.url, named)
    paths[path] = { ...paths[path], [next.method.toLowerCase()]: operation }
    return true
  }
  describeWhileIdle(app, describeNext)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Flightline',
        version: '1.0.0',
        description: introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: services.config?.PUBLIC_URL ?? '/' }],
      tags: documentTags,
      security: [{ token: [] }],
    },
    // Operations are built here and not by the plugin, because they need more than the schema of a route.
    transform: ({ url }) => ({ url, schema: { hide: true } }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      while (describeNext());
      // The plugin can call this more than once.
      const { schemas, operations } = unitedSchemas(named, { paths, webhooks })
      giveExamples(operations.paths, schemas)
      const all = nameChoices({ ...operations.paths, ...operations.webhooks }, schemas)
      const shared = shareParts({ ...operations.paths, ...operations.webhooks }, { ...sharedComponents, schemas: all })
      const components = {
        ...sharedComponents,
        parameters: { ...sharedComponents.parameters, ...shared.parameters },
        responses: { ...sharedComponents.responses, ...shared.responses },
        schemas: sorted({ ...all, ...shared.schemas }),
      }
      return { ...document.openapiObject, ...operations, components } as unknown as typeof document.openapiObject
    },
  })
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
  app.get('/openapi.json', { onRequest, schema: { hide: true }, config: { page: true } }, (request, reply) =>
    document().send(request, reply),
  )
}

/** A declared endpoint, as it is mounted. */
interface MountedRoute {
  endpoint: Documented
  method: string
  url: string
}

/** Returns the list to which the endpoints are added that are mounted after this call. */
function routesOf(app: FastifyInstance): MountedRoute[] {
  const routes: MountedRoute[] = []
  app.addHook('onRoute', ({ config, method, url }) => {
    const endpoint = config?.endpoint as Documented | undefined
    if (endpoint && method !== 'HEAD') routes.push({ endpoint, method: String(method), url })
  })
  return routes
}

/** How long after its start a process begins to describe its operations, in milliseconds. */
const DESCRIBE_AFTER_MS = 5_000

/**
 * Describes the operations one by one between requests after the process has started. Together they take a second of the
 * event loop, for which every request would wait when the document is read first.
 */
export function describeWhileIdle(app: FastifyInstance, describeNext: () => boolean): void {
  const step = () => {
    if (describeNext()) setImmediate(step)
  }
  app.addHook('onListen', (done) => {
    setTimeout(step, DESCRIBE_AFTER_MS).unref()
    done()
  })
}

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

function sorted<T>(named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a5a9e"/>' +
  '<path fill="#fff" d="M27 6 5 14l8 4 4 9z"/></svg>'

const introduction = `Scheduling, dispatch, close-out, billing and training for flight schools.

Sign in with \`POST /auth\`, or sign up with \`POST /users\`, and send the token as \`Authorization: Bearer …\` with every
request that needs one. A successful answer with a body is \`{ "data": … }\`. An error is \`{ "message": … }\` with a text that can
be shown to a user, and with \`code\` and \`details\` where a client can act on them. Money is whole cents, meter readings are hours,
logged time is tenths of an hour; each number states its unit. Instants carry an offset or \`Z\`, and ids are integers. Every POST
accepts an \`Idempotency-Key\`.

A new record answers 201 with the record, a deletion 204 without a body, and a read, a change or an action 200 with the
record; work that goes on after the answer is 202. Under \`/training\`, new courses, versions, enrollments, records,
credit, endorsements and grants, and deletions, answer 200; an invitation by mail and a notification that is marked as read answer 204.

Desk staff are owners, admins and dispatchers; staff are desk staff and instructors.

Every response has the headers \`x-request-id\`, \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` and
\`RateLimit-Policy\`, \`Cache-Control\` and \`Vary\`; reads have an \`ETag\`. Parameters and keys of the body that the endpoint does not
know are named in \`X-Ignored-Fields\`; \`Prefer: handling=strict\` refuses them, and \`Preference-Applied\` says so. With \`Accept: application/problem+json\`, errors are problem details (RFC 9457).
Answers over 1 kB are compressed with Brotli or gzip. New fields and endpoints are added without notice: ignore fields that you
do not know.`
