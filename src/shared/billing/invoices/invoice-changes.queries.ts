import { sql } from 'kysely'
import type { InvoiceChange } from '../../communication/notifications/templates/invoice.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Cents, cents, ZERO } from '../../platform/kernel/units.ts'

/** The changes of an invoice since its payer was last asked to pay, and the amount due after these changes, in cents. */
export interface Reissue {
  dueCents: Cents | null
  changes: InvoiceChange[]
}

interface ChangeRow {
  kind: 'invoice.credited' | 'invoice.payment_recorded' | 'invoice.payment_reversed' | 'invoice.changed'
  before: { totalCents?: number } | null
  after: { number?: number; amountCents?: number; method?: string; totalCents?: number } | null
  reason: string | null
}

/** Returns the changes behind an `invoice.reissued` event of an invoice; null when there is no such event. */
export async function findReissue(
  db: Db,
  organizationId: number,
  { invoiceId, eventId }: { invoiceId: number; eventId: string | undefined },
): Promise<Reissue | null> {
  if (eventId === undefined) return null
  const ofInvoice = sql`e.organization_id = ${organizationId} and e.subject_kind = 'invoice' and e.subject_id = ${invoiceId}`
  const { rows: found } = await sql<{ sequence: string; dueCents: Cents | null }>`
    select e.sequence, (e.after ->> 'dueCents')::int as "dueCents" from event e
    where ${ofInvoice} and e.id = ${eventId}`.execute(db)
  const [reissued] = found
  if (!reissued) return null
  const { rows } = await sql<ChangeRow>`
    select e.kind, e.before, e.after, e.reason from event e
    where ${ofInvoice} and e.sequence < ${reissued.sequence}
      and e.kind in ('invoice.credited', 'invoice.payment_recorded', 'invoice.payment_reversed', 'invoice.changed')
      and e.sequence > coalesce((select max(e.sequence) from event e where ${ofInvoice} and e.sequence < ${reissued.sequence}
        and e.kind in ('invoice.raised', 'invoice.reissued')), 0)
    order by e.sequence`.execute(db)
  return { dueCents: reissued.dueCents, changes: rows.flatMap(changeOf) }
}

/** Returns the amount stored in an event, in cents; null when it has none, or when there is no such event. */
export async function findAmount(db: Db, organizationId: number, eventId: string | undefined): Promise<Cents | null> {
  if (eventId === undefined) return null
  const { rows } = await sql<{ amountCents: Cents | null }>`
    select (after ->> 'amountCents')::int as "amountCents" from event
    where organization_id = ${organizationId} and id = ${eventId}`.execute(db)
  return rows[0]?.amountCents ?? null
}

/** Returns the amount of a payment from the ledger, by its event, in cents; null for a payment by another method. */
export async function findLedgerAmount(
  db: Db,
  organizationId: number,
  eventId: string | undefined,
): Promise<Cents | null> {
  if (eventId === undefined) return null
  const { rows } = await sql<{ amountCents: Cents }>`
    select (after ->> 'amountCents')::int as "amountCents" from event
    where organization_id = ${organizationId} and id = ${eventId} and after ->> 'method' = 'ledger'`.execute(db)
  return rows[0]?.amountCents ?? null
}

function changeOf({ kind, before, after, reason }: ChangeRow): InvoiceChange[] {
  const amountCents = cents(after?.amountCents ?? ZERO)
  if (kind === 'invoice.credited') return [{ kind: 'credited', number: after?.number ?? 0, amountCents, reason }]
  if (kind === 'invoice.payment_recorded') return [{ kind: 'paid', amountCents, method: after?.method ?? 'other' }]
  if (kind === 'invoice.payment_reversed') return [{ kind: 'reversed', amountCents, reason }]
  const [beforeCents, totalCents] = [cents(before?.totalCents ?? ZERO), cents(after?.totalCents ?? ZERO)]
  return beforeCents === totalCents ? [] : [{ kind: 'lines', beforeCents, totalCents }]
}
