import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Returns SQL for a value of the latest invoice of the fee of an enrollment `e`, without failed invoices. */
export function feeInvoice(key: RawBuilder<unknown>) {
  return sql`(select ${key} from invoice i
    where i.organization_id = e.organization_id and i.enrollment_id = e.id and i.status <> 'failed'
    order by i.id desc limit 1)`
}

/** Returns whether the fee of an enrollment has an invoice that is neither void, failed nor credited in full. */
export async function isFeeInvoiced(
  db: Db,
  { organizationId, id }: { organizationId: number; id: number },
): Promise<boolean> {
  const live = await db
    .selectFrom('invoice')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('enrollment_id', '=', id)
    .where(sql<boolean>`invoice_stands(status, total_cents, credited_cents)`)
    .executeTakeFirst()
  return live !== undefined
}
