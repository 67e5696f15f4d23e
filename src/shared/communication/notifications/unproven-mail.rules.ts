/** The most mails a day to one address that never confirmed anything with the service, over all organizations. */
const MOST_TO_ADDRESS = 3
/** The most that an organization sends a day to such addresses. */
const MOST_OF_ORGANIZATION = 200
/** The same of one that takes payments and is older than `KNOWN_AFTER_DAYS`. */
const MOST_OF_KNOWN = 2_000
const KNOWN_AFTER_DAYS = 30
const DAY_MS = 86_400_000

/** Returns the most mails of a day to one address that never confirmed anything. */
export function mostToAddress(factor: number): number {
  return Math.ceil(MOST_TO_ADDRESS * factor)
}

/** The organization that sends a mail. */
export interface SendingOrganization {
  createdAt: Date
  /** Whether its own account at the payment gateway can take money. */
  takesPayments: boolean
}

/**
 * Returns the most mails of a day to addresses that never confirmed anything: to one of them, and of the organization. Both
 * grow with the operator's factor of limits. Otherwise guests, managed members and invitations would be a mail relay.
 */
export function mostUnproven(
  { createdAt, takesPayments }: SendingOrganization,
  now: Date,
  factor: number,
): { toAddress: number; ofOrganization: number } {
  const known = takesPayments && now.getTime() - createdAt.getTime() > KNOWN_AFTER_DAYS * DAY_MS
  return {
    toAddress: mostToAddress(factor),
    ofOrganization: Math.ceil((known ? MOST_OF_KNOWN : MOST_OF_ORGANIZATION) * factor),
  }
}

/** The most mails of a day of one organization, and of an owner over all organizations, to everybody, and to one address about one kind of subject. */
const MOST_MAILS = 2_000
const MOST_TO_RECEIVER = 20

/** Returns the most mails of a day of an organization: all together, and to one address about one kind of subject. */
export function mostMails(factor: number): { ofOrganization: number; toReceiver: number } {
  return { ofOrganization: Math.ceil(MOST_MAILS * factor), toReceiver: Math.ceil(MOST_TO_RECEIVER * factor) }
}

/** The part of an organization's mails of a day that only mails that people must get may use. */
const RESERVED_PART = 4

/**
 * Why a mail goes. `owed`: its reader must get it, an invitation, a first invoice
 * or a cancellation; part of the organization's mails of a day is reserved for these. `charge`: the same, of money that will be taken,
 * which has a count of its own for each address, since other payers cause it. `asked`: a stranger caused it by a
 * request, which was counted when it came. `usual`: everything else.
 */
export type MailReason = 'owed' | 'charge' | 'asked' | 'usual'

/** Returns how many of the mails of a day may have gone before one of this kind is refused. */
export function usableBy(reason: Exclude<MailReason, 'asked'>, most: number): number {
  return reason === 'usual' ? Math.max(1, most - Math.ceil(most / RESERVED_PART)) : most
}
