import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type ExampleApp, startExampleApp } from '../../local/examples/example-app.ts'
import { createSender } from '../../local/examples/example-run.ts'
import { cloneDatabase } from '../support/database.ts'

let running: ExampleApp | undefined
let dataDir: string
afterEach(async () => {
  await running?.close()
  running = undefined
  await rm(dataDir, { recursive: true, force: true })
})

/** What a reader tries first, and who may send it. */
const tried = [
  ['olivia', 'POST /reservations/check'],
  ['olivia', 'POST /reservations'],
  ['olivia', 'POST /closures'],
  ['olivia', 'POST /availability/timeOff'],
  ['rita', 'POST /booking-requests'],
] as const

test.for(['2026-11-26T20:00:00Z'])(
  'the examples that the reference shows at %s lie ahead, and the demo school of that day accepts them',
  { timeout: 240_000 },
  async (at) => {
    dataDir = await mkdtemp(join(tmpdir(), 'flightline-served-'))
    running = await startExampleApp(await cloneDatabase(), dataDir, new Date(at))
    const { app } = running
    const { paths } = (await app.inject('/openapi.json')).json()
    const shown = (name: string): { start: string } => {
      const [method = '', path = ''] = name.split(' ')
      return paths[path][method.toLowerCase()].requestBody.content['application/json'].example
    }
    const { send, sent } = createSender(app)
    for (const [who, name] of tried) {
      const body = shown(name)
      expect(new Date(body.start).getTime(), name).toBeGreaterThan(new Date(at).getTime())
      await send(who, name, { body })
    }
    expect(sent.refused).toEqual([])
    expect(sent.examples.size).toBe(tried.length)
    expect((await app.inject('/docs/reservations')).body).toContain(shown('POST /reservations').start)
  },
)
