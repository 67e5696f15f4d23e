import { isIP } from 'node:net'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

/**
 * Returns whether a request to the loopback address names a foreign host (DNS rebinding): a page on the internet can
 * resolve its own name to 127.0.0.1 and then read the inbox, with its reset links, as same-origin. A mail catcher that
 * listens on the network accepts any name, because it cannot list its own names.
 * @param listening the address that the catcher listens on
 * @param asked the name in the request's Host header, without the port
 */
export function isForeignHost(listening: string, asked: string): boolean {
  const name = asked.replace(/^\[|\]$/g, '').toLowerCase()
  return LOOPBACK.test(listening) && isIP(name) === 0 && name !== 'localhost' && !name.endsWith('.localhost')
}
