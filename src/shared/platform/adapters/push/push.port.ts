/** What one push says, to however many devices. */
export interface Push {
  title: string
  body: string
  /** What it is about, for the app to open: the kind and ids, as text. */
  data: Record<string, string>
  /** Derived from our outbox row and the same on every retry: a device that has the push already replaces it. */
  key: string
}

/**
 * What became of a push to one device. `taken`: the service has it. `gone`: the service knows no such device (any more),
 * so its token is dropped. `refused`: it will never be taken as it is. `unavailable`: a later try may succeed. The reason
 * is the service's code, never its text, which may repeat the token and the content.
 */
export type PushOutcome =
  | { state: 'taken' }
  | { state: 'gone' }
  | { state: 'refused'; reason: string }
  | { state: 'unavailable'; reason: string }

/** How many devices one call reaches. */
export const DEVICES_PER_PUSH = 500

/** Hands pushes to the service that reaches phones and browsers. */
export interface PushService {
  /**
   * Hands one push over for up to `DEVICES_PER_PUSH` devices, within a stated time. Answers what became of it for each,
   * in the order of their tokens. Safe to repeat with the same `key`.
   */
  multicast(push: Push, tokens: readonly string[]): Promise<PushOutcome[]>
  close(): Promise<void>
}
