import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import { installInterface } from './app.ts'
import { type DocumentedErrors, errorsPage } from './http/errors-page.ts'
import type { Services } from './http/services.ts'

/** `flightline openapi`: writes the document of the interface to `interface/openapi.json` and its errors to `docs/errors.md`. */
export async function writeOpenapi(): Promise<void> {
  const app = Fastify()
  // No endpoint is called, so the services may be missing.
  await installInterface(app, { storage: { own: {} } } as Services)
  await app.ready()
  const root = join(import.meta.dirname, '../..')
  const document = app.swagger()
  await writeFile(join(root, 'interface/openapi.json'), `${JSON.stringify(document, null, 2)}\n`)
  await writeFile(join(root, 'docs/errors.md'), errorsPage(document as unknown as DocumentedErrors))
}
