/** One dot-separated part of a local part (RFC 5321 and 6531), in lower case; no control, format or space characters. */
const ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+$/u
/** The characters of a domain as people write it: letters, combining marks, digits, hyphens and dots. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u
/** A domain in ASCII, as the DNS uses it: two or more labels of at most 63 characters, of which the last is not a number. */
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/

const MOST_LOCAL_BYTES = 64
const MOST_BYTES = 254

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/**
 * Returns an email address in the form in which it is stored and compared: lower case, composed letters (NFC), the domain in
 * ASCII (`xn--…`). Returns null when the text is not an email address. Both parts can have letters beyond ASCII.
 */
export function readAddress(given: string): string | null {
  // The text is not composed (NFC) yet: a letter with a mark can take two or more characters.
  if (given.length > 2 * MOST_BYTES) return null
  const at = given.lastIndexOf('@')
  const local = given.slice(0, Math.max(at, 0)).normalize('NFC').toLowerCase().normalize('NFC')
  const domain = asciiDomain(given.slice(at + 1))
  if (domain === null || !local.split('.').every((atom) => ATOM.test(atom))) return null
  const address = `${local}@${domain}`
  return bytesOf(local) <= MOST_LOCAL_BYTES && bytesOf(address) <= MOST_BYTES ? address : null
}

/** Returns a domain in ASCII, as the DNS uses it; null when the text is not a domain. */
function asciiDomain(given: string): string | null {
  if (given.length > MOST_BYTES || !DOMAIN.test(given)) return null
  const { hostname = '' } = URL.parse(`http://${given}`) ?? {}
  return ASCII_DOMAIN.test(hostname) ? hostname : null
}
