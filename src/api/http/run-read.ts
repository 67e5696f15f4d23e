import type { Database } from '../../shared/platform/db/database.ts'
import { stoppable } from '../../shared/platform/db/stoppable.ts'
import type { AnyCall, AnyDeclaration } from './declaration.ts'
import type { Services } from './services.ts'

/** Runs a read on behalf of a client, on a replica where there are some and the endpoint may be answered by one. */
export function runRead<T>(
  { readPlaces }: Services,
  declaration: AnyDeclaration,
  call: AnyCall,
  run: (call: AnyCall) => Promise<T>,
): Promise<T> {
  return whileClientWaits(call, () => {
    if (!readPlaces) return run(call)
    const once = countingOnce(call)
    return readPlaces.read(declaration, call, (replica) => run(replica ? onReplica(once, replica) : once))
  })
}

/** Returns the call on the connections of a replica. Its transactions write, such as the record that somebody read, so they stay on the primary. */
function onReplica(call: AnyCall, { db, pool }: Database): AnyCall {
  return { ...call, db, services: { ...call.services, database: { ...call.services.database, db, pool } } }
}

/** Returns the call with limits that a read counts once, also when it runs again on the primary. */
function countingOnce(call: AnyCall): AnyCall {
  const counted = new Set<string>()
  return {
    ...call,
    async count(limits) {
      const which = JSON.stringify(limits)
      if (counted.has(which)) return
      counted.add(which)
      await call.count(limits)
    },
  }
}

/**
 * Runs work on behalf of a client. When the client disconnects, the running statement is cancelled and no other
 * starts.
 */
async function whileClientWaits<T>({ request }: AnyCall, read: () => Promise<T>): Promise<T> {
  const { socket } = request.raw
  const { result, stop } = stoppable(read)
  socket.once('close', stop)
  if (socket.destroyed) stop()
  try {
    return await result
  } finally {
    socket.off('close', stop)
  }
}
