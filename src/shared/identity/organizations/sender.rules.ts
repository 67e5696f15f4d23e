import { shortened } from '../../platform/kernel/text.ts'

const SUFFIX = ' via Flightline'
/** The longest sender's name of a mail, the suffix included. */
const LONGEST = 60

/**
 * Returns the name under which the service mails for an organization: `Bay Flight Academy via Flightline`. Nothing in it
 * reads as an address, a domain or another sender, whatever the organization is called.
 */
export function senderName(organization: string): string {
  const words = organization
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}@"'`“”‘’„«»<>()[\]\\:;,]/gu, ' ')
    .replace(/\.(?=\p{L}{2,})/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  return words === '' ? 'A school via Flightline' : `${shortened(words, LONGEST - SUFFIX.length).trim()}${SUFFIX}`
}
