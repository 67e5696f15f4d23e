import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import { installInterface } from './app.ts'
import { describeWebhooks } from './communication/webhooks/openapi-webhooks.ts'
import { describeRoutes } from './http/build-openapi.ts'
import { type DocumentedErrors, errorsPage } from './http/errors-page.ts'
import type { Services } from './http/services.ts'

/**
 * The number of levels of the document that are written over several lines. Each operation and each component has one
 * line.
 */
const LEVELS = 3

/** Writes the OpenAPI document to `interface/openapi.json` and its errors to `docs/errors.md`: `flightline openapi`. */
export async function writeOpenapi(): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  const document = await buildOpenapi()
  await writeFile(join(root, 'interface/openapi.json'), `${printed(document, LEVELS)}\n`)
  await writeFile(join(root, 'docs/errors.md'), errorsPage(document as unknown as DocumentedErrors))
}

/** Builds the OpenAPI document of the endpoints. */
export async function buildOpenapi(): Promise<object> {
  const app = Fastify()
  const build = describeRoutes(app, describeWebhooks())
  // No endpoint is called, so services may be missing.
  await installInterface(app, { storage: { own: {} } } as Services)
  await app.ready()
  return build()
}

/** Returns the JSON text of a value: `levels` levels over several lines, and each part below them on one line. */
function printed(value: unknown, levels: number, indent = ''): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const inner = `${indent} `
  const lines = Object.entries(value).map(
    ([key, part]) => `${inner}${isList ? '' : `${JSON.stringify(key)}: `}${printed(part, levels - 1, inner)}`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return lines.length > 0 ? `${open}\n${lines.join(',\n')}\n${indent}${close}` : `${open}${close}`
}
