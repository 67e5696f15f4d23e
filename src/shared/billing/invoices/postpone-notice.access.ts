import { sql } from 'kysely'
import { countOnce, type MailLimit, secondsLeft } from '../../communication/notifications/mail-count.access.ts'
import { hashOfAddress } from '../../communication/notifications/unproven-mail.access.ts'
import type { JobPayload } from '../../platform/contracts/define-job.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mailboxOf } from '../../platform/kernel/mailbox.ts'
import { notifyPayer } from './invoices.jobs.ts'

/** The most mails per day to a payer about one flight: for the first figures and for two corrections. */
const MOST_OF_FLIGHT = 3
/** The most mails per hour to one mailbox about all flights: the same limit as for other mails that somebody else causes. */
const MOST_OF_HOUR = 5

/**
 * Counts a mail to a payer who has not signed a flight. The mail is limited, because the signature of another payer causes it. Returns
 * true when a limit is reached: a job then sends the mail when the limit allows it, and nothing is charged until then. Later runs of
 * the job `jobId` send the same mail, which counts once. `factor` multiplies the limits.
 */
export async function postpone(
  tx: Tx,
  payload: JobPayload<typeof notifyPayer>,
  { jobId, address }: { jobId: string; address: string },
  factor: number,
): Promise<boolean> {
  const { organizationId, reservationId, orgUserId } = payload
  const limits: MailLimit[] = [
    {
      scope: 'charge_flight',
      key: `${reservationId} ${orgUserId}`,
      per: 'day',
      most: Math.ceil(MOST_OF_FLIGHT * factor),
    },
    {
      scope: 'charge_mailbox_hour',
      key: hashOfAddress(mailboxOf(address)),
      per: 'hour',
      most: Math.ceil(MOST_OF_HOUR * factor),
    },
  ]
  const full = await countOnce(tx, `charge ${jobId}`, limits)
  if (full.length === 0) return false
  const { rows } = await sql`
    select 1 from outbox where organization_id = ${organizationId} and job = ${notifyPayer.name} and available_at > ${tx.now}
      and (payload ->> 'reservationId')::int = ${reservationId} and (payload ->> 'orgUserId')::int = ${orgUserId}`.execute(
    tx.db,
  )
  const seconds = Math.max(...full.map((limit) => secondsLeft(limit, tx.now)))
  if (rows.length === 0) tx.enqueue(notifyPayer, payload, { availableAt: new Date(tx.now.getTime() + seconds * 1000) })
  return true
}
