import { readFileSync } from 'node:fs'

/** A request to the demo school and its answer, recorded by `npm run examples`. */
interface RecordedExample {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  status: number
  answer?: unknown
}

let recorded: Record<string, RecordedExample> | undefined

/** Returns the example of an operation such as `GET`, `/users/{id}`; undefined when it has none. */
export function recordedExample(method: string, path: string): RecordedExample | undefined {
  recorded ??= JSON.parse(
    readFileSync(new URL('../../../interface/examples.json', import.meta.url), 'utf8'),
  ) as typeof recorded
  return recorded?.[`${method} ${path}`]
}
