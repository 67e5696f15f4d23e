import { expect, test } from 'vitest'
import { networkOf } from '../../../src/shared/platform/kernel/networks.ts'

test.each([
  ['an IPv4 address', '203.0.113.9', '203.0.113.9'],
  ['an IPv4 address mapped into IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
  ['the same written in hexadecimal', '0:0:0:0:0:FFFF:cb00:7109', '203.0.113.9'],
  ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['its neighbour in the same /64', '2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['one with zeros in the middle', '2001:db8::2:3', '2001:db8:0:0::/64'],
  ['one that ends in zeros', '2001:db8:1::', '2001:db8:1:0::/64'],
  ['the loopback', '::1', '0:0:0:0::/64'],
  ['a link-local address with its interface', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['an IPv4 address with the port that a proxy adds', '203.0.113.9:50123', '203.0.113.9'],
  ['an IPv6 address with the port that a proxy adds', '[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['an IPv6 address in brackets', '[::ffff:203.0.113.9]', '203.0.113.9'],
  ['no address at all', 'unix:', 'unix:'],
])('the network of %s is the same in every spelling of its address', (_, address, network) => {
  expect(networkOf(address)).toBe(network)
})
