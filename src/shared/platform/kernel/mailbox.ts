/** The domains of Gmail, which ignores dots in the name of a mailbox. */
const GMAIL = ['gmail.com', 'googlemail.com']

/**
 * Returns the mailbox that an address reaches, as far as its spelling shows: in lower case, with the domain in ASCII, without
 * the tag after `+`, and for Gmail without dots and with one domain. Limits count mailboxes, so that another spelling of an
 * address does not avoid a limit. Mail is sent to the address itself.
 */
export function mailboxOf(address: string): string {
  const plain = address.trim().normalize('NFKC').toLowerCase()
  const at = plain.lastIndexOf('@')
  if (at < 1) return plain
  const domain = asciiOf(plain.slice(at + 1).replace(/\.$/, ''))
  const [untagged] = plain.slice(0, at).split('+')
  const name = untagged || plain.slice(0, at)
  if (!GMAIL.includes(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@${GMAIL[0]}`
}

function asciiOf(domain: string): string {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
}
