/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
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
  description?: string
  format?: string
  minimum?: number
  maximum?: number
  [key: string]: unknown
}

/** Returns the schemas inside a schema: its fields, its named parts, its items and its alternatives. */
export function partsOf({
  properties,
  $defs,
  items,
  additionalProperties,
  anyOf,
  oneOf,
  allOf,
}: JsonSchema): JsonSchema[] {
  const parts = [properties, $defs].flatMap((named) => Object.values(named ?? {}))
  const lists = [anyOf, oneOf, allOf].flatMap((list) => (list as JsonSchema[] | undefined) ?? [])
  return [...parts, ...lists, items, additionalProperties].filter((part) => typeof part === 'object') as JsonSchema[]
}

/** Returns a schema and its alternatives, flat. */
export function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const options = [schema.anyOf, schema.oneOf, schema.allOf as JsonSchema[] | undefined].flatMap((list) => list ?? [])
  return options.length > 0 ? [{ ...schema, anyOf: [] }, ...options.flatMap(alternativesOf)] : [schema]
}

/** Returns whether an object of a schema may have keys that the schema does not name. */
export function takesAnyKey({ additionalProperties, patternProperties, $ref }: JsonSchema): boolean {
  return (
    $ref !== undefined || patternProperties !== undefined || ![undefined, false].includes(additionalProperties as false)
  )
}
