import { type JsonSchema, partsOf } from './json-schema.ts'
import { pascal } from './openapi-errors.ts'
import type { Schemas } from './openapi-schema.ts'

/**
 * The key in the meta of an enum under which it has its name in the document, where the name that follows from its place
 * says too little: `z.enum(roles).meta({ choices: 'Role' })`. One enum of several with the same values is enough.
 */
export const CHOICES = 'choices'

interface Media {
  schema?: JsonSchema
}
interface Part {
  content?: Record<string, Media>
}
interface Operation {
  operationId?: string
  parameters?: unknown[]
  requestBody?: Part
  responses?: Record<string, Part>
}

/** An enum of the document, the name that follows from its place, and the order in which places are preferred. */
interface Place {
  schema: JsonSchema
  name: string
  rank: number
}

/** Which place names an enum of several: a record before a body, a body before a parameter. */
const ranks = { record: 0, body: 100, parameter: 200 }

/**
 * Replaces each enum of a document by a reference to a schema of its own. Enums with the same values are one schema. Its
 * name is the one in the meta of an enum, otherwise that of the shortest place, such as `InvoiceStatus` for `status` of
 * `Invoice`. Returns the schemas with those of the enums.
 * @throws Error when the name of an enum is taken.
 */
export function nameChoices(paths: Record<string, Record<string, Operation>>, schemas: Schemas): Schemas {
  const places = [
    ...Object.entries(schemas).flatMap(([name, schema]) =>
      choicesIn(schema, name, /(Input|Body)$/.test(name) ? ranks.body : ranks.record),
    ),
    ...Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(choicesOf)),
  ]
  const named: Schemas = { ...schemas }
  for (const group of Map.groupBy(places, ({ schema }) => JSON.stringify(schema.enum)).values()) {
    const { type, enum: choices } = group[0]?.schema ?? {}
    const name = nameOf(group)
    if (name in named) throw new Error(`two schemas are named ${name}: give the enum ${choices} a name in its meta`)
    named[name] = { ...(type && { type }), enum: choices }
    for (const { schema } of group) {
      delete schema.type
      delete schema.enum
      delete schema[CHOICES]
      schema.$ref = `#/components/schemas/${name}`
    }
  }
  return named
}

function choicesOf({ operationId = '', parameters = [], requestBody, responses = {} }: Operation): Place[] {
  const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))
  const given = parameters as { name?: string; schema?: JsonSchema }[]
  return [
    ...contents.flatMap(({ schema }) => (schema ? choicesIn(schema, pascal(operationId), ranks.body) : [])),
    ...given.flatMap(({ name = '', schema }) =>
      schema ? choicesIn(schema, `${pascal(operationId)}${pascal(name)}`, ranks.parameter) : [],
    ),
  ]
}

/**
 * Returns the enums in a schema. `name` is the name of the place, and `rank` its order. An item of a list and an alternative
 * are called `…Value`, because generators of clients give the name of the place to the list or the union.
 */
function choicesIn(schema: JsonSchema, name: string, rank: number): Place[] {
  const { properties = {}, propertyNames, ...rest } = schema
  return [
    ...(schema.enum ? [{ schema, name, rank }] : []),
    ...Object.entries(properties).flatMap(([field, part]) => choicesIn(part, `${name}${pascal(field)}`, rank + 1)),
    ...[...partsOf(rest), ...(propertyNames ? [propertyNames as JsonSchema] : [])].flatMap((part) =>
      choicesIn(part, name.endsWith('Value') ? name : `${name}Value`, rank),
    ),
  ]
}

/** @throws Error when enums with the same values state different names. */
function nameOf(group: readonly Place[]): string {
  const stated = new Set(group.flatMap(({ schema }) => (schema[CHOICES] ? [String(schema[CHOICES])] : [])))
  if (stated.size > 1) throw new Error(`one enum has several names: ${[...stated].join(', ')}`)
  const [first] = [...group].sort(
    (a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1),
  )
  return [...stated][0] ?? first?.name ?? ''
}
