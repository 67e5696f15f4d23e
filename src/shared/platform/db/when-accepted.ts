import { setTimeout as pause } from 'node:timers/promises'

/** SQLSTATE of "too many clients already", the superusers' reserve included. */
const TOO_MANY_CONNECTIONS = '53300'
const AGAIN_MS = 1_000

export interface Acceptance {
  /** Called once, when the server has no connection left. */
  onError: (error: Error) => void
  /** The most attempts; unlimited when undefined. */
  tries?: number
}

/**
 * Connects, and retries while the server has no connection left: processes that start together can take all of them for
 * a moment.
 * @throws any other error of connecting
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
