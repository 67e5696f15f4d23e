import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Who } from './authentication.ts'
import { exampleOf, type JsonSchema } from './openapi-examples.ts'

interface Documented {
  who: Who
  verified?: boolean
  tag: string
  summary: string
  description?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  answers: Record<string, z.ZodType | null>
  errors?: Record<string, string>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: unknown
  }
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'Safe to show to a user' },
    code: { type: 'string', description: 'For a client to act on' },
    details: { type: 'object', additionalProperties: true },
  },
}

/** Serves the OpenAPI 3.1 document at `/openapi.json` and the reference page at `/docs`, both made from the routes. */
export async function installReference(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Flightline',
        version: '1.0.0',
        description: introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
        schemas: { Error: errorSchema as never },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const endpoint = route.config?.endpoint as Documented | undefined
      return { url, schema: endpoint ? (describe(endpoint, route) as FastifySchema) : { ...schema, hide: true } }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      persistAuthorization: true,
      docExpansion: 'none',
      filter: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
    },
    theme: { title: 'Flightline interface reference' },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.send(app.swagger()))
}

const introduction = `Scheduling, dispatch, close-out, billing and training for flight schools.

Sign in with \`POST /auth\`, or sign up with \`POST /users\`, and send the token as \`Authorization: Bearer …\` with every
request that needs one. A success that has a body is \`{ "data": … }\`; an error is \`{ "message": … }\`, written to be shown
to a user, with a \`code\` and \`details\` where a client can act on them. Money is whole cents, instants carry an offset or
\`Z\`, ids are integers. Any POST takes an \`Idempotency-Key\`.`

function describe(endpoint: Documented, route: RouteOptions): unknown {
  const answers = Object.entries(endpoint.answers).map(([status, schema]) => {
    if (!schema) return [status, { description: meaning[status] ?? 'Done' }]
    const json = jsonSchema(schema, 'output')
    return [
      status,
      {
        description: meaning[status] ?? 'Success',
        content: { 'application/json': { schema: json, example: exampleOf(json) } },
      },
    ]
  })
  const body = endpoint.body && jsonSchema(endpoint.body, 'input')
  return {
    operationId: operationId(String(route.method), route.url),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, `**Who:** ${whoText(endpoint)}`].filter(Boolean).join('\n\n'),
    ...(endpoint.who !== 'anyone' && { security: [{ token: [] }] }),
    ...(endpoint.params && { params: jsonSchema(endpoint.params, 'input') }),
    ...(endpoint.query && { querystring: jsonSchema(endpoint.query, 'input') }),
    ...(body && { body: { ...body, examples: [exampleOf(body)] } }),
    ...(route.method === 'POST' && { headers: idempotencyHeader }),
    response: Object.fromEntries([...answers, ...errorsOf(endpoint)]),
  }
}

const meaning: Record<string, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  302: 'Go there',
}

const idempotencyHeader = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      maxLength: 255,
      description: 'The same key answers the same within 24 hours, and does the work once',
    },
  },
}

function errorsOf(endpoint: Documented): [string, unknown][] {
  const listed: Record<string, string> = {
    ...(endpoint.who !== 'anyone' && { 401: 'The token is missing, expired or malformed: sign in again' }),
    ...(endpoint.who !== 'anyone' && endpoint.who !== 'account' && { 403: 'The answer is no for this caller' }),
    429: 'Too many requests; `Retry-After` says when to come back',
    ...endpoint.errors,
  }
  return Object.entries(listed).map(([status, description]) => [
    status,
    {
      description,
      content: { 'application/json': { schema: errorSchema, example: { message: `${description}.` } } },
    },
  ])
}

function whoText({ who, verified }: Documented): string {
  const text = { anyone: 'anyone, no token', account: 'any signed-in account', member: 'any member' }
  const allowed = typeof who === 'string' ? text[who] : who.join(', ')
  return verified ? `${allowed}, with a verified address` : allowed
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    metadata: z.registry(),
    override: ({ zodSchema, jsonSchema: made }) => {
      const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodType)
      if (!meta) return
      const { override, id: _id, ...rest } = meta as { override?: object; id?: string }
      if (override) for (const key of Object.keys(made)) delete (made as Record<string, unknown>)[key]
      Object.assign(made, rest, override)
    },
  })
  return json as JsonSchema
}

function operationId(method: string, url: string): string {
  const words = url
    .split('/')
    .flatMap((part) => part.replace(/^:/, 'by-').split(/[^A-Za-z0-9]+/))
    .filter(Boolean)
  return [method.toLowerCase(), ...words]
    .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join('')
}
