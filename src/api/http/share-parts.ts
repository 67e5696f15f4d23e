type Part = Record<string, unknown>

interface Operation {
  parameters?: unknown[]
  responses?: Record<string, unknown>
}

/** The parts of a document that several operations have in common. */
export interface SharedParts {
  parameters: Record<string, Part>
  responses: Record<string, Part>
}

/**
 * Moves parameters and answers that are identical in several operations into components, and replaces them by
 * references: a client gets one type for them, and the document is a third smaller.
 */
export function shareParts(paths: Record<string, Record<string, Operation>>, taken: SharedParts): SharedParts {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const parameters = namesOf(operations.flatMap(parametersOf), parameterName, Object.keys(taken.parameters))
  const responses = namesOf(operations.flatMap(responsesOf), responseName, Object.keys(taken.responses))
  for (const operation of operations) {
    if (operation.parameters) {
      operation.parameters = operation.parameters.map((part) => referred(parameters, 'parameters', part))
    }
    if (operation.responses) {
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, part]) => [status, referred(responses, 'responses', part)]),
      )
    }
  }
  return { parameters: byName(parameters), responses: byName(responses) }
}

function parametersOf({ parameters = [] }: Operation): Part[] {
  return (parameters as Part[]).filter((part) => part.in === 'query')
}

function responsesOf({ responses = {} }: Operation): Part[] {
  return (Object.values(responses) as Part[]).filter((part) => !('$ref' in part))
}

/** Returns the names of the parts that occur more than once, by their JSON text. */
function namesOf(parts: Part[], nameOf: (part: Part) => string, taken: readonly string[]): Map<string, string> {
  const counts = new Map<string, { part: Part; count: number }>()
  for (const part of parts) {
    const text = JSON.stringify(part)
    counts.set(text, { part, count: (counts.get(text)?.count ?? 0) + 1 })
  }
  const used = new Set(taken)
  const names = new Map<string, string>()
  for (const [text, { part, count }] of counts) {
    if (count < 2) continue
    const base = nameOf(part)
    let name = base
    for (let number = 2; used.has(name); number++) name = `${base}${number}`
    used.add(name)
    names.set(text, name)
  }
  return names
}

function byName(names: Map<string, string>): Record<string, Part> {
  const parts = [...names].map(([text, name]): [string, Part] => [name, JSON.parse(text)])
  return Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function referred(names: Map<string, string>, kind: string, part: unknown): unknown {
  const name = names.get(JSON.stringify(part))
  return name === undefined ? part : { $ref: `#/components/${kind}/${name}` }
}

function parameterName({ name }: Part): string {
  return `${pascal(String(name))}Query`
}

/**
 * Returns the name of an answer: the name of its schema when it has one, otherwise the first words of its description.
 */
function responseName({ description, content }: Part): string {
  const text = JSON.stringify(content ?? {})
  const schema = /"data":\{(?:"type":"array","items":\{)?"\$ref":"#\/components\/schemas\/(\w+)"/.exec(text)
  if (schema) return text.includes('"data":{"type":"array"') ? `${schema[1]}List` : `${schema[1]}Answer`
  return pascal(
    String(description)
      .split(/[^A-Za-z0-9]+/)
      .slice(0, 6)
      .join(' '),
  )
}

function pascal(words: string): string {
  return words.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
