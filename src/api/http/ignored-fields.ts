import type { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { inputSchema } from './openapi-schema.ts'

/**
 * The most different paths that are collected. `MOST_KEYS` also limits the unknown keys that are visited, because the
 * items of a long list can all have the same unknown key.
 */
const MOST_NAMES = 20
const MOST_KEYS = 200
/** Matches the names that can be written to a header. */
const nameable = /^[\w.-]{1,64}$/

const schemas = new WeakMap<z.ZodType, JsonSchema>()

/**
 * Returns the value of `X-Ignored-Fields`: the dot paths of the keys in a body that its schema does not have, without
 * the indexes of arrays; null when all keys are known. Collects at most 20 paths. A path with other characters than
 * letters, digits, `_`, `.` and `-`, or with more than 64, is counted but not named.
 */
export function ignoredFields(schema: z.ZodType, body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const json = schemas.get(schema) ?? inputSchema(schema)
  schemas.set(schema, json)
  const names = new Set<string>()
  let keys = 0
  let isWhole = true
  for (const path of unknownKeys(json, body, '')) {
    keys += 1
    isWhole = keys <= MOST_KEYS && (names.has(path) || names.size < MOST_NAMES)
    if (!isWhole) break
    names.add(path)
  }
  const named = [...names].filter((name) => nameable.test(name))
  const more = names.size - named.length + (isWhole ? 0 : 1)
  const words = [...named, ...(more > 0 ? [`...${more}${isWhole ? '' : '+'} more`] : [])]
  return words.length > 0 ? words.join(', ') : null
}

function* unknownKeys(schema: JsonSchema, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const shapes = shapesOf(schema)
  if (Array.isArray(value)) {
    const list = shapes.find((shape) => shape.items)
    // A list that is longer than its maximum is refused anyway.
    const entries = typeof list?.maxItems === 'number' ? value.slice(0, list.maxItems) : value
    if (list?.items) for (const entry of entries) yield* unknownKeys(list.items, entry, path)
    return
  }
  const objects = shapes.filter((shape) => shape.properties)
  // A schema without properties accepts any key.
  if (objects.length === 0 || shapes.some(takesAnyKey)) return
  for (const [key, part] of Object.entries(value)) {
    const known = objects.flatMap(({ properties = {} }) => (Object.hasOwn(properties, key) ? [properties[key]!] : []))
    const at = path === '' ? key : `${path}.${key}`
    if (known.length === 0) yield at
    else yield* unknownKeys(known.length === 1 ? known[0]! : { anyOf: known }, part, at)
  }
}

/** Returns a schema and its alternatives, flat. */
function shapesOf(schema: JsonSchema): JsonSchema[] {
  const options = [schema.anyOf, schema.oneOf, schema.allOf as JsonSchema[] | undefined].flatMap((list) => list ?? [])
  return options.length > 0 ? [{ ...schema, anyOf: [] }, ...options.flatMap(shapesOf)] : [schema]
}

function takesAnyKey({ additionalProperties, patternProperties, $ref }: JsonSchema): boolean {
  return (
    $ref !== undefined || patternProperties !== undefined || ![undefined, false].includes(additionalProperties as false)
  )
}
