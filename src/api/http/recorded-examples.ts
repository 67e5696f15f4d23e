import { readFileSync } from 'node:fs'

/** A request to the demo school and its answer, as `npm run examples` recorded them. */
interface RecordedExample {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  status: number
  answer?: unknown
}

let recorded: Record<string, RecordedExample> | undefined

/** Returns the example of an operation, `GET` and `/users/{id}`; undefined for one that has none. */
export function recordedExample(method: string, path: string): RecordedExample | undefined {
  recorded ??= JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as typeof recorded
  return recorded?.[`${method} ${path}`]
}
