import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'

type JsonSchema = Record<string, unknown>
type Serialize = (value: unknown) => string

/** No ids are registered here, so that schemas are written out in place: the serializer is faster without references. */
const anonymous = z.registry<Record<string, never>>()
const compiled = new WeakMap<z.ZodType, Serialize>()

/**
 * Makes the serializer of an answer from its schema, when it is first needed. What the schema does not name does not
 * leave the process; a required field that is missing is an error on our side, not a hole in the answer.
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  let stringify: Serialize | undefined
  return (value) => {
    stringify ??= compile(schema)
    return stringify(value)
  }
}

function compile(schema: z.ZodType): Serialize {
  const known = compiled.get(schema)
  if (known) return known
  const json = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    metadata: anonymous,
    unrepresentable: 'any',
  })
  const stringify = fastJson(simplify(json as JsonSchema) as fastJson.Schema, { mode: undefined })
  compiled.set(schema, stringify)
  return stringify
}

/**
 * `anyOf [T, null]` costs a validation of T at every value; `nullable` says the same for nothing. What a true union
 * chooses between stays plain JSON Schema, since the choice is made by validating.
 */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify)
  if (typeof node !== 'object' || node === null) return node
  const { anyOf, ...given } = node as JsonSchema
  const rest = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, simplify(value)]))
  if (!Array.isArray(anyOf)) return serializable(rest)
  const options = anyOf.filter((option: JsonSchema) => option.type !== 'null')
  if (options.length > 1) return { ...rest, anyOf: loosen(anyOf) }
  return serializable({ ...rest, ...(simplify(options[0]) as JsonSchema), nullable: options.length < anyOf.length })
}

/** A row may hold more than its answer shows: the choice must not fall over it, and the serializer drops it anyway. */
function loosen(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(loosen)
  if (typeof node !== 'object' || node === null) return node
  const { additionalProperties, ...rest } = node as JsonSchema
  const looser = additionalProperties === false ? rest : node
  return Object.fromEntries(Object.entries(looser).map(([key, value]) => [key, loosen(value)]))
}

/** Formats, ranges and patterns concern input; on output they only cost time. */
function serializable(schema: JsonSchema): JsonSchema {
  const {
    format: _f,
    pattern: _p,
    minimum: _n,
    maximum: _x,
    minLength: _l,
    maxLength: _m,
    default: _d,
    ...rest
  } = schema
  return rest
}
