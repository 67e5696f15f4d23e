import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { noPermission } from '../../src/shared/platform/config/listening.ts'

/** Thrown when a port is in use. The message is one line: the port, and the variable that changes it. */
export class PortTaken extends Error {
  constructor(port: number, variable: string) {
    super(`Port ${port} is already taken: set ${variable} to a free one.`)
    this.name = 'PortTaken'
  }
}

/**
 * Returns the error to throw when listening failed: a PortTaken when the port is in use, an Error that names the
 * variable when permission is missing, otherwise the error itself.
 */
export function nameTakenPort(error: unknown, port: number, variable: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new PortTaken(port, variable)
  return code === 'EACCES' ? new Error(noPermission(port, variable)) : error
}

/**
 * Checks that a port is free; another process can still take it later.
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

/** Returns a free TCP port of 127.0.0.1. Another process can take it before the caller does. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
