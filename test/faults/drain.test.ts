import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { drain, installDrain } from '../../src/api/http/drain.ts'
import { ask } from '../support/kept-connections.ts'

/** Long enough for every test here: times that are used up would fail it. */
const LONG = { sendingMs: 60_000, answeringMs: 60_000 }

describe('an API that ends', () => {
  let app: FastifyInstance
  let url: string
  let release: () => void
  const agents: Agent[] = []
  beforeEach(async () => {
    app = Fastify({ return503OnClosing: false, forceCloseConnections: 'idle' })
    installDrain(app)
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    app.get('/', async () => 'here')
    app.post('/', async () => 'here')
    app.get('/slow', async () => {
      await held
      return 'here'
    })
    url = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(async () => {
    release()
    for (const agent of agents.splice(0)) agent.destroy()
    await app.close()
  })

  function keptConnection(): Agent {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    agents.push(agent)
    return agent
  }

  test('still answers on a connection that lay idle, then lets go of it, and takes no new one', async () => {
    const agent = keptConnection()
    expect(await ask(url, agent)).toBe('200')
    const drained = drain(app, LONG)
    await expect.poll(() => app.server.listening).toBe(false)
    expect(await ask(url, keptConnection())).toBe('ECONNREFUSED')
    expect(await ask(url, agent)).toBe('200')
    await drained
    expect(await ask(url, agent)).toBe('ECONNREFUSED')
  })

  test('does not wait for the next request of a client whose connection was busy at that moment', async () => {
    const busy = once(app.server, 'request')
    const slow = fetch(`${url}/slow`).then(({ status }) => status)
    await busy
    const closed = app.close()
    await expect.poll(() => app.server.listening).toBe(false)
    release()
    expect(await slow).toBe(200)
    await closed
  })

  test('gives idle clients no more than the time it has', async () => {
    expect(await ask(url, keptConnection())).toBe('200')
    await drain(app, { sendingMs: 50, answeringMs: 60_000 })
    await app.close()
  })

  test('answers a request that came while the machine was too busy to hear of it, though its time is up', async () => {
    const { port } = new URL(url)
    const client = connect(Number(port), '127.0.0.1')
    await once(client, 'connect')
    let heard = ''
    client.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    client.on('error', ({ message }) => {
      heard += message
    })
    const drained = drain(app, { sendingMs: 100, answeringMs: 60_000 })
    await expect.poll(() => app.server.listening).toBe(false)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    // Nothing of this process runs until the time of its clients is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    await drained
    await expect.poll(() => heard).not.toBe('')
    expect(heard).toMatch(/^HTTP\/1.1 200 /)
    client.destroy()
  })

  test('answers a client that had connected when it was told to stop, though it had not heard of it yet', async () => {
    const answer = ask(url, keptConnection())
    // The client connects within this turn of the event loop; the server would hear of it in the next.
    for (let ticks = 0; ticks < 3; ticks++) await new Promise<void>((resolve) => process.nextTick(resolve))
    const drained = drain(app, LONG)
    expect(await answer).toBe('200')
    await drained
  })

  test.each([
    ['headers', 'POST / HTTP/1.1\r\nhost: here\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nhost: here\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nhalf'],
  ])('cuts a client that sends %s and never ends, and still answers another', async (_what, half) => {
    const slow = fetch(`${url}/slow`).then(({ status }) => status)
    await once(app.server, 'request')
    const sender = connect(Number(new URL(url).port), '127.0.0.1')
    sender.on('error', () => {})
    sender.write(half)
    const arrived = once(app.server, 'connection')
    const cut = once(sender, 'close')
    await arrived
    const drained = drain(app, { sendingMs: 100, answeringMs: 60_000 })
    await cut
    release()
    expect(await slow).toBe(200)
    await drained
    await app.close()
  })

  test('gives the answers in hand no more than the time they have', async () => {
    const slow = fetch(`${url}/slow`).catch(() => 'cut')
    await once(app.server, 'request')
    await drain(app, { sendingMs: 20, answeringMs: 100 })
    expect(await slow).toBe('cut')
  })
})
