import { setTimeout as pause } from 'node:timers/promises'
import { kindsFor } from '../../../shared/composition/operation-works.ts'
import { findActor } from '../../../shared/platform/authz/actor.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { operationView } from './operation.view.ts'

const LOOK_EVERY_MS = 500
/** The longest time between two events in milliseconds, also without progress. */
const LEAST_EVERY_MS = 2_000
const LONGEST_MS = 10 * 60_000
/** The most streams of one account in a process. */
const MOST_STREAMS = 5

/** The number of open streams by account. */
const streams = new Map<number, number>()

/**
 * Yields the progress of an operation as server-sent events until it ends, for at most ten minutes. It checks the right
 * to read the operation at each look, and holds no database connection between two looks.
 * Implements interface §Operations.
 * @throws TooManyRequests when the account has five streams open.
 */
export function progressEvents(db: Db, actor: Actor, operationId: number): AsyncIterable<string> {
  const { accountId } = actor
  const open = streams.get(accountId) ?? 0
  if (open >= MOST_STREAMS) throw platformErrors.tooManyRequests({ retryAfterSeconds: LEAST_EVERY_MS / 1_000 })
  streams.set(accountId, open + 1)
  return closing(looks(db, actor, operationId), () => {
    const left = (streams.get(accountId) ?? 1) - 1
    if (left > 0) streams.set(accountId, left)
    else streams.delete(accountId)
  })
}

async function* closing(events: AsyncIterable<string>, close: () => void): AsyncGenerator<string> {
  try {
    yield* events
  } finally {
    close()
  }
}

async function* looks(db: Db, { organizationId, orgUserId }: Actor, id: number): AsyncGenerator<string> {
  const from = performance.now()
  let last = { data: '', at: Number.NEGATIVE_INFINITY }
  while (performance.now() - from < LONGEST_MS) {
    const actor = await findActor(db, organizationId, orgUserId)
    const row = actor && (await findOperation(db, { actor, kinds: kindsFor(actor.roles) }, id))
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
