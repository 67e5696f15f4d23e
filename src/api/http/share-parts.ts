import type { JsonSchema } from './json-schema.ts'

type Part = Record<string, unknown>

interface Operation {
  parameters?: unknown[]
  responses?: Record<string, unknown>
}

/** The parts of a document that several operations have in common. */
export interface SharedParts {
  parameters: Record<string, Part>
  responses: Record<string, Part>
  schemas: Record<string, Part>
}

/** The key under which a parameter or an answer has its future name as a component. It is removed from the document. */
export const NAME = 'x-name'

/**
 * Moves parameters and answers that occur in several operations, and schemas that occur in several different answers, to
 * the components, and replaces them by references. When different parts have the same name, only the most frequent one is
 * moved. Query parameters that differ only in their examples count as the same; the component has the first example.
 */
export function shareParts(paths: Record<string, Record<string, Operation>>, taken: SharedParts): SharedParts {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const schemas = shareSchemas(operations.flatMap(responsesOf), taken.schemas)
  const parameters = sharedOf(operations.flatMap(parametersOf), taken.parameters)
  const responses = sharedOf(operations.flatMap(responsesOf), taken.responses)
  for (const operation of operations) {
    if (operation.parameters) {
      operation.parameters = parametersOf(operation).map((part) => referred(parameters, 'parameters', part))
    }
    if (operation.responses) {
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, part]) => [
          status,
          referred(responses, 'responses', part as Part),
        ]),
      )
    }
  }
  return { parameters: byName(parameters), responses: byName(responses), schemas: byName(schemas) }
}

/** Replaces the schemas that occur in several different answers by references, and returns them. */
function shareSchemas(answers: Part[], taken: Record<string, Part>): Map<string, Part> {
  const different = new Map(answers.map((answer) => [keyOf(answer), answer]))
  const schemas = sharedOf([...different.values()].flatMap(schemaOf), taken)
  for (const answer of answers) {
    for (const schema of schemaOf(answer))
      Object.assign(jsonOf(answer), { schema: referred(schemas, 'schemas', schema) })
  }
  return schemas
}

/** Returns the schema of an answer under the name of the answer; an empty list when it has none of its own. */
function schemaOf(answer: Part): Part[] {
  const { schema } = jsonOf(answer)
  return schema && !schema.$ref && isNamed(answer) ? [{ ...schema, [NAME]: answer[NAME] }] : []
}

function jsonOf({ content }: Part): { schema?: JsonSchema } {
  return (content as Record<string, { schema?: JsonSchema }> | undefined)?.['application/json'] ?? {}
}

function parametersOf({ parameters = [] }: Operation): Part[] {
  return parameters as Part[]
}

function responsesOf({ responses = {} }: Operation): Part[] {
  return Object.values(responses) as Part[]
}

/** Returns the parts that occur more than once, by their keys. */
function sharedOf(parts: Part[], taken: Record<string, Part>): Map<string, Part> {
  const groups = [...Map.groupBy(parts.filter(isNamed), keyOf).values()]
    .filter((group) => group.length > 1)
    .sort((a, b) => b.length - a.length)
  const used = new Set(Object.keys(taken))
  const shared = new Map<string, Part>()
  for (const group of groups) {
    const part = group.find(({ example }) => example !== undefined) ?? (group[0] as Part)
    if (used.has(String(part[NAME]))) continue
    used.add(String(part[NAME]))
    shared.set(keyOf(part), part)
  }
  return shared
}

function isNamed(part: Part): boolean {
  return part[NAME] !== undefined
}

/** Returns a text that is equal for equal parts. */
function keyOf(part: Part): string {
  return JSON.stringify({ ...withoutName(part), ...(part.in === 'query' && { example: undefined }) })
}

function byName(shared: Map<string, Part>): Record<string, Part> {
  const named = [...shared.values()].map((part): [string, Part] => [String(part[NAME]), withoutName(part)])
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function referred(shared: Map<string, Part>, kind: string, part: Part): Part {
  const found = isNamed(part) ? shared.get(keyOf(part)) : undefined
  return found ? { $ref: `#/components/${kind}/${found[NAME]}` } : withoutName(part)
}

function withoutName({ [NAME]: _, ...part }: Part): Part {
  return part
}
