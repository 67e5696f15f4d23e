import { once } from 'node:events'
import { Agent } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { drain, installDrain } from '../../src/api/http/drain.ts'
import { ask } from '../support/kept-connections.ts'

/** Long enough for every test here: a grace that is used up would fail it. */
const GRACE_MS = 60_000

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
    const drained = drain(app, GRACE_MS)
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
    await vi.waitFor(() => expect(app.server.listening).toBe(false))
    release()
    expect(await slow).toBe(200)
    await closed
  })

  test('gives idle clients no more than the time it has', async () => {
    expect(await ask(url, keptConnection())).toBe('200')
    await drain(app, 50)
    await app.close()
  })
})
