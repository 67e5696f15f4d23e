import type { JsonSchema } from '../http/json-schema.ts'
import { slug } from './markdown.ts'

export const jsonMedia = 'application/json'

export interface Media {
  schema?: JsonSchema
  example?: unknown
}

export interface Response {
  $ref?: string
  description: string
  content?: Record<string, Media>
  headers?: Record<string, unknown>
}

export interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  /** Empty for operations without a token; absent for others. */
  security?: []
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}

/** The parts of the OpenAPI document that the reference shows. */
export interface Document {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: OperationObject }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
  }
}

/** One operation, with its references resolved where the reference shows them. */
export interface Operation extends OperationObject {
  method: string
  path: string
}

/** Returns the operations of the document in its order. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

/** Returns a response, or the target of its reference. */
export function responseOf({ components }: Document, response: Response): Response {
  return components.responses[nameIn(response) ?? ''] ?? response
}

/** Returns the parameters of an operation, with references resolved. */
export function parametersOf({ components }: Document, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((parameter) => components.parameters[nameIn(parameter) ?? ''] ?? parameter)
}

/** Returns the body of an operation with its media type, JSON first; undefined without a body. */
export function bodyOf({ requestBody }: Operation): (Media & { type: string }) | undefined {
  const content = requestBody?.content ?? {}
  const [type] = jsonMedia in content ? [jsonMedia] : Object.keys(content)
  return type === undefined ? undefined : { type, ...content[type] }
}

/** Returns the example of an answer: its own, or the one of its record’s schema. */
export function exampleOfAnswer(
  { components }: { components: Pick<Document['components'], 'schemas'> },
  { schema, example }: Media,
): unknown {
  if (example !== undefined) return example
  const targetOf = (part: JsonSchema = {}) => components.schemas[nameIn(part) ?? ''] ?? part
  const { data } = targetOf(schema).properties ?? {}
  const [record] = targetOf(data?.items ?? data).examples ?? []
  return record && { data: data?.items ? [record] : record }
}

/** Returns the name at the end of a reference. */
export function nameIn({ $ref }: { $ref?: string }): string | undefined {
  return $ref?.split('/').at(-1)
}

/** Returns the address of an operation in the reference. */
export function hrefOf({ tags, operationId }: Operation): string {
  return `/docs/${slug(tags[0] ?? '')}#${operationId}`
}
