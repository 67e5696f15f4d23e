import { DEVICES_PER_PUSH } from '../../platform/adapters/push/push.port.ts'
import type { JobPayload } from '../../platform/contracts/define-job.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type fanOutNotification, mailNotification, pushNotification } from '../communication.jobs.ts'
import { findRecipients, isOfStudentsOrRenters, type Recipient } from './recipients.queries.ts'
import type { Message } from './templates/message.rules.ts'

/** The recipients of a notification: members by orgUserId, and guests, who only get mail. */
export interface Audience {
  orgUserIds: readonly number[]
  guestIds: readonly number[]
}

/**
 * Delivers a message to its audience, to each member by the channels that the member prefers. In-app notifications are
 * written in this transaction; mails and pushes are enqueued as jobs. `key` identifies the notification, so that a
 * repeated call does not write an in-app notification twice. Mails count for the student or renter who caused the event; when
 * nobody did, for the one who made the record (`madeBy`), who may make and move records without end. Mails and pushes go out at
 * `notBefore`, or else at once.
 */
export async function deliverToAudience(
  tx: Tx,
  key: string,
  event: JobPayload<typeof fanOutNotification> & { madeBy?: number | undefined; notBefore?: Date | undefined },
  message: Message,
  audience: Audience,
): Promise<void> {
  const { causedBy, madeBy, notBefore, ...about } = event
  const options = notBefore && { availableAt: notBefore }
  const recipients = await findRecipients(tx.db, event, audience.orgUserIds)
  await writeInApp(tx, key, event, message, recipients)
  const mailed = recipients.filter(({ email }) => email)
  const isMailed = mailed.length + audience.guestIds.length > 0
  const by = causedBy ?? madeBy
  const byMember = isMailed && by !== undefined && (await isOfStudentsOrRenters(tx.db, event.organizationId, by))
  const mail = { ...about, ...(byMember && { byMember: by }) }
  for (const { orgUserId } of mailed) tx.enqueue(mailNotification, { ...mail, orgUserId, guestId: null }, options)
  const devices = recipients
    .filter(({ push }) => push)
    .flatMap(({ orgUserId, devices }) => devices.map(({ id }) => ({ orgUserId, pushDeviceId: id })))
  for (let first = 0; first < devices.length; first += DEVICES_PER_PUSH) {
    tx.enqueue(pushNotification, { ...about, to: devices.slice(first, first + DEVICES_PER_PUSH) }, options)
  }
  for (const guestId of audience.guestIds) tx.enqueue(mailNotification, { ...mail, orgUserId: null, guestId }, options)
}

async function writeInApp(
  tx: Tx,
  key: string,
  { organizationId, kind }: JobPayload<typeof fanOutNotification>,
  { title, body, data }: Message,
  recipients: Recipient[],
): Promise<void> {
  const rows = recipients.filter((recipient) => recipient.inApp)
  if (rows.length === 0) return
  await tx.db
    .insertInto('notification')
    .values(
      rows.map(({ orgUserId }) => ({
        organization_id: organizationId,
        membership_id: orgUserId,
        kind,
        title,
        body,
        data,
        dedupe_key: key,
      })),
    )
    .onConflict((conflict) => conflict.columns(['membership_id', 'dedupe_key']).doNothing())
    .execute()
}
