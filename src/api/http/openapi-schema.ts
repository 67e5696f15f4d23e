import { z } from 'zod'
import { MAX_ID } from '../../shared/platform/kernel/units.ts'
import { type JsonSchema, partsOf } from './json-schema.ts'
import { stateUnits } from './openapi-units.ts'

/** The named schemas of a document. */
export type Schemas = Record<string, JsonSchema>

/** The schemas with an `id` in their meta. A schema can differ between bodies and answers. */
export interface NamedSchemas {
  answers: Schemas
  bodies: Schemas
  /**
   * The JSON of each named schema before it was finished, by reference. A schema of several operations is finished
   * once.
   */
  made: Map<string, string>
}

const LOCAL = '#/$defs/'
/** The reference prefix of the named schemas of a document. */
export const SHARED = '#/components/schemas/'
/** The reference prefix of a body's schemas until the document is complete. Then `unitedSchemas` names them. */
const OF_BODIES = '#/components/bodies/'

/** Lets zod name and reference the schemas with an `id` in their meta. */
class Ids extends z.core.$ZodRegistry<{ id?: string }> {
  override get<S extends z.core.$ZodType>(schema: S) {
    const id = z.globalRegistry.get(schema)?.id
    return (id === undefined ? undefined : { id }) as ReturnType<z.core.$ZodRegistry<{ id?: string }>['get']>
  }
}
const ids = new Ids()
const none = z.registry<{ id?: string }>()

/** Returns the JSON Schema of a body, a query or a path, without references. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = toJson(schema, 'input', none)
  return finished(json)
}

/** Returns the JSON Schema of an answer, without references. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return toJson(schema, 'output', none)
}

/**
 * Returns a reference to the JSON Schema of a body; adds it and its named parts to `named.bodies`. A schema without an
 * `id` in its meta is called `name`.
 */
export function bodySchema(schema: z.ZodType, name: string, { bodies, made }: NamedSchemas): JsonSchema {
  const json = withNamedParts(defaultsInWords(toJson(schema, 'input', ids)), bodies, OF_BODIES, made)
  if (json.$ref) return json
  bodies[name] = json
  return { $ref: `${OF_BODIES}${name}` }
}

/** Returns the JSON Schema of a response; adds the named parts to `named.answers`. */
export function answerSchema(schema: z.ZodType, { answers, made }: NamedSchemas): JsonSchema {
  return withNamedParts(toJson(schema, 'output', ids), answers, SHARED, made)
}

/**
 * Adds the named schemas inside a schema to `schemas`, and returns the schema with references to them under `place`.
 * @throws Error when two different schemas have the same name.
 */
function withNamedParts(
  { $schema: _, $defs = {}, ...json }: JsonSchema,
  schemas: Schemas,
  place: string,
  made: Map<string, string>,
): JsonSchema {
  for (const [name, { id: _id, ...part }] of Object.entries($defs)) {
    const text = JSON.stringify(part)
    const known = made.get(`${place}${name}`)
    if (known === text) continue
    if (known !== undefined) throw new Error(`two schemas are named ${name}`)
    made.set(`${place}${name}`, text)
    schemas[name] = referring(finished(part), LOCAL, place) as JsonSchema
  }
  return referring(finished(json), LOCAL, place) as JsonSchema
}

/**
 * Returns the named schemas of a document, and its operations with references to them. A body's schema that differs
 * from the answer's schema of the same name gets the name `<name>Input`.
 */
export function unitedSchemas<T>(
  { answers, bodies }: NamedSchemas,
  operations: T,
): { schemas: Schemas; operations: T } {
  const isSame = (name: string): boolean => {
    const text = JSON.stringify(bodies[name])
    const inner = [...text.matchAll(new RegExp(`"${OF_BODIES}(\\w+)"`, 'g'))].map((match) => match[1] ?? '')
    return text.replaceAll(OF_BODIES, SHARED) === JSON.stringify(answers[name]) && inner.every(isSame)
  }
  const nameOf = (name: string) => (name in answers && !isSame(name) ? `${name}Input` : name)
  const named = <P>(part: P): P => {
    const text = JSON.stringify(part)
    return JSON.parse(
      text.replace(new RegExp(`"${OF_BODIES}(\\w+)"`, 'g'), (_, name: string) => `"${SHARED}${nameOf(name)}"`),
    )
  }
  const ofBodies = Object.keys(bodies).map((name) => [nameOf(name), bodies[name]])
  const ofAnswers = Object.entries(answers).map(([name, schema]) => [
    name,
    name in bodies && isSame(name) ? schema : withoutIdBounds(schema),
  ])
  return named({ schemas: { ...Object.fromEntries(ofBodies), ...Object.fromEntries(ofAnswers) }, operations })
}

