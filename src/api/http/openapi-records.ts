import type { JsonSchema } from './json-schema.ts'
import { type Schemas, SHARED } from './openapi-schema.ts'

type Row = Record<string, unknown>

/** A successful answer, and whether its operation is a GET. */
interface Answer {
  media: { schema?: JsonSchema; example?: unknown }
  isRead: boolean
}

/** An answer with a record or a list of records in `data`, and the name of their schema. */
interface RecordAnswer extends Answer {
  name: string
  rows: Row[]
}

/**
 * Moves the examples of answers with nothing but `data`, a record or a list of records of a named schema, to that schema:
 * it gets the first record. A change keeps its own example when it shows a status, and a read when it shows a kind, that
 * no earlier example of the schema shows. Fields that the example of their schema shows lose theirs.
 */
export function moveExamplesToRecords(answers: readonly Answer[], schemas: Schemas): void {
  const groups = Map.groupBy(answers.flatMap(recordAnswer), ({ name }) => name)
  for (const [name, group] of groups) {
    const schema = schemas[name]
    const example = group[0]?.rows[0]
    if (!schema?.properties || !example) continue
    schema.examples = [example]
    forgetShown(schema, example)
    const shown = new Set([statusOf(example), example.kind])
    for (const { media, isRead, rows } of group) {
      const shows = rows.map((row) => (isRead ? row.kind : statusOf(row)))
      if (shows.every((value) => shown.has(value))) delete media.example
      for (const value of shows) shown.add(value)
    }
  }
}

/** Returns the name of the schema of the records in `data`; undefined for other answers. */
export function recordNameOf({ properties = {} }: JsonSchema): string | undefined {
  return (properties.data?.$ref ?? properties.data?.items?.$ref)?.slice(SHARED.length)
}

/** Returns an answer with its records; an empty list when its example shows something else. */
function recordAnswer(answer: Answer): RecordAnswer[] {
  const { data, ...others } = (answer.media.example ?? {}) as { data?: Row | Row[] | null }
  const name = recordNameOf(answer.media.schema ?? {})
  const rows = [data ?? []].flat()
  return name === undefined || Object.keys(others).length > 0 || rows.length === 0 ? [] : [{ ...answer, name, rows }]
}

function statusOf({ status, state }: Row): unknown {
  return status ?? state
}

/** Removes the examples of the fields that have a value in the example of their schema. */
export function forgetShown(schema: JsonSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const shown = (value as Row)[name]
    if (shown === undefined || shown === null || field.$ref) continue
    delete field.examples
    for (const part of [field, ...(field.anyOf ?? [])]) forgetShown(part, shown)
    for (const item of field.items ? [shown].flat() : []) forgetShown(field.items as JsonSchema, item)
  }
}
