/** The part of BullMQ's backend that delays a job. */
interface Delaying {
  moveToDelayed(id: string, timestamp: number, delay: number, ...rest: unknown[]): Promise<unknown>
}

type Factory = (...given: unknown[]) => Delaying

/**
 * Returns a factory of BullMQ's backends that delay a job from the time of the queues' store. BullMQ counts from the clock
 * of the worker: one that is an hour ahead would leave every retry an hour in the future.
 */
export function delayingByStore(factory: never, now: () => Promise<number>): never {
  const create: Factory = (...given) => {
    const backend = (factory as Factory)(...given)
    const moveToDelayed = backend.moveToDelayed.bind(backend)
    backend.moveToDelayed = async (id, _workersTime, delay, ...rest) => moveToDelayed(id, await now(), delay, ...rest)
    return backend
  }
  return create as never
}
