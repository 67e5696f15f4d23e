import { countAgainst, type MailLimit, secondsLeft } from '../../communication/notifications/mail-count.access.ts'
import { hashOfAddress } from '../../communication/notifications/unproven-mail.access.ts'
import { findOwnerAccounts } from '../../identity/members/user.queries.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mailboxOf } from '../../platform/kernel/mailbox.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/** The maximum number of booking requests per day from one email address without an access token, over all schools; times `factor`. */
const MOST_OF_ADDRESS = 3
/** The most requests per hour from one network, over all schools. */
const MOST_OF_NETWORK = 10
/**
 * The most requests: `MOST_OF_HOUR` to one school per hour; `MOST_OF_DAY` per day, to one school and to all schools of one
 * owner.
 */
const MOST_OF_HOUR = 30
const MOST_OF_DAY = 100

/** The sender of a request without an access token. */
export interface AskedBy {
  organizationId: number
  email: string
  /** The keyed hash of the network that the request came from. */
  networkMark: string
}

/**
 * Counts a request that has no access token. The counts are in the database, so that all processes share them. Each such
 * request causes a mail, so the limits bound the mails that strangers can make a school send; mails of the school itself are
 * counted separately. `factor` multiplies the limits.
 */
export async function countRequest(tx: Tx, by: AskedBy, factor: number): Promise<void> {
  const { organizationId, email, networkMark } = by
  const owners = await findOwnerAccounts(tx.db, organizationId)
  const limit = (scope: MailLimit['scope'], key: string, per: MailLimit['per'], most: number): MailLimit => ({
    scope,
    key,
    per,
    most: Math.ceil(most * factor),
  })
  const full = await countAgainst(tx, [
    limit('asked_address', hashOfAddress(mailboxOf(email)), 'day', MOST_OF_ADDRESS),
    limit('asked_network', networkMark, 'hour', MOST_OF_NETWORK),
    limit('asked_organization_hour', String(organizationId), 'hour', MOST_OF_HOUR),
    limit('asked_organization', String(organizationId), 'day', MOST_OF_DAY),
    ...owners.map((id) => limit('asked_owner', String(id), 'day', MOST_OF_DAY)),
  ])
  if (full.length === 0) return
  throw platformErrors.tooManyRequests({ retryAfterSeconds: Math.max(...full.map((one) => secondsLeft(one, tx.now))) })
}
