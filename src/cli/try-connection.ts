import { connect } from 'node:net'

const WITHIN_MS = 5_000

/**
 * Connects to the host of a URL and closes the connection. Returns the host with its port.
 * @throws Error with a message of one line when it cannot connect within 5 s
 */
export function tryConnection(url: string, defaultPort: number): Promise<string> {
  const { hostname, port } = new URL(url)
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort }
  return new Promise((resolve, reject) => {
    const socket = connect({ ...where, timeout: WITHIN_MS })
    const fail = (why: string) => {
      socket.destroy()
      reject(new Error(`${where.host}:${where.port} cannot be reached (${why})`))
    }
    socket.once('connect', () => {
      socket.destroy()
      resolve(`${where.host}:${where.port}`)
    })
    socket.once('timeout', () => fail('no answer within 5 s'))
    socket.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
  })
}
