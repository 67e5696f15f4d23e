/** One push to one device. */
export interface Push {
  /** The device's token. */
  token: string
  title: string
  body: string
  /** What it is about, for the app to open: the kind and ids, as text. */
  data: Record<string, string>
  /** Derived from our outbox row and the same on every retry: a device that has the push already replaces it. */
  key: string
}

/** Hands pushes to the service that reaches phones and browsers. */
export interface PushService {
  /**
   * Answers once the service has taken the push over. Safe to repeat with the same `key`.
   * @throws PushTokenGone when the device is not there any more.
   * @throws PushRefused when it will never be taken.
   * @throws PushUnavailable when a later try may succeed.
   */
  send(push: Push): Promise<void>
}

/** The service says that this token belongs to no device any more: it is dropped. */
export class PushTokenGone extends Error {
  constructor() {
    super('The device is gone.')
    this.name = 'PushTokenGone'
  }
}

/** The service refused this push for good. `reason` is its code, never its text, which may repeat the content. */
export class PushRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The push was refused for good (${reason}).`)
    this.name = 'PushRefused'
    this.reason = reason
  }
}

/** The push could not be handed over now: the service is down, too slow, busy, or does not let us in. Try again. */
export class PushUnavailable extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The push service could not take the push now (${reason}).`)
    this.name = 'PushUnavailable'
    this.reason = reason
  }
}
