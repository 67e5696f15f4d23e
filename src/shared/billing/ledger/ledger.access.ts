import { sql } from 'kysely'
import { identityErrors } from '../../identity/identity.errors.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, cents, ZERO } from '../../platform/kernel/units.ts'

/** Checks that the member exists. Removed members count, because their accounts are kept. */
export async function assertHasAccount(db: Db, organizationId: number, orgUserId: number): Promise<void> {
  const member = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  if (!member) throw identityErrors.noSuchMember()
}

/**
 * Locks a member's account until the commit and returns its balance in cents. The lock is on the member row, so that
 * concurrent postings run one after the other and each reads the balance of the one before. It is FOR NO KEY UPDATE, so that
 * inserts of rows with a foreign key to the member do not wait for it.
 */
export async function lockBalance(tx: Tx, organizationId: number, membershipId: number): Promise<Cents> {
  await lockAccount(tx, organizationId, membershipId)
  return findBalance(tx.db, { organizationId, orgUserId: membershipId })
}

/**
 * Locks a member's account as `lockBalance` does, and returns what it can pay in cents: as `findAvailable`.
 * @param invoiceId the invoice that is paid, whose own dispute holds nothing back
 */
export async function lockAvailable(
  tx: Tx,
  organizationId: number,
  membershipId: number,
  invoiceId?: number,
): Promise<Cents> {
  await lockAccount(tx, organizationId, membershipId)
  return findAvailable(tx.db, { organizationId, orgUserId: membershipId, invoiceId })
}

async function lockAccount(tx: Tx, organizationId: number, membershipId: number): Promise<void> {
  await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', membershipId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Returns the balance of a member's account in cents, without a lock. */
export async function findBalance(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<Cents> {
  const last = await db
    .selectFrom('ledger_entry')
    .select('balance_cents')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.balance_cents ?? ZERO
}

/**
 * Returns what a member's account can pay in cents, without a lock: its balance less what credit notes moved there from invoices whose
 * payment is disputed, or was lost in a dispute and is still due. It can be negative.
 * Implements interface §Invoices: POST payments.
 */
export async function findAvailable(
  db: Db,
  {
    organizationId,
    orgUserId,
    invoiceId = 0,
  }: { organizationId: number; orgUserId: number; invoiceId?: number | undefined },
): Promise<Cents> {
  const { rows } = await sql<{ available: number }>`
    select coalesce((select e.balance_cents from ledger_entry e
        where e.organization_id = ${organizationId} and e.membership_id = ${orgUserId} order by e.id desc limit 1), 0)
      - coalesce((select sum(least(i.dispute_cents, moved.cents, case when i.dispute_status = 'open' then moved.cents
          else greatest(i.total_cents - i.credited_cents - i.amount_paid_cents + i.refunded_cents, 0) end))
        from invoice i
        cross join lateral (select coalesce(sum(c.refunded_cents), 0) as cents from credit_note c
          where c.organization_id = i.organization_id and c.invoice_id = i.id and c.refund = 'ledger') moved
        where i.organization_id = ${organizationId} and i.membership_id = ${orgUserId} and i.id <> ${invoiceId}
          and i.dispute_status in ('open', 'lost')), 0)::float8 as available`.execute(db)
  return cents(rows[0]!.available)
}
