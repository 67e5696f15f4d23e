import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'

type JsonSchema = Record<string, unknown>
type Serialize = (value: unknown) => string

/** An empty registry, so that schemas are inlined. The serializer is faster without references. */
const anonymous = z.registry<Record<string, never>>()
const compiled = new WeakMap<z.ZodType, Serialize>()

/**
 * Creates the serializer of a response from its schema at the first use. Drops fields that the schema does not have; a
 * missing required field is a server error.
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
 * Replaces `anyOf: [T, null]` by `nullable`, because the serializer would validate every value of it against T. Other
 * unions stay, because validation selects their branch.
 */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify)
  if (typeof node !== 'object' || node === null) return node
  const { anyOf: nested, ...given } = node as JsonSchema
  const rest = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, simplify(value)]))
  if (!Array.isArray(nested)) return serializable(rest)
  const anyOf = nested.flatMap(branchesOf)
  const options = anyOf.filter((option: JsonSchema) => option.type !== 'null')
  if (options.length > 1) return { ...rest, anyOf: loosen(anyOf) }
  return serializable({ ...rest, ...(simplify(options[0]) as JsonSchema), nullable: options.length < anyOf.length })
}

/** Returns the branches of a union's branch. A nullable union is a union inside a union, and is flattened. */
function branchesOf(option: JsonSchema): JsonSchema[] {
  const { anyOf } = option
  return Array.isArray(anyOf) && Object.keys(option).length === 1 ? anyOf.flatMap(branchesOf) : [option]
}

/**
 * Allows additional properties in the branches of unions. Rows can have more fields than the response; the serializer
 * drops them.
 */
function loosen(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(loosen)
  if (typeof node !== 'object' || node === null) return node
  const { additionalProperties, ...rest } = node as JsonSchema
  const looser = additionalProperties === false ? rest : node
  return Object.fromEntries(Object.entries(looser).map(([key, value]) => [key, loosen(value)]))
}

/** Removes formats, ranges and patterns, which would only be checked again on output. */
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
