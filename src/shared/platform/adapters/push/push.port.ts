/** The content of one push. */
export interface Push {
  title: string
  body: string
  /** The kind and the ids of the record that the app opens, as text. */
  data: Record<string, string>
  /** Derived from the outbox entry and the same on every retry: a device replaces a push with the same key. */
  key: string
}

/**
 * The outcome of a push to one device. `taken`: the push service accepted it. `gone`: the device is not registered, so
 * its token is deleted. `refused`: it will never be accepted. `unavailable`: a later attempt may succeed. `reason` is
 * the push service's code, never its text, which may contain the token and the content.
 */
export type PushOutcome =
  | { state: 'taken' }
  | { state: 'gone' }
  | { state: 'refused'; reason: string }
  | { state: 'unavailable'; reason: string }

/** The most devices of one call. */
export const DEVICES_PER_PUSH = 500

/** Sends pushes to phones and browsers. */
export interface PushService {
  /**
   * Sends one push to at most `DEVICES_PER_PUSH` devices within a time limit. Returns the outcome of each, in the order
   * of the tokens. Safe to repeat with the same `key`.
   */
  multicast(push: Push, tokens: readonly string[]): Promise<PushOutcome[]>
  close(): Promise<void>
}
