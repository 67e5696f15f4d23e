/** The longest address of a call that is taken. */
export const MOST_CHARACTERS = 2_000

/** Names that lead into a private network, alone or as the end of a longer name. */
const privateNames = ['localhost', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa']

/**
 * Whether an address may be given out as that of a video call: https, to a public name, without a user in it. Numeric
 * hosts are refused in every spelling (decimal, octal, hexadecimal, IPv6): no video service has one, and they are how
 * a link is made to point into the reader's own network. The service itself never opens the address.
 */
export function isMeetingUrl(address: string): boolean {
  if (address.length > MOST_CHARACTERS || !/^https:\/\/[^\s\\\p{Cc}]+$/iu.test(address)) return false
  if (!URL.canParse(address)) return false
  const { protocol, username, password, hostname } = new URL(address)
  return protocol === 'https:' && username === '' && password === '' && isPublicName(hostname)
}

/** The parser has turned every spelling of an IPv4 address into digits and dots, and put brackets around IPv6. */
function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  if (name.startsWith('[') || /^[\d.]+$/.test(name) || !name.includes('.')) return false
  return !privateNames.some((ending) => name === ending || name.endsWith(`.${ending}`))
}
