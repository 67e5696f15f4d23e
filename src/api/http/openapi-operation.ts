import { z } from 'zod'
import type { DeskGrant } from '../../shared/platform/authz/desk-grants.rules.ts'
import type { AccessRule } from './authentication.ts'
import type { JsonSchema } from './json-schema.ts'
import { byStatus, errorAnswer, generalErrorsOf, nameOfErrors, pascal, type Reason } from './openapi-errors.ts'
import { exampleOf } from './openapi-examples.ts'
import { answerSchema, bodySchema, inputSchema, type NamedSchemas } from './openapi-schema.ts'
import { errorHeaders, meaning, readHeaders, sharedError } from './openapi-shared.ts'
import { recordedExample } from './recorded-examples.ts'
import { NAME } from './share-parts.ts'
import { mayLackBody } from './validation.ts'

/** The documented part of a declaration. */
export interface Documented {
  id: string
  access: AccessRule
  grant?: DeskGrant
  verified?: boolean
  secret?: boolean
  links?: boolean
  edits?: string
  computed?: boolean
  tag: string
  summary: string
  description?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The body of a route that reads it itself: its content type and its schema in the document. */
  rawBody?: { media: string; schema: z.ZodType; example?: unknown }
  answers: Record<string, z.ZodType | null>
  /** The content type of a success that is not JSON. */
  media?: string
  /** The content types of a success besides JSON. */
  otherMedia?: readonly string[]
  errors?: readonly Reason[]
  /**
   * Present on mounted endpoints only. These count against the rate limits, and their POSTs accept an Idempotency-Key.
   */
  read?: unknown
  write?: unknown
}

export type Operation = Record<string, unknown>

/**
 * Returns one operation of the document, and adds the schemas that it references to `named`. Bodies and answers without
 * a recorded example get theirs later.
 */
export function describeOperation(endpoint: Documented, method: string, url: string, named: NamedSchemas): Operation {
  const mounted = isMounted(endpoint)
  const recorded = recordedExample(method, documentedPath(url))
  const parameters = [
    ...parametersOf('path', endpoint.params, recorded?.params),
    ...parametersOf('query', endpoint.query, recorded?.query),
    ...(mounted ? [{ $ref: '#/components/parameters/Prefer' }] : []),
    ...(mounted && method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(hasTag(endpoint, method) && !endpoint.links ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(endpoint.edits ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ]
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [withoutList(endpoint), whoOf(endpoint)].filter(Boolean).join('\n\n'),
    // The document asks for a token; only operations for anyone say otherwise.
    ...(endpoint.access === 'anyone' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.rawBody && { requestBody: rawBodyOf(endpoint.rawBody, pascal(endpoint.id), named) }),
    ...(endpoint.body && { requestBody: bodyOf(endpoint.body, pascal(endpoint.id), recorded?.body, named) }),
    responses: {
      ...answersOf(endpoint, method, named, recorded),
      ...errorsOf(endpoint, method),
    },
  }
}

/** Returns the description of an endpoint, which says of an array of computed rows that it is no list. */
function withoutList({ description = '', computed }: Documented): string {
  const sentence = 'Computed for each request, without list parameters.'
  return computed ? `${description} ${sentence}`.trim() : description
}

/** Returns the path in the document's form: `/users/{id}`. */
export function documentedPath(url: string): string {
  return url.replace(/:([A-Za-z0-9_]+)/g, '{$1}')
}

/** Returns the body of an operation. Its schema has the name in its meta, otherwise `<OperationId>Body`. */
function bodyOf(schema: z.ZodType, operation: string, example: unknown, named: NamedSchemas) {
  const json = bodySchema(schema, `${operation}Body`, named)
  return {
    required: !mayLackBody(schema),
    content: { 'application/json': { schema: json, ...(example !== undefined && { example }) } },
  }
}

function rawBodyOf(
  { media, schema, example }: NonNullable<Documented['rawBody']>,
  operation: string,
  named: NamedSchemas,
) {
  const json = bodySchema(schema, `${operation}Body`, named)
  return { required: true, content: { [media]: { schema: json, ...(example !== undefined && { example }) } } }
}

/** Returns the schema of a body that is not JSON: text or bytes. */
function mediaSchema(media: string): JsonSchema {
  const isText = media.startsWith('text/') || media.endsWith('+xml')
  return isText ? { type: 'string' } : { type: 'string', format: 'binary' }
}

function parametersOf(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  recorded: Record<string, unknown> = {},
): unknown[] {
  if (!schema) return []
  const { properties = {}, required = [] } = inputSchema(schema)
  return Object.entries(properties).map(([name, { description, examples = [], example: _, ...part }]) => {
    const example =
      asTyped(part, recorded[name]) ?? examples[0] ?? (required.includes(name) ? exampleOf(part) : undefined)
    return {
      [NAME]: `${idOf(schema, name) ?? pascal(name)}${pascal(place)}`,
      name,
      in: place,
      ...((place === 'path' || required.includes(name)) && { required: true }),
      ...(description && { description }),
      // A list is sent as one comma-separated value.
      ...(part.type === 'array' && { style: 'form', explode: false }),
      schema: part,
      ...(example !== undefined && { example }),
    }
  })
}

/** Returns the `id` of one parameter from the meta of its schema; undefined when there is none. */
function idOf(schema: z.ZodType, name: string): string | undefined {
  const part = schema instanceof z.ZodObject ? (schema.shape[name] as z.ZodType | undefined) : undefined
  return part && z.globalRegistry.get(part)?.id
}

/** Returns a recorded query value in the type of its schema. For a list, a single value becomes a list. */
function asTyped({ type }: JsonSchema, value: unknown): unknown {
  return type === 'array' && value !== undefined ? [value].flat() : value
}

function answersOf(
  endpoint: Documented,
  method: string,
  named: NamedSchemas,
  recorded: ReturnType<typeof recordedExample>,
): Record<string, unknown> {
  const tagged = hasTag(endpoint, method)
  const headers = { ...(tagged && readHeaders), ...listHeaders(endpoint) }
  const withHeaders = Object.keys(headers).length > 0 && { headers }
  const successes = Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, schema]) => {
      const description = meaning[status] ?? 'Success'
      if (endpoint.media) {
        const name = `${pascal(endpoint.media.split('/')[1] ?? '')}Answer`
        return [
          status,
          {
            [NAME]: name,
            description,
            ...withHeaders,
            content: { [endpoint.media]: { schema: mediaSchema(endpoint.media) } },
          },
        ]
      }
      if (!schema) {
        return [status, { [NAME]: pascal(description.split(';')[0] ?? ''), description, ...withHeaders }]
      }
      const json = answerSchema(schema, named)
      const example = String(recorded?.status) === status ? recorded?.answer : undefined
      const content = {
        'application/json': { schema: json, ...(example !== undefined && { example }) },
        ...Object.fromEntries((endpoint.otherMedia ?? []).map((media) => [media, { schema: mediaSchema(media) }])),
      }
      return [status, { ...nameOfAnswer(json, Number(status)), description, ...withHeaders, content }]
    }),
  )
  return tagged && !endpoint.links ? { ...successes, 304: sharedError('NotModified') } : successes
}

