/** An address with a port, as some proxies write it into `X-Forwarded-For`: `203.0.113.9:5000`, `[2001:db8::1]:5000`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/

/**
 * Returns the network of an address in canonical form, without a port. An IPv4 address, also one that is mapped into IPv6, is its
 * own network. An IPv6 address gives its /64, the network that one household or server gets (RFC 6177). Any other text is returned
 * unchanged.
 */
export function networkOf(address: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(address) ?? []
  const [plain = ''] = (ipv6 ?? ipv4 ?? address).split('%')
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]`)) return plain
  const groups = expand(new URL(`http://[${plain}]`).hostname.slice(1, -1))
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (mapped) return groups.slice(6).flatMap(bytes).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Returns the /24 of an IPv4 address, or the /48 of an IPv6 address. This is enough to recognize a place, but not a household. */
export function networkPrefixOf(address: string): string {
  const network = networkOf(address)
  if (network.includes(':')) return `${network.split(':').slice(0, 3).join(':')}::/48`
  return `${network.split('.').slice(0, 3).join('.')}.0/24`
}

/** Returns the eight groups of a canonical IPv6 address, with its `::` expanded. */
function expand(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

function bytes(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 255]
}
