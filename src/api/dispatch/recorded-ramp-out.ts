import type { FastifyRequest } from 'fastify'
import { noteRefusedRampOut } from '../../shared/dispatch/no-show.access.ts'
import type { Actor } from '../../shared/platform/authz/actor.ts'
import { completedAfterRollback, inTransaction } from '../../shared/platform/db/transaction.ts'
import { originOf } from '../http/endpoint.ts'
import type { Services } from '../http/services.ts'

/**
 * Runs the ramp-out of a booking. A refusal is recorded in the event log in a transaction of its own, because it rolls back the first one:
 * whoever tried to leave is no no-show.
 */
export function recordedRampOut<T>(
  run: Promise<T>,
  id: number,
  {
    services: { database, clock, relay },
    request,
    actor,
  }: { services: Services; request: FastifyRequest; actor: Actor },
): Promise<T> {
  return run.catch((refusal: Error) => {
    throw completedAfterRollback(refusal, async () => {
      const { enqueued } = await inTransaction(
        database,
        clock,
        (tx) => noteRefusedRampOut(tx, actor, id),
        originOf(request),
      )
      relay.publish(enqueued)
    })
  })
}
