import { type Read, recordReading } from '../../../shared/identity/profiles/record-reading.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { type Call, originOf } from '../../http/endpoint.ts'

/** Records in the audit log, in a transaction of its own, what the reader of a response reads of other members. */
export async function recordRead(
  { services, request }: Pick<Call<'member'>, 'services' | 'request'>,
  reader: Actor,
  read: Read,
): Promise<void> {
  const { database, clock, relay } = services
  const { enqueued } = await inTransaction(database, clock, (tx) => recordReading(tx, reader, read), originOf(request))
  relay.publish(enqueued)
}
