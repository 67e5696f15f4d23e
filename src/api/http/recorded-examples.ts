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

/** Returns the recorded example of an operation, such as `GET` and `/users/{id}`; undefined when there is none. */
export function recordedExample(method: string, path: string): RecordedExample | undefined {
  recorded ??= JSON.parse(
    readFileSync(new URL('../../../interface/examples.json', import.meta.url), 'utf8'),
  ) as typeof recorded
  return recorded?.[`${method} ${path}`]
}
