import { isIP } from 'node:net'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

/**
 * Whether a request that reached us on the loopback address came for some other name. A page on the internet can point
 * its own name at 127.0.0.1 and would then read the inbox, with the reset links in it, as its own. A catcher that
 * listens for the whole network is asked for by names that we do not know.
 *
 * @param listening the address we listen on
 * @param asked the name in the request's Host header, without the port
 */
export function isForeignHost(listening: string, asked: string): boolean {
  const name = asked.replace(/^\[|\]$/g, '').toLowerCase()
  return LOOPBACK.test(listening) && isIP(name) === 0 && name !== 'localhost' && !name.endsWith('.localhost')
}
