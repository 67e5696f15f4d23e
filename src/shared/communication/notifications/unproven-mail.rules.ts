/**
 * The most mails per day to one address that its owner has not confirmed to the service, from all organizations
 * together.
 */
const MOST_TO_ADDRESS = 3
/** The most mails per day to such addresses from one organization. */
const MOST_OF_ORGANIZATION = 200
/**
 * The most mails per day to such addresses from an organization that takes payments and is older than
 * `KNOWN_AFTER_DAYS`.
 */
const MOST_OF_KNOWN = 2_000
const KNOWN_AFTER_DAYS = 30
const DAY_MS = 86_400_000

/** Returns the most mails per day to one unconfirmed address. `factor` multiplies the limit. */
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
 * Returns the most mails per day to unconfirmed addresses: to one address, and from the organization. `factor`
 * multiplies both limits. Without these limits, guests, managed members and invitations could be used to send spam.
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

/**
 * The most mails per day to all addresses, from one organization and from all organizations of one owner.
 * `MOST_TO_RECEIVER`: the most per day from one organization to one address in one group of mails.
 */
const MOST_MAILS = 2_000
const MOST_TO_RECEIVER = 20

/**
 * Returns the most mails per day of an organization: all together, and to one address in one group of mails. `factor`
 * multiplies both limits.
 */
export function mostMails(factor: number): { ofOrganization: number; toReceiver: number } {
  return { ofOrganization: Math.ceil(MOST_MAILS * factor), toReceiver: Math.ceil(MOST_TO_RECEIVER * factor) }
}

/** One mail in this many of a daily limit is reserved for mails that people must get. */
const RESERVED_PART = 4

/**
 * The reason for a mail. `owed`: the recipient must get it, such as an invitation, a first invoice or a cancellation; a
 * part of the daily limits is reserved for these. `charge`: like `owed`, about money that a payer will be charged; such
 * mails have their own counter per address, because other payers can cause them. `asked`: a request of a stranger
 * caused it; the request was counted. `usual`: every other mail.
 */
export type MailReason = 'owed' | 'charge' | 'asked' | 'usual'

/**
 * Returns the limit for mails with this reason, out of a daily limit of `most`: three quarters for `usual` and `asked`,
 * all for others.
 */
export function usableBy(reason: MailReason, most: number): number {
  return reason === 'usual' || reason === 'asked' ? Math.max(1, most - Math.ceil(most / RESERVED_PART)) : most
}
