import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { startWorkerServer } from '../../src/workers/worker-server.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool } from '../support/builders.ts'
import { cloneDatabase } from '../support/database.ts'
import { limited } from '../support/limited.ts'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const made of opened.splice(0).reverse()) await made.close()
})

async function start(env: Record<string, string>, lines: string[] = []): Promise<TestApp> {
  const logTo = { write: (line: string) => void lines.push(line) }
  const databaseUrl = await cloneDatabase()
  const api = await startTestApp({ databaseUrl, env: { LOG_LEVEL: 'info', ...env }, logTo })
  opened.push(api)
  return api
}

/** Starts a relay before the socket of a database, which `cut` makes unreachable. */
async function startRelay(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(`${decodeURIComponent(target.hostname)}/.s.PGSQL.${target.port}`)
    for (const one of [socket, onward]) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  opened.push({ close: cut })
  return { url: String(url), cut }
}

const operator = { authorization: `Basic ${Buffer.from('ops:ops-password').toString('base64')}` }

describe('without its queues', () => {
  test('an API is ready and works; operators, the log and the metrics say what is away; a worker is not ready', async () => {
    const lines: string[] = []
    const databaseUrl = await cloneDatabase()
    const relay = await startRelay(databaseUrl)
    const logTo = { write: (line: string) => void lines.push(line) }
    const env = { QUEUE_DATABASE_URL: relay.url, LOG_LEVEL: 'info' }
    const api = await startTestApp({ databaseUrl, env, logTo })
    opened.push(api)
    const { admin } = await buildSchool(api)
    await relay.cut()

    const told = await api.call('GET', '/health')
    expect([told.statusCode, told.json()]).toEqual([200, { status: 'ok', version: expect.any(String) }])
    expect((await api.call('GET', '/health/ready')).statusCode).toBe(200)
    expect((await api.call('GET', '/')).json()).toMatchObject({ status: 'ok' })
    expect((await api.as(admin).post('/groups', { name: 'Ramp' })).statusCode).toBe(201)
    const parts = await api.call('GET', '/ops/health', { headers: operator })
    expect([parts.statusCode, parts.json()]).toMatchObject([
      200,
      { status: 'ok', database: 'ok', queue: 'unavailable', schema: 'ok' },
    ])
    const metrics = await api.call('GET', '/metrics', { headers: operator })
    expect(metrics.statusCode).toBe(200)
    expect(metrics.body).toContain('flightline_available{part="queue"} 0')
    expect(metrics.body).toContain('flightline_available{part="database"} 1')
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'not healthy')
    expect(warnings.map(({ queue }) => queue)).toEqual(['unavailable'])

    const config = { ...api.config, WORKER_PORT: 0 }
    const port = await workerPort(api, config)
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(503)
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200)
  })
})

async function workerPort(api: TestApp, config: TestApp['config']): Promise<number> {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  await once(free, 'close')
  const metrics = {} as Parameters<typeof startWorkerServer>[1]
  const server = await startWorkerServer(
    { ...api.core, config: { ...config, WORKER_PORT: port }, log: api.log },
    metrics,
  )
  if (server) opened.push(server)
  return port
}

describe('many who ask at once', () => {
  test('share one check of the database', async () => {
    const api = await start({})
    let asked = 0
    api.core.spare.on('acquire', () => {
      asked += 1
    })
    const urls = ['/', '/health', '/health/ready']
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => api.call('GET', urls[index % 3] ?? '/')),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    // The database, and the migrations.
    expect(asked).toBe(2)
  })

  test('do not take the connections of requests: an API whose pool is used up is ready', async () => {
    const api = await start({ DATABASE_POOL_SIZE: '2' })
    const held = await Promise.all([api.core.database.pool.connect(), api.core.database.pool.connect()])
    expect((await api.call('GET', '/health/ready')).statusCode).toBe(200)
    for (const client of held) client.release()
  })
})

describe('what needs no token (§Limits)', () => {
  const pages = ['/', '/health', '/docs', '/docs/errors', '/docs/find?q=book', '/docs/guides/errors', '/openapi.json']
  const others = ['/docs/try/static/index.html', '/docs/try/static/swagger-ui.css', '/verify-email', '/invitation']

  test('is limited to 300 requests a minute from a network', async () => {
    const api = await start({ RATE_LIMIT_FACTOR: '1' })
    const asked = [...pages, ...others]
    for (const [index, url] of asked.entries()) {
      const { headers } = await api.call('GET', url)
      expect([url, headers['ratelimit-remaining']]).toEqual([url, String(300 - index - 1)])
    }
    await Promise.all(Array.from({ length: 300 - asked.length }, () => api.call('GET', '/health')))
    for (const url of asked) limited(await api.call('GET', url))
    for (const url of ['/health/ready', '/health/live']) expect((await api.call('GET', url)).statusCode).toBe(200)
  })
})
