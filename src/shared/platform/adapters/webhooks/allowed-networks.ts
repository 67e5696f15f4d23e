import { isIP, isIPv4 } from 'node:net'
import { holds, isMetadataAddress, type Networks, networks } from './addresses.ts'

/** One entry of WEBHOOK_ALLOWED_NETWORKS: a network, and the one port in it that webhooks may reach. */
export interface AllowedNetwork {
  network: Networks
  port: number
}

/** Networks of which an entry may list only single addresses. */
const loopbackAndLinkLocal = networks(['127.0.0.0/8', '169.254.0.0/16', '::1/128', 'fe80::/10'])

/**
 * Returns the networks of an operator's list: `cidr:port` entries separated by commas; an IPv6 network may be in
 * brackets, as in `[fd00::]/8:8443`.
 * @throws Error with the entry when it is malformed, a metadata service, more than one address of a loopback or
 * link-local network, or wider than /8 (IPv6: /7)
 */
export function readAllowedNetworks(text: string): AllowedNetwork[] {
  return text.split(',').flatMap((part) => {
    const entry = part.trim()
    return entry === '' ? [] : [readEntry(entry)]
  })
}

function readEntry(entry: string): AllowedNetwork {
  const [, network = '', prefix = '', port = ''] = /^\[?([0-9a-fA-F.:]+)\]?\/(\d{1,3}):(\d{1,5})$/.exec(entry) ?? []
  const bits = isIPv4(network) ? 32 : 128
  if (isIP(network) === 0 || Number(prefix) > bits || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`"${entry}" is not a network and a port, such as 10.1.0.0/16:8443`)
  }
  if (isMetadataAddress(network)) throw new Error(`"${entry}" is a metadata service`)
  if (Number(prefix) < bits && (holds(loopbackAndLinkLocal, network) || Number(prefix) < (bits === 32 ? 8 : 7))) {
    throw new Error(`"${entry}" is wider than webhooks may reach: name single loopback or link-local addresses`)
  }
  return { network: networks([`${network}/${prefix}`]), port: Number(port) }
}

/** Returns whether the operator allows this private address and port. Metadata services are never allowed. */
export function isAllowed(allowed: readonly AllowedNetwork[], address: string, port: number): boolean {
  if (isMetadataAddress(address)) return false
  return allowed.some((entry) => entry.port === port && holds(entry.network, address))
}
