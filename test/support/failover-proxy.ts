import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../local/servers/ports.ts'
import { root } from './command-line.ts'
import { until } from './eventually.ts'

/** HAProxy with the configuration of the documentation, in front of two servers. */
export interface FailoverProxy {
  port: number
  /** Starts it again without checks, in front of one server, as somebody who corrects the address by mistake; undefined: as before. */
  sendTo(port?: number): Promise<void>
  stop(): Promise<void>
}

/** Starts the proxy in front of two servers of this machine. `haproxy` must be on the PATH. */
export async function startFailoverProxy(ports: readonly [number, number]): Promise<FailoverProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'flightline-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const port = await freePort()
  const documented = await readFile(join(root, 'docs/operations/haproxy.cfg'), 'utf8')
  const checked = documented
    .replace('127.0.0.1:5432', `127.0.0.1:${port}`)
    .replace('192.0.2.1:5432', `127.0.0.1:${ports[0]}`)
    .replace('192.0.2.2:5432', `127.0.0.1:${ports[1]}`)
  let proxy: ChildProcess | undefined
  const stop = async () => {
    if (!proxy) return
    const exited = once(proxy, 'exit')
    proxy.kill('SIGKILL')
    await exited
  }
  const start = async (configuration: string) => {
    await stop()
    await writeFile(file, configuration)
    proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    await until(() => listens(port))
  }
  await start(checked)
  return {
    port,
    sendTo(only) {
      const unchecked = checked.replace(/^ {2}(option tcp-check|tcp-check|default-server|server ).*\n/gm, '')
      return start(only === undefined ? checked : `${unchecked}  server only 127.0.0.1:${only}\n`)
    },
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (does: boolean) => {
      socket.destroy()
      resolve(does)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}
