import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { type Notice, notifiedBy } from '../flight-bill/taking.rules.ts'
import { invoiceWaited } from './invoices.jobs.ts'

/** A member who pays for a flight: how the member is charged, and the last notice about this flight. */
export interface PayerToNotify {
  orgUserId: number
  onLedger: boolean
  autopay: boolean
  /** Whether the member has an email address. */
  reachable: boolean
  notice: Notice | null
  /** Whether the mail of the notice was sent. */
  isSent: boolean
  /** Whether the delivery of the mail was given up. */
  isGivenUp: boolean
}

/** Returns these payers of a locked flight, each with the last notice about the flight. */
export async function findPayersToNotify(
  tx: Tx,
  { organizationId, reservationId }: { organizationId: number; reservationId: number },
  orgUserIds: readonly number[],
): Promise<PayerToNotify[]> {
  const rows = await tx.db
    .selectFrom('membership as m')
    .innerJoin('reservation as r', (join) =>
      join.onRef('r.organization_id', '=', 'm.organization_id').on('r.id', '=', reservationId),
    )
    .leftJoin('charge_notice as n', (join) =>
      join
        .onRef('n.organization_id', '=', 'm.organization_id')
        .onRef('n.membership_id', '=', 'm.id')
        .on('n.reservation_id', '=', reservationId),
    )
    .select(['m.id', 'm.billing_mode', 'm.autopay', 'm.account_id', 'm.search_email', 'm.removed_at'])
    .select('m.bill_to_accepted_at')
    .select(['n.amount_cents', 'n.notified_at', 'n.given_up_at', 'n.updated_at'])
    .select(['r.signatures_cleared_at', 'r.signed_off_at'])
    .where('m.organization_id', '=', organizationId)
    .where('m.id', 'in', [...orgUserIds])
    .execute()
  return rows.map((row) => ({
    orgUserId: row.id,
    // Of a member with a bill-to payer only packages are used: the payer is asked to pay what nobody agreed to.
    onLedger: row.billing_mode === 'ledger' && row.bill_to_accepted_at === null,
    autopay:
      row.bill_to_accepted_at === null &&
      row.billing_mode !== 'ledger' &&
      row.account_id !== null &&
      row.autopay &&
      row.removed_at === null,
    reachable: row.search_email !== '',
    isSent: row.notified_at !== null,
    isGivenUp: row.given_up_at !== null,
    notice:
      row.amount_cents === null || row.updated_at === null
        ? null
        : notifiedBy(
            {
              amountCents: row.amount_cents,
              writtenAt: row.updated_at,
              sentAt: row.notified_at,
              givenUpAt: row.given_up_at,
              clearedAt: row.signatures_cleared_at,
              signedAt: row.signed_off_at,
            },
            tx.now,
          ),
  }))
}

/** The flight and the payer of a notice. */
interface NoticeOf {
  organizationId: number
  reservationId: number
  orgUserId: number
}

/** The contents of the mail to a payer who has not signed a flight. Money in cents. */
export interface NoticeToMail {
  organization: string
  name: string
  address: string
  /** Whether the member has no account, and therefore never confirmed the address. */
  managed: boolean
  title: string
  start: Date
  zone: string
  amountCents: Cents
  signers: string[]
  /** Who signed last, and so caused the mail; null when nobody did. */
  signedBy: number | null
  /** Whether the member signed the flight, when it cost less. */
  signedForLess: boolean
}

/** Returns the contents of the mail to a payer; null when the notice was deleted or already sent, or the member has no address. */
export async function findNoticeToMail(
  db: Db,
  { organizationId, reservationId, orgUserId }: NoticeOf,
): Promise<NoticeToMail | null> {
  const { rows } = await sql<NoticeToMail>`
    select o.name as organization, m.search_name as name, m.search_email as address, m.account_id is null as managed,
      r.title, r.starts_at as start, r.time_zone_name as zone, n.amount_cents as "amountCents",
      array(select s.search_name from confirmation c
        join membership s on s.organization_id = c.organization_id and s.id = coalesce(c.recorded_by, c.membership_id)
        where c.organization_id = n.organization_id and c.reservation_id = n.reservation_id order by c.id) as signers,
      (select coalesce(c.recorded_by, c.membership_id) from confirmation c
        where c.organization_id = n.organization_id and c.reservation_id = n.reservation_id order by c.id desc limit 1) as "signedBy",
      exists (select from confirmation c where c.organization_id = n.organization_id and c.reservation_id = n.reservation_id
        and c.membership_id = n.membership_id) as "signedForLess"
    from charge_notice n
    join organization o on o.id = n.organization_id
    join membership m on m.organization_id = n.organization_id and m.id = n.membership_id
    join reservation r on r.organization_id = n.organization_id and r.id = n.reservation_id
    where n.organization_id = ${organizationId} and n.reservation_id = ${reservationId} and n.membership_id = ${orgUserId}
      and n.notified_at is null and m.search_email <> ''`.execute(db)
  return rows[0] ?? null
}

/** Stores that the notice of this amount was sent at `notifiedAt`. Returns false when the notice was deleted, changed or sent before. */
export async function markNotified(tx: Tx, notice: NoticeOf, { amountCents, notifiedAt }: Notice): Promise<boolean> {
  return changeUnsent(tx, notice, amountCents, { notified_at: notifiedAt, given_up_at: null })
}

/** Stores that the delivery of a notice's mail was given up, so that the next request writes another mail. */
export async function markGivenUp(tx: Tx, notice: NoticeOf, amountCents: Cents): Promise<void> {
  await changeUnsent(tx, notice, amountCents, { given_up_at: tx.now })
}

/** Changes the notice of this amount while it is not sent. Returns false when there is no such notice any more. */
async function changeUnsent(
  tx: Tx,
  { organizationId, reservationId, orgUserId }: NoticeOf,
  amountCents: Cents,
  change: { notified_at?: Date; given_up_at: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('charge_notice')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .where('membership_id', '=', orgUserId)
    .where('amount_cents', '=', amountCents)
    .where('notified_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Marks the notices to a member as not sent, because another member pays from now on, and enqueues the jobs that invoice their flights:
 * these write the notices again.
 */
export async function notifyAnew(tx: Tx, of: { organizationId: number; orgUserId: number }): Promise<void> {
  const { organizationId } = of
  const rows = await tx.db
    .updateTable('charge_notice')
    .set({ notified_at: null, given_up_at: tx.now })
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', of.orgUserId)
    .returning('reservation_id')
    .execute()
  for (const { reservation_id: reservationId } of rows) tx.enqueue(invoiceWaited, { organizationId, reservationId })
}

/** Deletes the notices to all payers of a flight. */
export async function deleteNotices(
  tx: Tx,
  { organizationId, reservationId }: Omit<NoticeOf, 'orgUserId'>,
): Promise<void> {
  await tx.db
    .deleteFrom('charge_notice')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .execute()
}
