/** As much of JSON Schema as the document uses. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  example?: unknown
  format?: string
  minimum?: number
  [key: string]: unknown
}

/** An example of a schema: the one it gives, or one put together from those of its parts. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (options?.length) return exampleOf(options[0] as JsonSchema)
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, exampleOf(part)]))
  }
  if (schema.default !== undefined) return schema.default
  return plain(schema)
}

function plain(schema: JsonSchema): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return schema.items ? [exampleOf(schema.items)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'null':
      return null
    case 'object':
      return {}
    default:
      return schema.format === 'date-time' ? '2026-11-21T15:00:00Z' : 'text'
  }
}
