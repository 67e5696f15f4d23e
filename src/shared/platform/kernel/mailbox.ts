/** Domains of one provider, whose mailboxes ignore the dots in a name. */
const GMAIL = ['gmail.com', 'googlemail.com']

/**
 * Returns the mailbox that an address reaches, as far as its spelling tells: in small letters, the domain in ASCII, without
 * the tag after `+`, and for Gmail without dots. Limits count mailboxes, so that another spelling does not get the limit
 * again. Mail goes to the address itself.
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
