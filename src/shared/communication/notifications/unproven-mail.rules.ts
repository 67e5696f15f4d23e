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

/**
 * The reason for a mail. `owed`: the school has to send it, and only staff can cause many: an invitation, a first invoice.
 * `caused`: the recipient must get it, and students, renters or strangers can cause many: a cancelled booking, a decision on a
 * request. `billed`: the same, and it states what the recipient owes: an invoice of what a student or renter did. `charge`: about money that a payer will be charged; such mails have their own counter per address, because other
 * payers can cause them. `asked`: a request of a stranger caused it; the request was counted. `usual`: every other mail.
 */
export type MailReason = 'owed' | 'caused' | 'billed' | 'charge' | 'asked' | 'usual'

/** One mail in this many of a daily limit is reserved from mails with this reason; null: none is. */
const RESERVED_PART: Readonly<Record<MailReason, number | null>> = {
  owed: null,
  caused: 8,
  billed: 8,
  charge: 8,
  asked: 4,
  usual: 4,
}

/**
 * Returns the limit for mails with this reason, out of a daily limit of `most`: three quarters for `usual` and `asked`,
 * seven eighths for `caused`, `billed` and `charge`, all for `owed`. So mails that members cause leave a part for invitations and
 * first invoices.
 */
export function usableBy(reason: MailReason, most: number): number {
  const part = RESERVED_PART[reason]
  return part === null ? most : Math.max(1, most - Math.ceil(most / part))
}

/** The most mails per day that one student or renter causes. */
const MOST_OF_MEMBER = 200

/**
 * Returns the most mails per day that students and renters cause: one of them, and all of an organization together, out of
 * its daily limit of `most`. Together they cause at most half of it, with mails of the reasons `caused`, `billed` and `charge` five
 * eighths; half of that is for mails of newcomers, because anybody joins a public school as a student, with any number of
 * accounts. `factor` multiplies the limit of one member; that of the organization is multiplied already.
 */
export function mostByMembers(reason: MailOfMembers, most: number, factor: number) {
  const together = Math.ceil(reason === 'usual' ? most / 2 : (most * 5) / 8)
  return { ofMember: Math.ceil(MOST_OF_MEMBER * factor), together, ofNewcomers: Math.ceil(together / 2) }
}

/** The reasons of mails that students and renters cause. */
export type MailOfMembers = Exclude<MailReason, 'owed' | 'asked'>

/** The days after which a student or renter who joined alone, and has flown, is no newcomer. */
const NEWCOMER_DAYS = 7

/** Returns the instant after which a member joined within `NEWCOMER_DAYS`. */
export function newcomersSince(now: Date): Date {
  return new Date(now.getTime() - NEWCOMER_DAYS * DAY_MS)
}

/**
 * Returns the limit for mails that newcomers cause to one address about one kind of subject, out of a limit of `most`: half of
 * the usual ones, and a quarter of those that the recipient must get, so that the rest is for mails of other members.
 */
export function usableByNewcomers(reason: MailOfMembers, most: number): number {
  return Math.ceil(reason === 'usual' ? most / 2 : most / 4)
}

/**
 * Returns the limit for mails with this reason to one address about one kind of subject, out of a limit of `most`.
 * Mails that are caused or announce a charge have counters of their own, so nothing is reserved from them.
 */
export function usableToReceiver(reason: MailReason, most: number): number {
  return reason === 'usual' || reason === 'asked' ? usableBy(reason, most) : most
}
