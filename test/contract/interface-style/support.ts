import { readFileSync } from 'node:fs'
import type { JsonSchema } from '../../../src/api/http/json-schema.ts'

/** A query parameter of an operation. */
export interface QueryParameter {
  /** The operation, such as `GET /users/{id}`. */
  operation: string
  name: string
  schema: JsonSchema
  description: string
}

interface Described {
  $ref?: string
  in: string
  name: string
  schema: JsonSchema
  description?: string
}

interface Operation {
  description: string
  parameters?: Described[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonSchema }> }>
}

const {
  paths,
  components,
}: {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, never>>
} = JSON.parse(readFileSync(new URL('../../../interface/openapi.json', import.meta.url), 'utf8'))

/** Returns a part of the document, or the target of its reference. */
function resolved<Part extends { $ref?: string }>(part: Part): Part {
  const [kind = '', name = ''] = part.$ref?.split('/').slice(2) ?? []
  return part.$ref ? (components[kind]?.[name] as unknown as Part) : part
}

/** Returns the schema of a parameter with the enums that it refers to. */
function writtenOut(schema: JsonSchema): JsonSchema {
  const { items, anyOf, ...own } = resolved(schema)
  return { ...own, ...(items && { items: writtenOut(items) }), ...(anyOf && { anyOf: anyOf.map(writtenOut) }) }
}

/** Every operation of the document. */
export const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method,
    description: operation.description,
    parameters: (operation.parameters ?? []).map(resolved),
    /** The schema of the body, with what it refers to written out; undefined without one. */
    body: bodyOf(operation),
    /** The schema of `data` in a success; undefined without one. */
    data: dataOf(operation),
  })),
)

/** Every query parameter of the document. */
export const queryParameters: QueryParameter[] = operations.flatMap(({ name: operation, parameters }) =>
  parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, description = '' }) => ({ operation, name, schema: writtenOut(schema), description })),
)

function bodyOf({ requestBody }: Operation): JsonSchema | undefined {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  return schema && everywhere(resolved(schema))
}

/** Returns a schema with the references of its fields followed, at every depth. */
function everywhere(given: JsonSchema): JsonSchema {
  const { properties = {}, ...own } = writtenOut(given)
  const fields = Object.entries(properties).map(([name, part]) => [name, everywhere(part)])
  return { ...own, properties: Object.fromEntries(fields) }
}

function dataOf({ responses }: Operation): JsonSchema | undefined {
  const success = responses[200] && resolved(responses[200])
  const schema = success?.content?.['application/json']?.schema
  const data = schema && resolved(schema).properties?.data
  return data && resolved(data)
}
