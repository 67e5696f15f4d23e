/** The letters, digits and signs of a local part, between dots (RFC 5321 and 6531): in lower case, and none that nobody sees. */
const ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+$/u
/** The letters, digits, hyphens and dots of a domain as people write it. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u
/** A domain as the name system has it: labels of at most 63 characters, the last one no number. */
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/

const MOST_LOCAL_BYTES = 64
const MOST_BYTES = 254

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/**
 * Returns an email address as it is stored and compared: in lower case with composed letters, its domain in ASCII (`xn--…`). Null
 * when it is none. Takes letters beyond ASCII in both parts.
 */
export function readAddress(given: string): string | null {
  // Letters that are not composed are two characters or more.
  if (given.length > 2 * MOST_BYTES) return null
  const at = given.lastIndexOf('@')
  const local = given.slice(0, Math.max(at, 0)).normalize('NFC').toLowerCase().normalize('NFC')
  const domain = asciiDomain(given.slice(at + 1))
  if (domain === null || !local.split('.').every((atom) => ATOM.test(atom))) return null
  const address = `${local}@${domain}`
  return bytesOf(local) <= MOST_LOCAL_BYTES && bytesOf(address) <= MOST_BYTES ? address : null
}

/** Returns a domain as the name system has it; null when it can have none. */
function asciiDomain(given: string): string | null {
  if (given.length > MOST_BYTES || !DOMAIN.test(given)) return null
  const { hostname = '' } = URL.parse(`http://${given}`) ?? {}
  return ASCII_DOMAIN.test(hostname) ? hostname : null
}
