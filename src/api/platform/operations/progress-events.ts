import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { kindsFor } from '../../../shared/platform/operations/operation-kinds.rules.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { readAgain } from '../../http/authentication.ts'
import type { Services } from '../../http/services.ts'
import { operationView } from './operation.view.ts'

const LOOK_EVERY_MS = 500
/** The longest time between two events, in milliseconds, also when there is no progress. */
const LEAST_EVERY_MS = 2_000
const LONGEST_MS = 10 * 60_000
/** The most open streams of one account, and of one organization, in a process. */
const MOST_OF_ACCOUNT = 5
const MOST_OF_ORGANIZATION = 50

/** The number of open streams by account and by organization. */
const streams = new Map<string, number>()

/**
 * Returns the progress of an operation as server-sent events, until it ends or ten minutes have passed. Each look
 * checks again that the token is valid and that the caller may read the operation. Between two looks no database
 * connection is held.
 * Implements interface §Operations.
 */
export function progressEvents(
  services: Services,
  request: FastifyRequest,
  actor: Actor,
  operationId: number,
): Readable {
  const release = [
    take(`account ${actor.accountId}`, MOST_OF_ACCOUNT),
    take(`organization ${actor.organizationId}`, MOST_OF_ORGANIZATION),
  ]
  const refused = release.some((one) => one === null)
  const end = () => {
    for (const one of release) one?.()
  }
  if (refused) {
    end()
    throw platformErrors.tooManyRequests({ retryAfterSeconds: LEAST_EVERY_MS / 1_000 })
  }
  const events = looks(services, request, { organizationId: actor.organizationId, operationId })
  return Readable.from(events, { objectMode: false }).once('close', end)
}

/** Counts a stream. Returns the function that ends the count; null when there are already `most` streams. */
function take(key: string, most: number): (() => void) | null {
  const open = streams.get(key) ?? 0
  if (open >= most) return null
  streams.set(key, open + 1)
  return () => {
    const left = (streams.get(key) ?? 1) - 1
    if (left > 0) streams.set(key, left)
    else streams.delete(key)
  }
}

async function* looks(
  services: Services,
  request: FastifyRequest,
  { organizationId, operationId }: { organizationId: number; operationId: number },
): AsyncGenerator<string> {
  const { db } = services.database
  const from = performance.now()
  let last = { data: '', at: Number.NEGATIVE_INFINITY }
  while (performance.now() - from < LONGEST_MS) {
    const actor = (await readAgain(services, request))?.member
    if (actor?.organizationId !== organizationId) return
    const row = await findOperation(db, { actor, kinds: kindsFor(actor.roles) }, operationId)
    if (!row) return
    const data = JSON.stringify(operationView(row))
    if (data !== last.data || performance.now() - last.at >= LEAST_EVERY_MS) {
      last = { data, at: performance.now() }
      yield `event: progress\ndata: ${data}\n\n`
    }
    if (row.endedAt) {
      yield `event: end\ndata: ${data}\n\n`
      return
    }
    await pause(LOOK_EVERY_MS)
  }
}
