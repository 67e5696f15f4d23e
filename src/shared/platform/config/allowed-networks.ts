import { BlockList, isIP, isIPv4 } from 'node:net'
import { holds, isMetadataAddress, type Networks, networks } from './networks.ts'

/** One entry of WEBHOOK_ALLOWED_NETWORKS: a network, and the one port in it that webhooks may reach. */
export interface AllowedNetwork {
  network: Networks
  port: number
}

/**
 * Networks that no entry may overlap: other addresses of this host, and IPv6 networks whose addresses contain an IPv4 address
 * (mapped, NAT64, Teredo, 6to4). Such an address would bypass the rules for the IPv4 address.
 */
const neverReached = [
  ['0.0.0.0', 8],
  ['::', 128],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
] as const

/** Networks in which an entry may list only single addresses. */
const loopbackAndLinkLocal = networks(['127.0.0.0/8', '169.254.0.0/16', '::1/128', 'fe80::/10'])

/**
 * Returns the networks of an operator's list: `cidr:port` entries separated by commas. An IPv6 network can be in brackets, as
 * in `[fd00::]/8:8443`.
 * @throws Error with the first entry that is malformed, is a metadata service, overlaps a network of `neverReached`, has more
 * than one address of a loopback or link-local network, or is wider than /8 (IPv6: /7)
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
  if (neverReached.some((never) => overlap(never, [network, Number(prefix)]))) {
    throw new Error(`"${entry}" stands for other addresses: name the IPv4 or IPv6 network itself`)
  }
  if (Number(prefix) < bits && (holds(loopbackAndLinkLocal, network) || Number(prefix) < (bits === 32 ? 8 : 7))) {
    throw new Error(`"${entry}" is wider than webhooks may reach: name single loopback or link-local addresses`)
  }
  return { network: networks([`${network}/${prefix}`]), port: Number(port) }
}

type Network = readonly [address: string, prefix: number]

/** Returns whether two networks have addresses in common: whether one contains the first address of the other. */
function overlap(one: Network, other: Network): boolean {
  return isWithin(one, other) || isWithin(other, one)
}

function isWithin([address]: Network, [network, prefix]: Network): boolean {
  const [inner, outer] = [isIPv4(address), isIPv4(network)]
  if (inner !== outer) return false
  const family = inner ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, prefix, family)
  return list.check(address, family)
}

/** Returns whether an entry of the operator's list allows this address and port. Metadata services are never allowed. */
export function isAllowed(allowed: readonly AllowedNetwork[], address: string, port: number): boolean {
  if (isMetadataAddress(address)) return false
  return allowed.some((entry) => entry.port === port && holds(entry.network, address))
}
