import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { stateUnits } from './openapi-units.ts'

/** The named schemas of a document. */
export type Schemas = Record<string, JsonSchema>

const LOCAL = '#/$defs/'
const SHARED = '#/components/schemas/'

/** Input schemas are inlined; output schemas with an `id` in their meta are named and referenced. */
class Ids extends z.core.$ZodRegistry<{ id?: string }> {
  override get<S extends z.core.$ZodType>(schema: S) {
    const id = z.globalRegistry.get(schema)?.id
    return (id === undefined ? undefined : { id }) as ReturnType<z.core.$ZodRegistry<{ id?: string }>['get']>
  }
}
const ids = new Ids()
const none = z.registry<{ id?: string }>()

/** Returns the JSON Schema of a body, a query or a path. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = toJson(schema, 'input')
  return json
}

/** Returns the JSON Schema of a response; adds the named parts to `schemas`. */
export function answerSchema(schema: z.ZodType, schemas: Schemas): JsonSchema {
  const { $schema: _, $defs = {}, ...json } = toJson(schema, 'output')
  for (const [name, { id: _id, ...part }] of Object.entries($defs)) schemas[name] = shared(part) as JsonSchema
  return shared(json) as JsonSchema
}

/** Returns a schema, or the target of its reference. */
export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schema.$ref?.startsWith(SHARED) ? (schemas[schema.$ref.slice(SHARED.length)] ?? {}) : schema
}

function toJson(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    metadata: io === 'output' ? ids : none,
    override: ({ zodSchema, jsonSchema: made }) => {
      const json = made as JsonSchema
      // Responses can gain fields without notice, and an unbounded number has no limits.
      if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
      const { override, id: _id, ...rest } = z.globalRegistry.get(zodSchema) ?? {}
      if (override) for (const key of Object.keys(json)) delete json[key]
      Object.assign(json, rest, override)
    },
  }) as JsonSchema
  return decimalsInWords(stateUnits(json)) as JsonSchema
}

/** The steps of decimals in words. Validators that compute with floating-point numbers refuse 0.3 as a multiple of 0.1. */
const steps: Readonly<Record<string, string>> = { '0.1': 'At most one decimal.', '0.01': 'At most two decimals.' }

/**
 * Returns a schema whose descriptions say the steps of decimals in place of `multipleOf`: that of a field with its unit says
 * the step of the alternatives too.
 */
function decimalsInWords(node: unknown, isSaid = false): unknown {
  if (Array.isArray(node)) return node.map((part) => decimalsInWords(part, isSaid))
  if (typeof node !== 'object' || node === null) return node
  const found = stepOf(node as JsonSchema)
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    decimalsInWords(value, key === 'anyOf' && (isSaid || found !== undefined)),
  ])
  if (found === undefined) return Object.fromEntries(entries)
  const { multipleOf: _, description, ...rest } = Object.fromEntries(entries) as JsonSchema
  const said = isSaid ? description : [description?.replace(/[.]?$/, '.'), found].filter(Boolean).join(' ')
  return { ...rest, ...(said !== undefined && { description: said }) }
}

/** Returns the words for the step of a number, or of its alternatives; undefined for what has none. */
function stepOf({ multipleOf, anyOf = [] }: JsonSchema): string | undefined {
  return steps[String(multipleOf)] ?? anyOf.map(stepOf).find((words) => words !== undefined)
}

function shared(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shared)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(LOCAL, SHARED) : shared(value),
    ]),
  )
}
