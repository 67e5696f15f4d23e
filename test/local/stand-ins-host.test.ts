import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../local/servers/ports.ts'
import { startBackingServices } from '../../local/start/backing-services.ts'
import { ShutdownSequence } from '../../local/start/shutdown-sequence.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'

const names = ['PORT', 'MAIL_WEB_PORT', 'MAIL_SMTP_PORT', 'STRIPE_SIMULATOR_PORT', 'WEBHOOK_RECEIVER_PORT'] as const
const standIns = ['MAIL_WEB_PORT', 'MAIL_SMTP_PORT', 'STRIPE_SIMULATOR_PORT'] as const

describe('the mail catcher and the payment simulator', () => {
  let parts: ShutdownSequence
  let dataDir: string
  beforeEach(async () => {
    parts = new ShutdownSequence()
    dataDir = await mkdtemp(join(tmpdir(), 'flightline-stand-ins-'))
  })
  afterEach(async () => {
    await parts.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function startLocalStack(given: Record<string, string>) {
    const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const))
    const env = { DATABASE_URL: 'postgresql://127.0.0.1:9/none', DATA_DIR: dataDir, ...Object.fromEntries(ports) }
    const config = readConfig({ ...env, ...given }, { HOST: '127.0.0.1' })
    const services = await startBackingServices(config, { durable: false }, parts)
    return { config, services }
  }

  test('stay on 127.0.0.1 when the API listens for the whole network', async () => {
    const { config, services } = await startLocalStack({ HOST: '0.0.0.0' })
    for (const name of standIns) {
      expect([name, await reach('127.0.0.1', config[name])]).toEqual([name, 'connected'])
      // What listens for the whole network answers at every address of this machine, this one included.
      expect([name, await reach('127.0.0.2', config[name])]).toEqual([name, 'ECONNREFUSED'])
    }
    expect(services.environment.HOST).toBe('0.0.0.0')
  })

  test('listen where STAND_INS_HOST says, and still answer no page that calls itself by another name', async () => {
    const { config } = await startLocalStack({ STAND_INS_HOST: '127.0.0.2' })
    for (const name of standIns) expect(await reach('127.0.0.2', config[name])).toBe('connected')
    const { status } = await fetch(`http://127.0.0.2:${config.MAIL_WEB_PORT}/email`)
    expect(status).toBe(200)
    expect(await statusFor(config.MAIL_WEB_PORT, '/email', 'pages.example')).toContain('403')
    expect(await statusFor(config.STRIPE_SIMULATOR_PORT, '/_simulator/faults', 'pages.example')).toContain('403')
  })
})

function reach(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resolve('connected')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

/** The first line of the answer to a request for this name. */
async function statusFor(port: number, path: string, name: string): Promise<string> {
  const socket = connect(port, '127.0.0.2')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`)
  return String(Buffer.concat(await socket.toArray())).split('\r\n')[0] ?? ''
}
