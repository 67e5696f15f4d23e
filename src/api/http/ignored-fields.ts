import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AnyDeclaration } from './declaration.ts'
import { httpErrors } from './http.errors.ts'
import { alternativesOf, type JsonSchema, takesAnyKey } from './json-schema.ts'
import { inputSchema } from './openapi-schema.ts'
import type { FieldProblem } from './wording.ts'

/** The most names in the header, and the most problems of a refusal. */
const [MOST_NAMES, MOST_PROBLEMS] = [20, 50]
/** The most unknown keys that are visited, because the items of a long list can all have the same unknown key. */
const MOST_KEYS = 200
/** The most characters of a name in a refusal. */
const LONGEST = 100
/** Matches the names that can be written to a header. */
const nameable = /^[\w.-]{1,64}$/

/** The parts of a request whose keys are compared with their schemas. */
export interface KeyedParts {
  query: { schema: z.ZodType | undefined; value: unknown }
  body: { schema: z.ZodType | undefined; value: unknown }
}

const schemas = new WeakMap<z.ZodType, JsonSchema>()
/** The schema of a part that an endpoint does not have: an object without fields. */
const nothing: JsonSchema = { properties: {} }

/**
 * Names the fields and parameters that an endpoint does not know in `X-Ignored-Fields`. Returns them as problems when
 * the request is strict, which `Preference-Applied` then says (RFC 7240).
 */
export function namedUnknown(
  { query, body }: AnyDeclaration,
  request: FastifyRequest,
  reply: FastifyReply,
): FieldProblem[] {
  const parts: KeyedParts = {
    query: { schema: query, value: request.query },
    body: { schema: body, value: request.body },
  }
  const ignored = ignoredFields(parts)
  if (ignored) reply.header('x-ignored-fields', ignored)
  if (!isStrict(request.headers.prefer)) return []
  reply.header('preference-applied', 'handling=strict')
  return ignored ? unknownFields(parts) : []
}

/**
 * Returns the value of `X-Ignored-Fields`: the query parameters and the dot paths of the keys in the body that the
 * endpoint does not have, without the indexes of arrays; null when all are known. Collects at most 20 names. A name
 * with other characters than letters, digits, `_`, `.` and `-`, or with more than 64, is counted but not named.
 */
export function ignoredFields(parts: KeyedParts): string | null {
  const { names, isWhole } = collected(parts, MOST_NAMES)
  const named = [...names].filter((name) => nameable.test(name))
  const more = names.size - named.length + (isWhole ? 0 : 1)
  const words = [...named, ...(more > 0 ? [`...${more}${isWhole ? '' : '+'} more`] : [])]
  return words.length > 0 ? words.join(', ') : null
}

/** Returns a problem for each of the first 50 names that the endpoint does not have. */
export function unknownFields(parts: KeyedParts): FieldProblem[] {
  return [...collected(parts, MOST_PROBLEMS).names].map((name) => {
    const field = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name
    return { field, message: httpErrors.unknownField({ field }) }
  })
}

/**
 * Returns whether a `Prefer` header asks for `handling=strict` (RFC 7240). Of several preferences for the handling,
 * the first counts.
 */
export function isStrict(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').split(',')
  const values = preferences.flatMap((one) => /^\s*handling\s*=\s*"?(\w+)"?\s*(;|$)/i.exec(one)?.[1] ?? [])
  return values[0]?.toLowerCase() === 'strict'
}

/** Returns the first `most` different names that are unknown, and whether these are all. */
function collected({ query, body }: KeyedParts, most: number): { names: Set<string>; isWhole: boolean } {
  const names = new Set<string>()
  let keys = 0
  for (const { schema, value } of [query, body]) {
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) continue
    for (const path of unknownKeys(schema ? jsonOf(schema) : nothing, value, '')) {
      keys += 1
      if (keys > MOST_KEYS || (!names.has(path) && names.size >= most)) return { names, isWhole: false }
      names.add(path)
    }
  }
  return { names, isWhole: true }
}

function jsonOf(schema: z.ZodType): JsonSchema {
  const json = schemas.get(schema) ?? inputSchema(schema)
  schemas.set(schema, json)
  return json
}

function* unknownKeys(schema: JsonSchema, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const shapes = alternativesOf(schema)
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
