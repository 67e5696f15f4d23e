import { shortened } from '../../platform/kernel/text.ts'

const SUFFIX = ' via Flightline'
/** The most characters of a sender's name, the suffix included. */
const LONGEST = 60

/**
 * Returns the sender's name of an organization's mails: `Bay Flight Academy via Flightline`. Characters of addresses,
 * domains and quotes become spaces, so that an organization's name cannot look like another sender.
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
