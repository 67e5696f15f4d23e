import type { FastifyInstance } from 'fastify'
import { nameChoices } from './openapi-choices.ts'
import { giveExamples } from './openapi-examples.ts'
import { type Documented, describeOperation, documentedPath, type Operation } from './openapi-operation.ts'
import { type NamedSchemas, unitedSchemas } from './openapi-schema.ts'
import { firstSchemas, sharedComponents } from './openapi-shared.ts'
import { documentTags } from './openapi-tags.ts'
import { shareParts } from './share-parts.ts'

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

/**
 * Returns a function that builds the OpenAPI 3.1 document of the endpoints that are mounted between the two calls. `webhooks` is
 * the section of the document about webhook deliveries.
 */
export function describeRoutes(app: FastifyInstance, webhooks: Record<string, Record<string, object>>): () => object {
  const routes = routesOf(app)
  return () => {
    const named: NamedSchemas = { answers: { ...firstSchemas }, bodies: {}, made: new Map() }
    const paths: Record<string, Record<string, Operation>> = {}
    for (const { endpoint, method, url } of routes) {
      const path = documentedPath(url)
      const operation = describeOperation(endpoint, method, url, named)
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
    }
    const { schemas, operations } = unitedSchemas(named, { paths, webhooks })
    giveExamples(operations.paths, schemas)
    const all = nameChoices({ ...operations.paths, ...operations.webhooks }, schemas)
    const shared = shareParts({ ...operations.paths, ...operations.webhooks }, { ...sharedComponents, schemas: all })
    return {
      openapi: '3.1.0',
      info: {
        title: 'Flightline',
        version: '1.0.0',
        description: introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        ...sharedComponents,
        parameters: { ...sharedComponents.parameters, ...shared.parameters },
        responses: { ...sharedComponents.responses, ...shared.responses },
        schemas: sorted({ ...all, ...shared.schemas }),
      },
      paths: operations.paths,
      servers: [{ url: '/' }],
      security: [{ token: [] }],
      tags: documentTags,
      webhooks: operations.webhooks,
    }
  }
}

function sorted<T>(named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const introduction = `Scheduling, dispatch, close-out, billing and training for flight schools.

Sign in with \`POST /auth\`, or sign up with \`POST /users\`, and send the token as \`Authorization: Bearer …\` with every
request that needs one. A successful answer with a body is \`{ "data": … }\`. An error is \`{ "message": … }\` with a text that can
be shown to a user, and with \`code\` and \`details\` where a client can act on them. Money is whole cents, meter readings are hours,
logged time is tenths of an hour; each number states its unit. Instants carry an offset or \`Z\`, and ids are integers. Every POST
accepts an \`Idempotency-Key\`.

A new record answers 201 with the record, a deletion 204 without a body, and a read, a change or an action 200 with the
record; work that goes on after the answer is 202. Under \`/training\`, new courses, versions, enrollments, records,
credit, endorsements and grants, and deletions, answer 200; an invitation by mail and a notification that is marked as read answer 204.

The errors that all operations of a kind have are shared responses. An operation with errors of its own for a status can
answer these too: 400 \`problems\` by field; 403 without a role or an organization; 404 without the record in
the organization; 409 when somebody changed it at once, or the \`Idempotency-Key\` was used for another request.

Desk staff are owners, admins and dispatchers; staff are desk staff and instructors.

Every response has the headers \`x-request-id\`, \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` and
\`RateLimit-Policy\`, \`Cache-Control\` and \`Vary\`; reads have an \`ETag\`. Parameters and keys of the body that the endpoint does not
know are named in \`X-Ignored-Fields\`; \`Prefer: handling=strict\` refuses them, and \`Preference-Applied\` says so. With \`Accept: application/problem+json\`, errors are problem details (RFC 9457).
Where lists are read from replicas, the answer of a write has \`X-Read-After\`: send it back to read your own write.
Answers over 1 kB are compressed with Brotli or gzip. New fields and endpoints are added without notice: ignore fields that you
do not know.`
