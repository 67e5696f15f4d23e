import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Networks that no webhook reaches unless the operator lists them: private, local, shared, reserved, multicast. */
const refusedIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
]

/**
 * The same for IPv6, and the networks whose addresses contain an IPv4 address: mapped, NAT64, Teredo and 6to4.
 * `isPublicAddress` refuses every address outside 2000::/3; the list names the networks outside it that are in use.
 */
const refusedIPv6 = [
  '::/128',
  '::1/128',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/** Addresses of cloud metadata services, which an operator's list cannot allow. */
const metadata = ['169.254.169.254/32', 'fd00:ec2::254/128', '100.100.100.200/32']

const refused = networks([...refusedIPv4, ...refusedIPv6])
const globalUnicast = networks(['2000::/3'])
const metadataServices = networks(metadata)

/** Returns whether an address is public: in no refused network and, for IPv6, in global unicast (2000::/3). */
export function isPublicAddress(address: string): boolean {
  if (holds(refused, address)) return false
  return isIPv4(address) || holds(globalUnicast, address)
}

/** Returns whether an address is a cloud metadata service, also when it is mapped into IPv6. */
export function isMetadataAddress(address: string): boolean {
  return holds(metadataServices, address)
}

/**
 * A list of networks, with one BlockList for IPv4 and one for IPv6. One BlockList for both would match every IPv4 address
 * against the networks of mapped addresses.
 */
export interface Networks {
  ipv4: BlockList
  ipv6: BlockList
}

/** Returns whether a list of networks contains an address, also a mapped IPv4 address; true for a text that is not an address. */
export function holds({ ipv4, ipv6 }: Networks, address: string): boolean {
  if (isIPv4(address)) return ipv4.check(address, 'ipv4')
  return isIPv6(address) ? ipv6.check(address, 'ipv6') || ipv4.check(address, 'ipv6') : true
}

/** Builds a list of networks from CIDR texts. */
export function networks(cidrs: readonly string[]): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/')
    const family = isIPv4(network) ? 'ipv4' : 'ipv6'
    lists[family].addSubnet(network, Number(prefix), family)
  }
  return lists
}
