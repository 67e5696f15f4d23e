import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../shared/platform/kernel/errors.ts'
import type { Answer } from './answers.ts'
import type { Caller } from './authentication.ts'
import type { AnyCall, AnyDeclaration, AnyWriting } from './declaration.ts'
import {
  type Claim,
  claim,
  type IdempotentRequest,
  idempotentRequest,
  keepClaimed,
  recordAnswer,
  release,
} from './idempotency.access.ts'
import { READ_AFTER } from './read-places.ts'
import type { Services } from './services.ts'

/** A stored first response. */
export interface StoredAnswer {
  status: number
  answer: string | null
}

interface Keyed {
  endpoint: AnyDeclaration & Partial<Pick<AnyWriting, 'answer'>>
  call: AnyCall
  reply: FastifyReply
  idempotent: IdempotentRequest
}

/**
 * Runs the first request with a key, and answers later ones with the first response. When that response is not stored
 * (after a crash, or because it contains a secret), it is built again from committed data.
 * @throws Conflict IDEMPOTENCY_MISMATCH when the key was used for another request.
 * @throws Unavailable when the first request with the key still runs after the waiting time.
 */
export async function replayOrRun(
  { endpoint, call, reply, idempotent }: Keyed,
  run: (claimed: Claim | null) => Promise<Answer>,
): Promise<{ answer: Answer } | { stored: StoredAnswer }> {
  const { db } = call
  const found = await claim(db, idempotent)
  if (found.kind !== 'first') {
    reply.header('idempotency-replayed', 'true')
    // The process of the first request may have ended before it told of the write.
    const position = await call.services.readPlaces?.written(endpoint, call)
    if (position !== undefined) reply.header(READ_AFTER, position)
  }
  if (found.kind === 'answered') return { stored: found }
  if (found.kind === 'committed') {
    return { answer: endpoint.answer ? await endpoint.answer(found.outcome, call) : await run(null) }
  }
  const claimed = found.claim
  const stop = keepClaimed(call.services.spare, claimed)
  try {
    const answer = await run(claimed)
    if (endpoint.secret) await release(db, claimed)
    else await recordAnswer(db, claimed, answer.status, serialize(reply, answer))
    return { answer }
  } catch (error) {
    if (error instanceof AppError && isFinal(error)) {
      const { message, code, details } = error
      await recordAnswer(db, claimed, error.status, JSON.stringify({ message, code, details }))
    } else {
      await release(db, claimed).catch(() => {})
    }
    throw error
  } finally {
    stop()
  }
}

/** Returns whether the same request gets the same answer later: not after 429, 5xx and a 409 without a code. */
function isFinal({ status, code }: AppError): boolean {
  return status < 500 && status !== 429 && (status !== 409 || code !== undefined)
}

/**
 * Returns the Idempotency-Key of a request with the hash of its body; null without the header. A key belongs to the
 * account, or to the IP address when there is no token.
 * @throws Invalid when the key is malformed.
 */
export function idempotencyOf(
  services: Services,
  request: FastifyRequest,
  caller: Caller | null,
): IdempotentRequest | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  const account = caller?.account
  const organizationId = account?.member?.organizationId ?? null
  const body = JSON.stringify(request.body ?? null)
  return idempotentRequest(header, account ? `account:${account.accountId}` : `address:${request.ip}`, {
    organizationId,
    fingerprint: services.fingerprint(`${request.method} ${request.url} ${organizationId}\n${body}`),
  })
}

function serialize(reply: FastifyReply, answer: Answer): string | null {
  if (answer.body === undefined) return null
  return reply.code(answer.status).serialize(answer.body as Record<string, unknown>) as string
}