/** Returns the schema of an answer without the greatest value of an id, which matters to those who send one. */
function withoutIdBounds(schema: JsonSchema | undefined): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`,"maximum":${MAX_ID}`, ''))
}

/** Returns a schema, or the target of its reference. */
export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schema.$ref?.startsWith(SHARED) ? (schemas[schema.$ref.slice(SHARED.length)] ?? {}) : schema
}

function toJson(schema: z.ZodType, io: 'input' | 'output', metadata: typeof none): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    metadata,
    override: ({ zodSchema, jsonSchema: made }) => {
      const json = made as JsonSchema
      // Responses can get new fields without notice. Unbounded numbers have no limits in the document.
      if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
      // The format says what the pattern of an instant or a day repeats.
      if (io === 'output' && /^date/.test(String(json.format))) delete json.pattern
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
      const { override, id: _id, ...rest } = z.globalRegistry.get(zodSchema) ?? {}
      if (override) for (const key of Object.keys(json)) delete json[key]
      Object.assign(json, rest, override)
    },
  }) as JsonSchema
}

/**
 * Replaces the default of each field by a sentence in its description. Generators of clients take a field with a default
 * for one that is always sent.
 */
function defaultsInWords(schema: JsonSchema): JsonSchema {
  for (const field of Object.values(schema.properties ?? {})) {
    const { default: value, description = '' } = field
    delete field.default
    if (!['string', 'number', 'boolean'].includes(typeof value) || /\bdefault\b/i.test(description)) continue
    field.description = `${description.replace(/([^.])$/, '$1.')} Default: \`${value}\``.trim()
  }
  delete schema.default
  for (const part of partsOf(schema)) defaultsInWords(part)
  return schema
}

/** Returns a schema that states the units and decimals of its numbers, and in which nullable types are short. */
function finished(json: JsonSchema): JsonSchema {
  return nullableTypes(decimalsInWords(stateUnits(json))) as JsonSchema
}

const simpleTypes = ['string', 'number', 'integer', 'boolean']

/** Returns a schema in which `anyOf` of a simple type and null becomes `{ type: ['string', 'null'] }`. */
function nullableTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(nullableTypes)
  if (typeof node !== 'object' || node === null) return node
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, part]) => [key, nullableTypes(part)]),
  ) as JsonSchema
  const [one = {}, other = {}, third] = anyOf ?? []
  const isNullable = JSON.stringify(other) === '{"type":"null"}' && third === undefined && rest.type === undefined
  if (!isNullable || !simpleTypes.includes(String(one.type)) || one.enum) return { ...rest, ...(anyOf && { anyOf }) }
  return { ...one, ...rest, type: [String(one.type), 'null'] }
}

/**
 * The sentences that replace `multipleOf`. Validators that compute with floating-point numbers refuse 0.3 as a multiple
 * of 0.1.
 */
const steps: Readonly<Record<string, string>> = { '0.1': 'At most one decimal.', '0.01': 'At most two decimals.' }

/**
 * Returns a schema in which sentences in the descriptions replace `multipleOf`. The description beside `anyOf` has the
 * sentence for its alternatives; with `isSaid` the alternatives do not repeat it.
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

/**
 * Returns the sentence for the decimals of a number or of its first alternative with one; undefined when there is none.
 */
function stepOf({ multipleOf, anyOf = [] }: JsonSchema): string | undefined {
  return steps[String(multipleOf)] ?? anyOf.map(stepOf).find((words) => words !== undefined)
}

/** Returns a schema in which the prefix `from` of each reference is replaced by `to`. */
function referring(node: unknown, from: string, to: string): unknown {
  if (Array.isArray(node)) return node.map((part) => referring(part, from, to))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(from, to) : referring(value, from, to),
    ]),
  )
}
