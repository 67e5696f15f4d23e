/**
 * Returns the network of an address in canonical form: an IPv4 address itself, also when it is mapped into IPv6, or
 * the /64 of an IPv6 address, which one household or server gets (RFC 6177). Returns any other text unchanged.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]`)) return plain
  const groups = expand(new URL(`http://[${plain}]`).hostname.slice(1, -1))
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (mapped) return groups.slice(6).flatMap(bytes).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * Returns the larger network of an address, /24 or /48: enough to recognize a place, too little to find a household.
 */
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
