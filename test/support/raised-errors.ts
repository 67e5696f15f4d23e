import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import { errorCatalogue } from '../../src/api/http/errors-page.ts'

/*
 * Notes which entries of the catalogue of errors a run makes: each process of tests puts a function in the place of each
 * entry that writes its id, once, to the file of the run. `unraised-errors.ts` reads that file when the run is over.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** The file to which test processes append the ids of the errors that they make. */
    raisedErrors: string
  }
}

// Vitest runs this file before each test file, and files share a process.
const noted = Symbol.for('flightline.raised-errors')
const shared = globalThis as { [noted]?: true }

if (!shared[noted]) {
  shared[noted] = true
  const file = inject('raisedErrors')
  for (const entries of Object.values(errorCatalogue)) Object.assign(entries, noting(entries, file))
}

function noting(entries: (typeof errorCatalogue)[string], file: string): object {
  const made = Object.entries(entries).map(([name, entry]) => {
    let written = false
    const apply = (make: (...given: unknown[]) => unknown, self: unknown, given: unknown[]) => {
      if (!written) appendFileSync(file, `${entry.id}\n`)
      written = true
      return Reflect.apply(make, self, given)
    }
    return [name, new Proxy(entry as never, { apply })]
  })
  return Object.fromEntries(made)
}
