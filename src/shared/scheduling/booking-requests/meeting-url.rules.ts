/** The most characters of a meeting URL. */
export const MOST_CHARACTERS = 2_000

/** Names of private networks: a host is refused when it is one of them or ends in one (`.local`). */
const privateNames = ['localhost', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa']

/**
 * Returns whether a URL is accepted for a video call: https, a public host name, no user name or password. Numeric hosts are
 * refused in every spelling (decimal, octal, hexadecimal, IPv6): no video service uses one, and such a link could point into
 * the reader's own network. The service itself never opens the URL. Implements interface §Booking requests (`meetingUrl`).
 */
export function isMeetingUrl(address: string): boolean {
  if (address.length > MOST_CHARACTERS || !/^https:\/\/[^\s\\\p{Cc}]+$/iu.test(address)) return false
  if (!URL.canParse(address)) return false
  const { protocol, username, password, hostname } = new URL(address)
  return protocol === 'https:' && username === '' && password === '' && isPublicName(hostname)
}

/**
 * Returns whether a parsed host name is public. The URL parser writes every spelling of IPv4 as dotted digits, and IPv6
 * in brackets.
 */
function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  if (name.startsWith('[') || /^[\d.]+$/.test(name) || !name.includes('.')) return false
  return !privateNames.some((ending) => name === ending || name.endsWith(`.${ending}`))
}
