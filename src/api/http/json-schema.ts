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
