import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local/servers/ports.ts'
import { composeEnvironment, composeServices, exampleVariables } from '../support/compose.ts'
import { emptyDatabase } from '../support/database.ts'
import { asRole } from '../support/global-setup.ts'

const services = composeServices()
const bin = join(import.meta.dirname, '../../bin/flightline.mjs')

describe('the containers of docker-compose.yml, as processes with the environment of .env.example', () => {
  const running: ChildProcess[] = []
  let data: string
  let ports: Record<'3000' | '9464' | '12111' | '1080' | '1025', string>
  let database: Record<string, string>
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'flightline-volume-'))
    const [api, worker, payments, inbox, smtp] = await Promise.all(
      Array.from({ length: 5 }, async () => String(await freePort())),
    )
    ports = { 3000: api!, 9464: worker!, 12111: payments!, 1080: inbox!, 1025: smtp! }
    const ownerUrl = await emptyDatabase()
    database = { DATABASE_URL: asRole(ownerUrl, 'service'), MIGRATION_DATABASE_URL: ownerUrl }
  })
  afterAll(async () => {
    for (const child of running) {
      if (child.exitCode === null) child.kill('SIGKILL')
    }
    await rm(data, { recursive: true, force: true, maxRetries: 10 })
  })

  /** The environment of a container where there are no containers: one host, free ports, a folder for the volume. */
  function environmentOf(name: string): Record<string, string> {
    const entries = Object.entries(composeEnvironment(services[name]!, exampleVariables())).map(([variable, value]) => {
      const here = value
        .replace(/^(http|smtp):\/\/(api|payments|mail)\b/, '$1://127.0.0.1')
        .replace(/:(3000|9464|12111|1080|1025)\b/, (_, port: keyof typeof ports) => `:${ports[port]}`)
        .replace(/^\/data/, data)
      return [variable, variable in database ? database[variable] : here]
    })
    const listening = {
      PORT: ports[3000],
      WORKER_PORT: ports[9464],
      STRIPE_SIMULATOR_PORT: ports[12111],
      MAIL_WEB_PORT: ports[1080],
      MAIL_SMTP_PORT: ports[1025],
      // There is no Redis here.
      REDIS_URL: '',
    }
    return { ...Object.fromEntries(entries), ...listening }
  }

  function start(name: string): ChildProcess {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const command = (services[name]?.command ?? []).map((word) => word.replace(/^\/data/, data))
    const child = spawn(process.execPath, [bin, ...command], {
      env: { PATH, NODE_COMPILE_CACHE, NODE_ENV: 'production', DATA_DIR: data, ...environmentOf(name) },
      // The image has no .env.
      cwd: data,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    running.push(child)
    return child
  }
  const done = async (name: string) => (await once(start(name), 'exit'))[0] as number
  const ready = async (name: string) => {
    const child = start(name)
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => expect.fail(`${name} ended with ${code}`)),
    ])
  }
  const status = async (port: string, path: string, headers = {}) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status

  test('make their keys, migrate, and serve API, worker, inbox and payments', async () => {
    expect(await done('keys')).toBe(0)
    expect(await done('migrate')).toBe(0)
    await Promise.all(['payments', 'mail', 'api', 'worker'].map(ready))
    expect(await status(ports[3000], '/health/ready')).toBe(200)
    expect(await status(ports[9464], '/health/ready')).toBe(200)
    const password = (await readFile(join(data, 'keys/ops-password'), 'utf8')).trim()
    expect(await status(ports[3000], '/ops/health', { authorization: `Basic ${btoa(`ops:${password}`)}` })).toBe(200)
    const signUp = { name: 'Ana Ruiz', email: 'ana@example.com', password: 'clear-prop-runway-28' }
    const answer = await fetch(`http://127.0.0.1:${ports[3000]}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signUp),
    })
    expect(answer.status).toBe(201)
    const inbox = async () =>
      (await (await fetch(`http://127.0.0.1:${ports[1080]}/email`)).json()) as { subject: string }[]
    await expect.poll(inbox).toHaveLength(1)
    expect(await status(ports[12111], '/')).toBeLessThan(500)
  }, 120_000)
})
