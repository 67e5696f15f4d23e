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
    return readPlaces.read(declaration, call, (database) =>
      run(database ? { ...call, db: database.db, services: { ...call.services, database } } : call),
    )
  })
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
