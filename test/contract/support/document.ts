import type { JsonSchema } from '../../../src/api/http/json-schema.ts'
import type { Method, TestApp } from '../../support/app.ts'

interface Media {
  schema?: JsonSchema
  example?: unknown
}

/** A response or the reference to one. */
interface Response {
  $ref?: string
  description?: string
  content?: Record<string, Media>
}

export interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  style?: string
  explode?: boolean
  schema: JsonSchema
  example?: unknown
}

interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}

export interface Document {
  openapi: string
  security: unknown[]
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
  }
}

/** An endpoint of the document. */
export interface Operation extends OperationObject {
  /** `PATCH /users/{id}` */
  name: string
  method: Method
  path: string
  /** The names of its path parameters, in order. */
  pathParameters: string[]
}

/** The document as the API serves it. */
export async function readDocument(api: TestApp): Promise<Document> {
  return (await api.call('GET', '/openapi.json')).json()
}

/** Operations that read and check their body themselves. */
const ownReaders = ['POST /uploads', 'POST /webhooks/stripe']

/**
 * Every operation of the document, with its references to shared parameters and answers, and those of its body, written out.
 * The bodies are those that the service parses by their schemas.
 */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { requestBody, ...operation }]) => {
      const method = verb.toUpperCase() as Method
      const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
      const parameters = (operation.parameters ?? [])
        .map((parameter) => document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter)
        .map((parameter) => ({ ...parameter, schema: writtenOut(document, parameter.schema) }))
      const responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, responseOf(document, response)]),
      )
      const name = `${method} ${path}`
      const json = ownReaders.includes(name) ? undefined : jsonOf(requestBody ?? {})
      const content = { 'application/json': { ...json, schema: writtenOut(document, json?.schema ?? {}) } }
      const body = json && { requestBody: { required: false, ...requestBody, content } }
      return { ...operation, ...body, parameters, responses, name, method, path, pathParameters }
    }),
  )
}

/** A response, found where its reference points, with the schema of its `{ data }` written out. */
export function responseOf({ components }: Pick<Document, 'components'>, response: Response): Response {
  const found = components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response
  const content = Object.entries(found.content ?? {}).map(([media, one]) => {
    const schema = components.schemas[one.schema?.$ref?.split('/').at(-1) ?? '']
    return [media, schema?.properties?.data ? { ...one, schema } : one]
  })
  return { ...found, ...(found.content && { content: Object.fromEntries(content) }) }
}

/** A schema with its references written out. */
export function writtenOut(document: Pick<Document, 'components'>, schema: JsonSchema): JsonSchema {
  const inPlace = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inPlace)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...rest } = node as JsonSchema
    const name = $ref?.split('/').at(-1)
    const parts = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inPlace(value)]))
    return name === undefined ? parts : { ...(inPlace(document.components.schemas[name]) as JsonSchema), ...parts }
  }
  return inPlace(schema) as JsonSchema
}

/** The JSON body of a request or response. */
export function jsonOf({ content }: Response): Media | undefined {
  return content?.['application/json']
}
