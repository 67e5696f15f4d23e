import type { JsonSchema } from './json-schema.ts'
import { errorSchema } from './openapi-errors.ts'
import { forgetShown, moveExamplesToRecords, recordNameOf } from './openapi-records.ts'
import { resolve, type Schemas } from './openapi-schema.ts'

interface Media {
  schema?: JsonSchema
  example?: unknown
}
interface Content {
  content?: Record<string, Media>
}
interface Operation {
  requestBody?: Content
  responses?: Record<string, Content>
}

/** The length of the longest text, in characters, that becomes the example of a field. */
const LONGEST = 100

/**
 * Gives each field an example: the first value that a recorded body or answer has for it. Fields that are ids,
 * instants, booleans or choices get none, because their schema says enough, and neither do those that the example of their
 * record or body shows. Moves the examples of records to their schemas. Then gives each other body and answer without a
 * recorded example the one recorded for the same schema, or one that is composed from the examples of its fields.
 */
export function giveExamples(paths: Record<string, Record<string, Operation>>, schemas: Schemas): void {
  const operations = Object.values(paths).flatMap((methods) => Object.entries(methods))
  const bodies = operations.flatMap(([, { requestBody = {} }]) => jsonOf(requestBody))
  const answers = operations.flatMap(([method, { responses = {} }]) =>
    Object.values(responses)
      .flatMap(jsonOf)
      .map((one) => ({ media: one, isRead: method === 'get' })),
  )
  const media = [...bodies, ...answers.map((answer) => answer.media)]
  const values: Values = new Map()
  for (const { schema, example } of media)
    if (schema && example !== undefined) collect(schema, example, schemas, values)
  for (const [field, { name, value }] of values) if (isTelling(name, field, value)) field.examples = [value]
  const recorded = new Map(media.flatMap((one) => (one.example === undefined ? [] : [[keyOf(one), one.example]])))
  for (const { schema, example } of bodies) if (schema) forgetShown(resolve(schema, schemas), example)
  moveExamplesToRecords(answers, schemas)
  for (const one of media) {
    if (!one.schema || one.example !== undefined || schemas[recordNameOf(one.schema) ?? '']?.examples) continue
    one.example = recorded.get(keyOf(one)) ?? exampleOf(one.schema, schemas, values)
  }
}

/** Returns the JSON of a body or an answer; none for an error, whose schema has an example. */
function jsonOf({ content = {} }: Content): Media[] {
  const json = content['application/json']
  return json && json.schema?.$ref !== errorSchema.$ref ? [json] : []
}

/** Returns a text that is equal for bodies and answers with equal schemas. */
function keyOf({ schema }: Media): string {
  return JSON.stringify(schema)
}

/**
 * The first recorded value of each field whose value is a number, a boolean or a short text, with the name of the
 * field.
 */
type Values = Map<JsonSchema, { name: string; value: unknown }>

/** Adds the values in `value` for the fields of a schema. Values of a field after the first are ignored. */
function collect(part: JsonSchema, value: unknown, schemas: Schemas, values: Values): void {
  const schema = resolve(part, schemas)
  for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (takes(resolve(option, schemas), value)) collect(option, value, schemas, values)
  }
  if (Array.isArray(value)) {
    for (const item of value) if (schema.items) collect(schema.items, item, schemas, values)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const inner = (value as Record<string, unknown>)[name]
      if (isSimple(inner) && !values.has(field)) values.set(field, { name, value: inner })
      collect(field, inner, schemas, values)
    }
  }
}

/** Returns whether an alternative of a schema accepts a value: an object must have all required fields. */
function takes({ required = [] }: JsonSchema, value: unknown): boolean {
  return typeof value !== 'object' || value === null || required.every((name) => name in value)
}

/** Returns whether a value is a number, a boolean or a text that is neither empty nor long. */
function isSimple(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= LONGEST
  return typeof value === 'number' || typeof value === 'boolean'
}

/** Returns whether an example adds something to the schema of its field. */
function isTelling(name: string, field: JsonSchema, value: unknown): boolean {
  return !field.$ref && !hasChoices(field) && typeof value !== 'boolean' && !/^id$|Id$/.test(name)
}

function hasChoices({ enum: choices, const: only, format, anyOf = [] }: JsonSchema): boolean {
  return choices !== undefined || only !== undefined || format === 'date-time' || anyOf.some(hasChoices)
}

/** Returns an example of a schema: its own, or one composed from its properties and their recorded values. */
export function exampleOf(given: JsonSchema, schemas: Schemas = {}, values: Values = new Map()): unknown {
  const recorded = values.get(given)
  if (recorded) return recorded.value
  const schema = resolve(given, schemas)
  if (schema.example !== undefined) return schema.example
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (options?.[0]) return exampleOf(options[0], schemas, values)
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, part]) => [key, exampleOf(part, schemas, values)]),
    )
  }
  if (schema.default !== undefined) return schema.default
  return plain(schema, schemas, values)
}

const ofFormats: Record<string, string> = {
  'date-time': '2026-11-21T20:00:00.000Z',
  date: '2026-11-21',
  'idn-email': 'ana@example.com',
}

function plain({ type: types, items, minimum, format }: JsonSchema, schemas: Schemas, values: Values): unknown {
  const [type] = [types].flat()
  switch (type) {
    case 'array':
      return items ? [exampleOf(items, schemas, values)] : []
    case 'integer':
    case 'number':
      return minimum ?? 0
    case 'boolean':
      return false
    case 'null':
      return null
    case 'object':
      return {}
    default:
      return ofFormats[format ?? ''] ?? 'text'
  }
}
