import { countAgainst, type MailLimit, secondsLeft } from '../../communication/notifications/mail-count.access.ts'
import { hashOfAddress } from '../../communication/notifications/unproven-mail.access.ts'
import { findOwnerAccounts } from '../../identity/members/user.queries.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mailboxOf } from '../../platform/kernel/mailbox.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/** The most requests of one address a day, over all schools. */
const MOST_OF_ADDRESS = 3
/** The most requests an hour from one network, over all schools. */
const MOST_OF_NETWORK = 10
/** The most requests of an hour, and of a day, at one school; those of a day at all schools of an owner. */
const MOST_OF_HOUR = 30
const MOST_OF_DAY = 100

/** A request of somebody without a token. */
export interface AskedBy {
  organizationId: number
  email: string
  /** The keyed hash of the network that the request came from. */
  networkMark: string
}

/**
 * Counts a request of somebody without a token. Each causes a mail, so these counts are the mails that strangers may have a
 * school send; what the school sends itself is counted apart. The database counts, so that all processes share the counts.
 * `factor` multiplies the limits.
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
