/** The longest meeting address that is accepted, in characters. */
export const MOST_CHARACTERS = 2_000

/** Host names of private networks: refused alone and as the last labels of a longer name. */
const privateNames = ['localhost', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa']

/**
 * Decides whether an address is accepted as that of a video call: https, a public name, no user part. Numeric hosts are
 * refused in every spelling (decimal, octal, hexadecimal, IPv6): no video service uses one, and a link could use one to
 * point into the reader's own network. The service itself never opens the address. Implements interface §Booking
 * requests (`meetingUrl`).
 */
export function isMeetingUrl(address: string): boolean {
  if (address.length > MOST_CHARACTERS || !/^https:\/\/[^\s\\\p{Cc}]+$/iu.test(address)) return false
  if (!URL.canParse(address)) return false
  const { protocol, username, password, hostname } = new URL(address)
  return protocol === 'https:' && username === '' && password === '' && isPublicName(hostname)
}

/**
 * Expects a parsed host name: the URL parser normalizes IPv4 spellings to dotted digits and puts brackets around IPv6.
 */
function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  if (name.startsWith('[') || /^[\d.]+$/.test(name) || !name.includes('.')) return false
  return !privateNames.some((ending) => name === ending || name.endsWith(`.${ending}`))
}
