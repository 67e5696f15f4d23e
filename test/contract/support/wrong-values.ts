import type { JsonSchema } from '../../../src/api/http/json-schema.ts'
import { exampleOf } from '../../../src/api/http/openapi-examples.ts'

type Path = (string | number)[]

/** A field of a body or query, without the null that it may be. */
export interface Place {
  path: Path
  schema: JsonSchema
  required: boolean
  nullable: boolean
}

/** A value that does not fit its field, and what is said of it; without a value the field is left out. */
export interface Wrong {
  value?: unknown
  sentence: string
}

/** The kinds of wrong values, each with the value for a field that has such a kind. */
export const wrongIn: Record<string, (place: Place) => Wrong | null> = {
  'a wrong type': ({ schema }) => ({ value: otherType(schema), sentence: typeSentence(schema) }),
  'null where it is not allowed': ({ schema, nullable }) =>
    nullable ? null : { value: null, sentence: typeSentence(schema) },
  'a missing field': ({ required }) => (required ? { sentence: 'is required' } : null),
  'a text that is too long': ({ schema: { maxLength, format } }) =>
    typeof maxLength === 'number' && format === undefined
      ? { value: 'x'.repeat(maxLength + 1), sentence: `must have at most ${maxLength} characters` }
      : null,
  'an empty text': ({ schema }) => (Number(schema.minLength) === 1 ? { value: '', sentence: 'is required' } : null),
  'a word that is no choice': ({ schema }) =>
    choicesOf(schema) ? { value: 'no such choice', sentence: typeSentence(schema) } : null,
  'a day without a time': ({ schema }) =>
    schema.format === 'date-time' ? { value: '2026-11-23', sentence: 'must be a date and time' } : null,
  'a day that is not there': ({ schema }) =>
    schema.format === 'date-time' ? { value: '2026-02-30T10:00:00Z', sentence: 'must be a date and time' } : null,
  'a time without an offset': ({ schema }) =>
    schema.format === 'date-time' ? { value: '2026-11-23T10:00:00', sentence: 'must carry a UTC offset or Z' } : null,
  'a number that is too small': ({ schema: { type, minimum, exclusiveMinimum } }) => {
    if (typeof exclusiveMinimum === 'number') {
      return { value: exclusiveMinimum, sentence: `must be more than ${exclusiveMinimum}` }
    }
    const isNumber = type === 'integer' || type === 'number'
    return isNumber && minimum !== undefined ? { value: minimum - 1, sentence: `must be at least ${minimum}` } : null
  },
  'a number that is too large': ({ schema: { type, maximum } }) =>
    (type === 'integer' || type === 'number') && maximum !== undefined
      ? { value: maximum + 1, sentence: `must be at most ${maximum}` }
      : null,
  'a number beyond all numbers': ({ schema: { type, maximum } }) =>
    type === 'integer' && maximum !== undefined ? { value: 1e21, sentence: `must be at most ${maximum}` } : null,
  'a fraction of what is whole': ({ schema: { type } }) =>
    type === 'integer' ? { value: 1.5, sentence: 'must be a whole number' } : null,
  'an address that is none': ({ path, schema }) =>
    path.at(-1) === 'email' && schema.type === 'string'
      ? { value: 'nobody', sentence: 'must be an email address' }
      : null,
  'an empty list': ({ schema }) =>
    schema.minItems === 1 ? { value: [], sentence: 'must have at least one entry' } : null,
  'a list that is too long': ({ schema: { maxItems, items } }) =>
    typeof maxItems === 'number' && items
      ? { value: Array(maxItems + 1).fill(fullOf(items)), sentence: `must have at most ${maxItems} entries` }
      : null,
}

/** Every field of a schema at any depth; in a list the first entry's. */
export function placesIn(given: JsonSchema, path: Path = []): Place[] {
  const schema = withoutNull(given)
  if (schema.items) return placesAt(schema.items, [...path, 0], false)
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
    placesAt(part, [...path, key], schema.required?.includes(key) ?? false),
  )
}

function placesAt(given: JsonSchema, path: Path, required: boolean): Place[] {
  const schema = withoutNull(given)
  const inside = placesIn(schema, path)
  // What one of several shapes asks for is not asked for by all of them.
  const open = (given.anyOf ?? []).filter(({ type }) => type === 'object').length > 1
  return [
    { path, schema, required, nullable: schema !== given },
    ...(open ? inside.map((place) => ({ ...place, required: false })) : inside),
  ]
}

/** A body with every field of the schema, at any depth. A text at the top without an example of its own has that of the body's `example`. */
export function fullOf(given: JsonSchema, example?: unknown): unknown {
  const schema = withoutNull(given)
  if (schema.items) return [fullOf(schema.items)]
  if (!schema.properties) return exampleOf(schema)
  const shown: Record<string, unknown> = typeof example === 'object' ? { ...example } : {}
  const partOf = (key: string, part: JsonSchema) => {
    const { type, example: own } = withoutNull(part)
    return type === 'string' && own === undefined && typeof shown[key] === 'string' ? shown[key] : fullOf(part)
  }
  return Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, partOf(key, part)]))
}

/** What is said of a value of another type. */
export function typeSentence(schema: JsonSchema): string {
  const choices = choicesOf(schema)
  if (choices?.[0] === true) return 'must be true'
  if (choices?.join() === 'true,false') return 'must be true or false'
  const more = choices && choices.length > 60 ? ` and ${choices.length - 60} more` : ''
  if (choices) return `must be one of ${choices.slice(0, 60).join(', ')}${more}`
  if (schema.format === 'date-time') return 'must be a date and time'
  return typeSentences[String(schema.type)] ?? `no sentence for ${JSON.stringify(schema)}`
}

const typeSentences: Record<string, string> = {
  string: 'must be text',
  integer: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

function otherType({ type, enum: choices }: JsonSchema): unknown {
  return type === 'string' && !choices ? 7 : 'something else'
}

function choicesOf({ enum: choices, const: only }: JsonSchema): unknown[] | undefined {
  return choices ?? (only === undefined ? undefined : [only])
}

/** The first of what a field may be besides null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const { default: given, ...rest } = schema
    return { ...rest, ...(given !== null && { default: given }), type: schema.type[0] }
  }
  const other = schema.anyOf?.find(({ type }) => type !== 'null')
  return other ? withoutNull(other) : schema
}
