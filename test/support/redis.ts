import { execFileSync, spawn } from 'node:child_process'
import { Redis } from 'ioredis'
import { freePort } from '../../src/local/free-port.ts'

/** Whether this machine can run a Redis of its own for a test. */
export const hasRedis = (() => {
  try {
    execFileSync('redis-server', ['--version'])
    return true
  } catch {
    return false
  }
})()

/** A Redis on a free port that keeps nothing; `connect` gives clients that end with it. */
export async function startRedis() {
  const port = await freePort()
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ])
  const url = `redis://127.0.0.1:${port}`
  const clients: Redis[] = []
  const connect = async () => {
    const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
    client.on('error', () => {})
    clients.push(client)
    await client.ping()
    return client
  }
  await connect()
  return {
    url,
    connect,
    async stop() {
      for (const client of clients) client.disconnect()
      const ended = new Promise((resolve) => {
        server.once('exit', resolve)
      })
      server.kill('SIGKILL')
      await ended
    },
  }
}