/** Returns the name of an answer whose schema is named; an empty object for other answers. */
function nameOfAnswer({ $ref, properties }: JsonSchema, status: number): { [NAME]?: string } {
  const named = $ref ?? properties?.data?.$ref
  const ofList = properties?.data?.items?.$ref
  const name = (named ?? ofList)?.split('/').at(-1)
  if (!name) return {}
  const kind = `${ofList ? 'List' : 'Answer'}${properties?.warnings ? 'WithWarnings' : ''}`
  return { [NAME]: `${status < 400 ? '' : 'Failed'}${name}${kind}` }
}

/** Returns whether an endpoint is mounted like most: it has limits, and names the fields that it ignores. */
function isMounted(endpoint: Documented): boolean {
  return 'read' in endpoint || 'write' in endpoint
}

/** Returns whether the successful answers of an endpoint have an ETag. A stream of events has none. */
function hasTag({ read, secret, answers, media }: Documented, method: string): boolean {
  if (media === 'text/event-stream') return false
  return method === 'GET' && read !== undefined && !secret && Boolean(answers[200] || media)
}

/** Returns the headers that the answer of a list has; an empty object for other endpoints. */
function listHeaders(endpoint: Documented): Record<string, unknown> {
  const { properties = {} } = endpoint.query ? inputSchema(endpoint.query) : {}
  if (!('limit' in properties && 'cursor' in properties)) return {}
  return {
    'X-Total-Count': { $ref: '#/components/headers/TotalCount' },
    'X-Total-Count-Exact': { $ref: '#/components/headers/TotalCountExact' },
    Link: { $ref: '#/components/headers/NextPage' },
  }
}

/** Returns the declared errors, and the shared responses of the statuses for which none is declared. */
function errorsOf(endpoint: Documented, method: string): Record<string, unknown> {
  const general = generalErrorsOf(endpoint, method)
  const shared = [...general].map(([status, name]) => [status, sharedError(name)])
  const own = [...byStatus(endpoint.errors ?? [])].map(([status, reasons]) => {
    const name = general.get(status)
    const headers = errorHeaders[status]
    const answer = { ...errorAnswer(reasons, name === 'NotVerified'), ...(headers && { headers }) }
    return [status, { [NAME]: nameOfErrors(reasons, name), ...answer }]
  })
  return { ...Object.fromEntries(shared), ...Object.fromEntries(own) }
}

/** Returns who may use an operation; nothing when the description says which members may. */
function whoOf({ access, grant, verified, description = '' }: Documented): string {
  if (access === 'member' && !grant && /\bAllowed for\b/.test(description)) return ''
  const text = { anyone: 'anyone, no token', account: 'any signed-in account', member: 'any member' }
  const roles = typeof access === 'string' ? text[access] : access.join(', ')
  const also = access === 'member' ? 'with more rights for holders of' : 'or a holder of'
  const allowed = grant ? `${roles}, ${also} the desk grant \`${grant}\`` : roles
  return `**Who:** ${verified ? `${allowed}, with a verified address` : allowed}`
}
