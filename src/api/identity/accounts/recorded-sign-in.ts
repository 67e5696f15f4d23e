import type { FastifyRequest } from 'fastify'
import { recordRefusedSignIn, recordSignIn, type SignedIn, signIn } from '../../../shared/identity/accounts/sign-in.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { Unauthenticated } from '../../../shared/platform/kernel/errors.ts'
import { originOf } from '../../http/endpoint.ts'
import type { Services } from '../../http/services.ts'

/**
 * Signs in, and records the sign-in or its refusal in the event log. `accept` can refuse a right password, without an entry in the log. A refusal is recorded in a separate transaction,
 * because the error rolls back the first one. It is recorded without the caller's network.
 * @throws Unauthenticated when the address or the password is wrong.
 */
export async function recordedSignIn(
  { database, clock, relay }: Services,
  request: FastifyRequest,
  credentials: { email: string; password: string },
  { now, accept }: { now: Date; accept(signedIn: SignedIn): Promise<void> },
): Promise<SignedIn> {
  const signedIn = await signIn(database.db, credentials, now).catch(async (error: unknown) => {
    if (error instanceof Unauthenticated) {
      const { enqueued } = await inTransaction(database, clock, (tx) => recordRefusedSignIn(tx, credentials.email), {
        ...originOf(request),
        address: null,
      })
      relay.publish(enqueued)
    }
    throw error
  })
  await accept(signedIn)
  const { enqueued } = await inTransaction(database, clock, (tx) => recordSignIn(tx, signedIn), originOf(request))
  relay.publish(enqueued)
  return signedIn
}
