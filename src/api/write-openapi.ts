import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import { installInterface } from './app.ts'
import type { Services } from './http/services.ts'

/** Writes the document of the interface to `openapi.json`: `npm run openapi`. */
const app = Fastify()
// The endpoints are declared and none is called, so nothing that they work with is there.
await installInterface(app, { storage: { own: {} } } as Services)
await app.ready()
await writeFile(join(import.meta.dirname, '../../openapi.json'), `${JSON.stringify(app.swagger(), null, 2)}\n`)
