import { isIP } from 'node:net'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

/**
 * Returns whether a request to a server on the loopback address names a foreign host (DNS rebinding). A page on the
 * internet can resolve its own name to 127.0.0.1 and then read the answers as same-origin, such as an inbox with its
 * reset links. Returns false when the server listens on the network, because it cannot list its own names.
 * @param listening the address that the server listens on
 * @param asked the name in the request's Host header, without the port
 */
export function isForeignHost(listening: string, asked: string): boolean {
  const name = asked.replace(/^\[|\]$/g, '').toLowerCase()
  return LOOPBACK.test(listening) && isIP(name) === 0 && name !== 'localhost' && !name.endsWith('.localhost')
}
