import { startExampleApp } from './example-app.ts'
import type { Example } from './example-run.ts'
import { runExamples, withoutExample } from './run-examples.ts'
import { steady } from './steady.rules.ts'

/** The examples of the OpenAPI document, and the problems of the run. */
export interface TakenExamples {
  /** The examples by operation (`POST /locations`), in alphabetical order. */
  examples: Record<string, Example>
  refused: string[]
  /** The operations that have no example although they should. */
  missing: string[]
}

/** Sends every example to a fresh demo school in an empty database, and returns the examples and problems. */
export async function takeExamples(databaseUrl: string, dataDir: string): Promise<TakenExamples> {
  const from = Date.now()
  const running = await startExampleApp(databaseUrl, dataDir)
  try {
    const { paths } = (await running.app.inject('/openapi.json')).json() as { paths: Record<string, object> }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const { examples, refused } = await runExamples(running, operations)
    const times = { from, to: Date.now() }
    const named = [...examples].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      examples: Object.fromEntries(named.map(([name, example]) => [name, steady(example, times) as Example])),
      refused,
      missing: operations.filter((name) => !examples.has(name) && !withoutExample.has(name)),
    }
  } finally {
    await running.close()
  }
}
