import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that we cannot listen on. The message is one line: the port, and the variable that moves it. */
export class PortTaken extends Error {
  constructor(port: number, variable: string) {
    super(`Port ${port} is already taken: set ${variable} to a free one.`)
    this.name = 'PortTaken'
  }
}

/** Names the port and the variable that moves it when listening failed because of the port; other errors stay. */
export function nameTakenPort(error: unknown, port: number, variable: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EADDRINUSE' || code === 'EACCES' ? new PortTaken(port, variable) : error
}

/**
 * Looks whether a port can be listened on, before anything is built on it; another process can still be faster.
 * @throws PortTaken naming the variable.
 */
export async function ensureFree(port: number, host: string, variable: string): Promise<void> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw nameTakenPort(error, port, variable)
  }
  server.close()
  await once(server, 'close')
}
