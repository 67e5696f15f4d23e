import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { billingErrors } from '../billing.errors.ts'

function selectEntries(db: Db, organizationId: number) {
  return db
    .selectFrom('ledger_entry')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('receipt as n')
        .select('n.number')
        .whereRef('n.organization_id', '=', 'ledger_entry.organization_id')
        .whereRef('n.ledger_entry_id', '=', 'ledger_entry.id')
        .as('receipt_number'),
    )
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
}

export type LedgerRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number]

export const ledgerSortKeys: SortKeys = {
  id: byValue('id'),
  orgUserId: byValue('membership_id'),
  kind: byText('kind'),
  amountCents: byValue('amount_cents'),
  balanceCents: byValue('balance_cents'),
  reservationId: byValue('reservation_id'),
  invoiceId: byValue('invoice_id'),
  reversesId: byValue('reverses_id'),
  memo: byText('memo'),
  receiptNumber: sql`(select n.number from receipt n where n.organization_id = ledger_entry.organization_id
    and n.ledger_entry_id = ledger_entry.id)`,
  createdAt: byValue('created_at'),
  updatedAt: byValue('updated_at'),
}

/** Returns the entries of a member's account as a list source, newest first. */
export function listEntries(db: Db, organizationId: number, orgUserId: number) {
  return pageable(db, selectEntries(db, organizationId).where('membership_id', '=', orgUserId), ledgerSortKeys)
}

/** Returns an entry of any account of the organization. */
export async function findEntry(db: Db, organizationId: number, id: number): Promise<LedgerRow> {
  const row = await selectEntries(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw billingErrors.noSuchEntry()
  return row
}

/** Returns whether an entry is reversed by a later one. */
export async function isReversed(db: Db, organizationId: number, id: number): Promise<boolean> {
  const reversal = await db
    .selectFrom('ledger_entry')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('reverses_id', '=', id)
    .executeTakeFirst()
  return reversal !== undefined
}

/** Returns the entry that charged an invoice and is not reversed; null when there is none. */
export async function findOpenCharge(db: Db, organizationId: number, invoiceId: number) {
  const charge = await db
    .selectFrom('ledger_entry as e')
    .select(['e.id', 'e.membership_id', 'e.amount_cents'])
    .where('e.organization_id', '=', organizationId)
    .where('e.invoice_id', '=', invoiceId)
    .where('e.reverses_id', 'is', null)
    .where('e.kind', '<>', 'credit')
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('ledger_entry as v').select('v.id').whereRef('v.reverses_id', '=', 'e.id'))),
    )
    .executeTakeFirst()
  return charge ?? null
}

/** Returns the present members whose account has money. */
export async function findMembersWithBalance(db: Db, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from membership m
    cross join lateral (select e.balance_cents from ledger_entry e
      where e.organization_id = m.organization_id and e.membership_id = m.id order by e.id desc limit 1) last
    where m.organization_id = ${organizationId} and m.removed_at is null and last.balance_cents > 0 order by m.id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Returns whether an event switched `settings.payFromLedger` to `auto`; false without an event, or when it was `auto` before. */
export async function setsLedgerAuto(db: Db, organizationId: number, eventId: string | undefined): Promise<boolean> {
  if (eventId === undefined) return false
  const { rows } = await sql`
    select from event where organization_id = ${organizationId} and id = ${eventId}
      and after -> 'settings' ->> 'payFromLedger' = 'auto' and before -> 'settings' ->> 'payFromLedger' <> 'auto'`.execute(
    db,
  )
  return rows.length > 0
}
