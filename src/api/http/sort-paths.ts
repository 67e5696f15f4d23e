import { z } from 'zod'
import type { AnyDeclaration } from './declaration.ts'
import { httpErrors } from './http.errors.ts'
import { alternativesOf, type JsonSchema, takesAnyKey } from './json-schema.ts'
import { outputSchema } from './openapi-schema.ts'
import type { FieldProblem } from './wording.ts'

/**
 * Returns the function that checks the `sort` of a list: a problem when no row of the list has a field at its path.
 * For an endpoint that sorts nothing, it finds no problem.
 */
export function sortCheckOf({ query, answers }: Pick<AnyDeclaration, 'query' | 'answers'>): SortCheck {
  if (!answers[200] || !(query instanceof z.ZodObject) || !('sort' in query.shape)) return () => []
  const answer = answers[200]
  let row: JsonSchema | undefined
  return (asked) => {
    const sort = (asked as { sort?: unknown } | null)?.sort
    if (typeof sort !== 'string') return []
    row ??= rowOf(answer)
    return hasPath(row, sort.split('.')) ? [] : [{ field: 'sort', message: httpErrors.sortUnknown() }]
  }
}

export type SortCheck = (query: unknown) => FieldProblem[]

/** Returns the schema of one row of a list's answer. */
function rowOf(answer: z.ZodType): JsonSchema {
  return outputSchema(answer).properties?.data?.items ?? {}
}

/** Returns whether a value of a schema can have something at a path. An unknown part of a schema can have anything. */
function hasPath(schema: JsonSchema, [part, ...rest]: string[]): boolean {
  if (part === undefined) return true
  const shapes = alternativesOf(schema)
  if (shapes.some((shape) => takesAnyKey(shape) || isOpen(shape))) return true
  return shapes.some(({ properties = {}, items }) => {
    if (items) return /^\d+$/.test(part) && hasPath(items, rest)
    return Object.hasOwn(properties, part) && hasPath(properties[part]!, rest)
  })
}

/** Returns whether a schema says nothing about its values. */
function isOpen({ type, properties, items, anyOf, oneOf, allOf, const: only, enum: choices }: JsonSchema): boolean {
  return [type, properties, items, anyOf, oneOf, allOf, only, choices].every((said) => said === undefined)
}
