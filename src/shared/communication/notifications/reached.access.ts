import { rehearse } from '../../platform/db/savepoint.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { NotificationKind } from './notification-kinds.rules.ts'
import { preferredAs } from './preferences.rules.ts'
import { findMemberToMail, findRecipients, isNewcomer, isOfStudentsOrRenters } from './recipients.queries.ts'
import { countMail } from './unproven-mail.access.ts'

/** A member who would be notified, and the member for whom the mail would count when nobody caused it. */
interface Reader {
  orgUserId: number
  makerId: number
}

interface Notifying {
  organizationId: number
  kind: NotificationKind
  /** The factor of all limits. */
  factor: number
}

/**
 * Returns those readers whom a notification reaches: in the app, on a device, or by mail while the daily limits leave one. Mails are
 * counted only to learn that, for those who turned off the other channels.
 */
export async function findReached<R extends Reader>(
  tx: Tx,
  notifying: Notifying,
  readers: readonly R[],
): Promise<ReadonlySet<R>> {
  const ids = [...new Set(readers.map(({ orgUserId }) => orgUserId))]
  const recipients = await findRecipients(tx.db, { ...notifying, causedBy: null }, ids)
  const known = new Map(recipients.map((recipient) => [recipient.orgUserId, recipient]))
  const reached = new Set<R>()
  for (const reader of readers) {
    const { inApp, push, devices, email } = known.get(reader.orgUserId) ?? none
    const isReached = inApp || (push && devices.length > 0) || (email && (await hasMailLeft(tx, notifying, reader)))
    if (isReached) reached.add(reader)
  }
  return reached
}

const none = { inApp: false, push: false, email: false, devices: [] }

async function hasMailLeft(
  tx: Tx,
  { organizationId, kind, factor }: Notifying,
  { orgUserId, makerId }: Reader,
): Promise<boolean> {
  const reader = await findMemberToMail(tx.db, { organizationId, kind }, orgUserId)
  if (!reader) return false
  const byMember = (await isOfStudentsOrRenters(tx.db, organizationId, makerId)) ? makerId : undefined
  const by = byMember !== undefined && { organizationId, orgUserId: byMember }
  const mail = {
    jobId: `for ${kind} ${orgUserId}`,
    organizationId,
    address: reader.address,
    group: preferredAs(kind),
    reason: 'usual' as const,
    unproven: false,
    byMember,
    byNewcomer: by && (await isNewcomer(tx.db, by, tx.now)),
  }
  return (await rehearse(tx, () => countMail(tx, mail, factor))) === null
}
