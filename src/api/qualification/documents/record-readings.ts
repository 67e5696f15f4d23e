import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import type { DocumentRow } from '../../../shared/qualification/documents/document.queries.ts'
import { isReadingAudited } from '../../../shared/qualification/documents/document.rules.ts'
import { recordDocumentReadings } from '../../../shared/qualification/documents/record-readings.ts'
import type { Call } from '../../http/endpoint.ts'
import { originOf } from '../../http/origin.ts'

/** Records in the audit log that the caller is given links to other members' medicals and identifications. */
export async function recordReadings(
  { actor, services, request }: Pick<Call<'member'>, 'actor' | 'services' | 'request'>,
  rows: readonly DocumentRow[],
): Promise<void> {
  const read = rows
    .map(({ id, category, status, membership_id }) => ({ id, category, status, membershipId: membership_id ?? null }))
    .filter((document) => isReadingAudited(actor, document))
  if (read.length === 0) return
  const { database, clock, relay } = services
  const { enqueued } = await inTransaction(
    database,
    clock,
    (tx) => recordDocumentReadings(tx, actor, read),
    originOf(request),
  )
  relay.publish(enqueued)
}
