/**
 * The network that a request came from, in one form however the address is written: an IPv4 address itself, also when
 * it is mapped into IPv6, and of an IPv6 address its /64, which is what one household or server is given (RFC 6177).
 * What is no address stays as it is.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]`)) return plain
  const groups = expand(new URL(`http://[${plain}]`).hostname.slice(1, -1))
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (mapped) return groups.slice(6).flatMap(bytes).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an address in canonical form, where one run of zeros is written `::`. */
function expand(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

function bytes(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 255]
}
