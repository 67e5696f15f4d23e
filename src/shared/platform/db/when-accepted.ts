import { setTimeout as pause } from 'node:timers/promises'

/** SQLSTATE of "too many clients already", which also covers the connections reserved for superusers. */
const TOO_MANY_CONNECTIONS = '53300'
const AGAIN_MS = 1_000

export interface Acceptance {
  /** Called once, when the first attempt finds no free connection on the server. */
  onError: (error: Error) => void
  /** The most attempts; unlimited when undefined. */
  tries?: number
}

/**
 * Runs `connect`, and retries every second while the server has no free connection: processes that start together can
 * briefly use all connections.
 * @throws Error of `connect` for any other cause, or after the last attempt
 */
export async function whenAccepted<T>(
  connect: () => Promise<T>,
  { onError, tries = Number.POSITIVE_INFINITY }: Acceptance,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await connect()
    } catch (error) {
      if ((error as { code?: unknown }).code !== TOO_MANY_CONNECTIONS || tried >= tries) throw error
      if (tried === 1)
        onError(new Error(`PostgreSQL has no connection left, waiting for one: ${(error as Error).message}`))
      await pause(AGAIN_MS)
    }
  }
}
